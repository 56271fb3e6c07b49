// Camera raw files by LibRaw.
#ifndef CCODECS_RAW_H
#define CCODECS_RAW_H

#include <stddef.h>
#include <stdint.h>

/// A decoder of a camera raw file in memory. The memory has to outlive the decoder.
typedef struct ccodecs_raw ccodecs_raw;

/// Whether LibRaw is available.
int ccodecs_has_raw(void);

/// Reads the header; NULL without memory. `ccodecs_raw_is_open` says whether the header could be
/// read. Free with `ccodecs_raw_destroy`.
ccodecs_raw *ccodecs_raw_create(const uint8_t *bytes, size_t length);
void ccodecs_raw_destroy(ccodecs_raw *raw);

/// Whether the header could be read. If not, only `ccodecs_raw_message` may be called.
int ccodecs_raw_is_open(const ccodecs_raw *raw);

/// Size of the developed image in pixels, before rotation; 1 if it is known. Afterwards the decoder
/// can neither return the preview nor develop the image.
int ccodecs_raw_measure(ccodecs_raw *raw, int *width, int *height);

/// The EXIF orientation, 1 to 8.
int ccodecs_raw_orientation(const ccodecs_raw *raw);

/// The JPEG preview that the camera embedded, not rotated and owned by the decoder; NULL if there
/// is none.
const uint8_t *ccodecs_raw_preview(ccodecs_raw *raw, size_t *length);

/// Develops the image to sRGB with the camera's white balance, not rotated, at full or at half the
/// size. Must be called only once. Returns 1 on success.
int ccodecs_raw_develop(ccodecs_raw *raw, int is_half);

/// The developed image: its size in pixels and its samples of 16 bits, one or three a pixel; NULL
/// before it is developed.
const uint16_t *ccodecs_raw_pixels(const ccodecs_raw *raw, int *width, int *height, int *samples);

/// Whether the sensor data had no damage.
int ccodecs_raw_is_whole(const ccodecs_raw *raw);

/// LibRaw's message for the last error; empty if there was none.
const char *ccodecs_raw_message(const ccodecs_raw *raw);

#endif
