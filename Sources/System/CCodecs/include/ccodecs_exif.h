// EXIF values, through libexif. Included by ccodecs.h.
#ifndef CCODECS_EXIF_H
#define CCODECS_EXIF_H

#include <stddef.h>
#include <stdint.h>

/// The values of an EXIF block.
typedef struct ccodecs_exif ccodecs_exif;

/// The directories that values are in, as libexif numbers them.
enum ccodecs_exif_directory {
    CCODECS_EXIF_PICTURE = 0,
    CCODECS_EXIF_CAMERA = 2,
    CCODECS_EXIF_GPS = 3,
};

/// Whether libexif is there.
int ccodecs_exif_is_available(void);

/// Reads a TIFF structure of at most 65000 bytes, which is copied; NULL where that cannot be done.
/// Frees with `ccodecs_exif_close`.
ccodecs_exif *ccodecs_exif_open(const uint8_t *tiff, size_t length);

void ccodecs_exif_close(ccodecs_exif *exif);

/// Writes a value as text, ended by a zero, to `text` of `size` bytes: a text as it is, numbers in
/// libexif's words. 0 where it is not there or empty.
int ccodecs_exif_text(
    const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag, char *text,
    size_t size);

/// The number at `index` of a value of unsigned whole or broken numbers; 0 where there is none.
int ccodecs_exif_number(
    const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag, unsigned index,
    double *number);

#endif
