// TIFF and BigTIFF by libtiff: the main page, and its smaller copies (mip levels).
#ifndef CCODECS_TIFF_H
#define CCODECS_TIFF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder of a TIFF in memory. The memory has to outlive the decoder.
typedef struct ccodecs_tiff ccodecs_tiff;

/// Row formats.
enum ccodecs_tiff_layout {
    CCODECS_TIFF_GRAY8,
    CCODECS_TIFF_GRAY16,
    CCODECS_TIFF_RGB8,
    CCODECS_TIFF_RGB16,
    /// Straight alpha.
    CCODECS_TIFF_RGBA8,
    CCODECS_TIFF_RGBA16,
    /// CMYK; 255 is full coverage.
    CCODECS_TIFF_CMYK8,
    /// Values as stored in the file.
    CCODECS_TIFF_RGB_FLOAT,
    CCODECS_TIFF_RGBA_FLOAT,
    /// 32-bit values 0xFFRRGGBB and premultiplied 0xAARRGGBB: the output of libtiff's own colour
    /// conversion.
    CCODECS_TIFF_BGRX8,
    CCODECS_TIFF_PREMULTIPLIED_BGRA8,
};

/// The functions of this header.
typedef struct {
    /// Opens a TIFF at its first page that is not a smaller copy of another page; NULL without
    /// memory. On failure the width is 0. Free with `destroy`.
    ccodecs_tiff *_Nullable (*_Nonnull create)(const uint8_t *_Nullable bytes, size_t length);
    void (*_Nonnull destroy)(ccodecs_tiff *_Nullable tiff);

    /// Size of a mip level of the main page, in pixels: level 0 is the main page, each further
    /// level halves the size. 0 if the file has no such level.
    void (*_Nonnull size)(
        const ccodecs_tiff *tiff, int mip_level, uint32_t *width, uint32_t *height);

    /// TIFF's tag 274, 1 to 8.
    int (*_Nonnull orientation)(const ccodecs_tiff *tiff);

    /// Starts decoding a mip level; 1 on success.
    int (*_Nonnull start)(ccodecs_tiff *tiff, int mip_level);
    enum ccodecs_tiff_layout (*_Nonnull layout)(const ccodecs_tiff *tiff);

    /// The ICC profile of the page being decoded, owned by the decoder; NULL if no profile applies
    /// to the decoded rows.
    const uint8_t *_Nullable (*_Nonnull profile)(const ccodecs_tiff *tiff, size_t *length);

    /// Decodes the next row; 0 if a part of the row is missing.
    int (*_Nonnull read_row)(ccodecs_tiff *tiff, void *row);

    /// libtiff's message for the first error; empty if there was none.
    const char *_Nonnull (*_Nonnull message)(const ccodecs_tiff *tiff);
} ccodecs_tiff_library;

/// Opens libtiff on the first call. NULL where the headers were missing when this was built, or the
/// library is missing now.
const ccodecs_tiff_library *_Nullable ccodecs_open_tiff(void);

#pragma clang assume_nonnull end

#endif
