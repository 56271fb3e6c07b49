// What cameras' sensors saw, by LibRaw.
#ifndef CCODECS_RAW_H
#define CCODECS_RAW_H

#include <stddef.h>
#include <stdint.h>

/// A camera's file in memory, which has to outlive it.
typedef struct ccodecs_raw ccodecs_raw;

/// Whether LibRaw is there.
int ccodecs_has_raw(void);

/// Reads what comes before the pixels; NULL without memory. Where that fails it is not open. Free
/// with `ccodecs_raw_destroy`.
ccodecs_raw *ccodecs_raw_create(const uint8_t *bytes, size_t length);
void ccodecs_raw_destroy(ccodecs_raw *raw);

/// Whether what comes before the pixels could be read; nothing but the message is to be asked for
/// otherwise.
int ccodecs_raw_is_open(const ccodecs_raw *raw);

/// What the developed picture's size will be, not turned: 1 when that is known. The file can give
/// neither its JPEG nor be developed any more then.
int ccodecs_raw_measure(ccodecs_raw *raw, int *width, int *height);

/// As EXIF has it, 1 to 8.
int ccodecs_raw_orientation(const ccodecs_raw *raw);

/// The JPEG that the camera put in, not turned, which belongs to the file; NULL where there is none.
const uint8_t *ccodecs_raw_preview(ccodecs_raw *raw, size_t *length);

/// Develops with the camera's white balance to sRGB, not turned, in full or at half the size: once.
/// 1 when that went well.
int ccodecs_raw_develop(ccodecs_raw *raw, int is_half);

/// The developed picture's own size and its samples of 16 bits, one or three a pixel; NULL before it is.
const uint16_t *ccodecs_raw_pixels(const ccodecs_raw *raw, int *width, int *height, int *samples);

/// Whether nothing of the sensor's data was damaged.
int ccodecs_raw_is_whole(const ccodecs_raw *raw);

/// LibRaw's words for the last error; empty where there was none.
const char *ccodecs_raw_message(const ccodecs_raw *raw);

#endif
