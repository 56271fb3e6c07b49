// TIFF and BigTIFF, by libtiff: the main page, and its smaller copies.
#ifndef CCODECS_TIFF_H
#define CCODECS_TIFF_H

#include <stddef.h>
#include <stdint.h>

/// A TIFF being decoded from memory, which has to outlive it.
typedef struct ccodecs_tiff ccodecs_tiff;

/// What a row is made of.
enum ccodecs_tiff_layout {
    CCODECS_TIFF_GRAY8,
    CCODECS_TIFF_GRAY16,
    CCODECS_TIFF_RGB8,
    CCODECS_TIFF_RGB16,
    /// Straight alpha.
    CCODECS_TIFF_RGBA8,
    CCODECS_TIFF_RGBA16,
    /// 255 is full ink.
    CCODECS_TIFF_CMYK8,
    /// Numbers as they are in the file.
    CCODECS_TIFF_RGB_FLOAT,
    CCODECS_TIFF_RGBA_FLOAT,
    /// Words 0xFFRRGGBB, and 0xAARRGGBB, premultiplied: what libtiff itself makes of colours.
    CCODECS_TIFF_OPAQUE_WORDS,
    CCODECS_TIFF_PREMULTIPLIED_WORDS,
};

/// Whether libtiff is there.
int ccodecs_has_tiff(void);

/// Opens a TIFF at its first page that is no smaller copy of another; NULL without memory. Where that
/// fails the width is 0. Frees with `ccodecs_tiff_destroy`.
ccodecs_tiff *ccodecs_tiff_create(const uint8_t *bytes, size_t length);
void ccodecs_tiff_destroy(ccodecs_tiff *tiff);

/// The size of the main page, or of that copy of it that is halved so many times; 0 where there is
/// none.
void ccodecs_tiff_size(const ccodecs_tiff *tiff, int exponent, uint32_t *width, uint32_t *height);

/// TIFF's tag 274, 1 to 8.
int ccodecs_tiff_orientation(const ccodecs_tiff *tiff);

/// Starts on the page that is halved so many times; 1 when it can be read.
int ccodecs_tiff_start(ccodecs_tiff *tiff, int exponent);

enum ccodecs_tiff_layout ccodecs_tiff_layout(const ccodecs_tiff *tiff);

/// The ICC profile of the page begun, which belongs to the TIFF; NULL where there is none that is
/// for its rows.
const uint8_t *ccodecs_tiff_profile(const ccodecs_tiff *tiff, size_t *length);

/// Decodes the next row; 0 where something of it is missing.
int ccodecs_tiff_read_row(ccodecs_tiff *tiff, void *row);

/// libtiff's words for the first error; empty where there was none.
const char *ccodecs_tiff_message(const ccodecs_tiff *tiff);

#endif
