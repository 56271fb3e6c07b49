// EXIF values by libexif. Included by ccodecs.h.
#ifndef CCODECS_EXIF_H
#define CCODECS_EXIF_H

#include <stddef.h>
#include <stdint.h>

/// The values of an EXIF block.
typedef struct ccodecs_exif ccodecs_exif;

/// The directories of an EXIF block, as libexif numbers them.
enum ccodecs_exif_directory {
    CCODECS_EXIF_PICTURE = 0,
    CCODECS_EXIF_CAMERA = 2,
    CCODECS_EXIF_GPS = 3,
};

/// Whether libexif is available.
int ccodecs_exif_is_available(void);

/// Reads a TIFF structure of at most 65000 bytes, which is copied; NULL on failure. Free with
/// `ccodecs_exif_close`.
ccodecs_exif *ccodecs_exif_open(const uint8_t *tiff, size_t length);

void ccodecs_exif_close(ccodecs_exif *exif);

/// Writes a value as zero-terminated text to `text` of `size` bytes: ASCII values unchanged,
/// numbers as libexif formats them. Returns 0 if the value is missing or empty.
int ccodecs_exif_text(
    const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag, char *text,
    size_t size);

/// The number at `index` of a value of type byte, short, long, rational or signed rational; 0 if
/// there is none.
int ccodecs_exif_number(
    const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag, unsigned index,
    double *number);

#endif
