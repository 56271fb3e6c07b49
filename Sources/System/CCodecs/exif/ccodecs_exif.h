// EXIF values by libexif.
#ifndef CCODECS_EXIF_H
#define CCODECS_EXIF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The values of an EXIF block.
typedef struct ccodecs_exif ccodecs_exif;

/// The directories of an EXIF block, as libexif numbers them.
enum ccodecs_exif_directory {
    CCODECS_EXIF_PICTURE = 0,
    CCODECS_EXIF_CAMERA = 2,
    CCODECS_EXIF_GPS = 3,
};

/// The functions of this header.
typedef struct {
    /// Reads a TIFF structure of at most 65000 bytes, which is copied; NULL on failure. Free with
    /// `close`.
    ccodecs_exif *_Nullable (*_Nonnull open)(const uint8_t *_Nullable tiff, size_t length);
    void (*_Nonnull close)(ccodecs_exif *_Nullable exif);

    /// Writes a value as zero-terminated text to `text` of `size` bytes: ASCII values unchanged,
    /// numbers as libexif formats them. Returns 0 if the value is missing or empty.
    int (*_Nonnull text)(
        const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag, char *text,
        size_t size);

    /// The number at `index` of a value of type byte, short, long, rational or signed rational; 0
    /// if there is none.
    int (*_Nonnull number)(
        const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag, unsigned index,
        double *number);
} ccodecs_exif_library;

/// Opens libexif on the first call. NULL where the headers were missing when this was built, or the
/// library is missing now.
const ccodecs_exif_library *_Nullable ccodecs_open_exif(void);

#pragma clang assume_nonnull end

#endif
