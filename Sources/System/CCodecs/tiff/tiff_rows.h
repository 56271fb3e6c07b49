// Conversion of the packed samples of a TIFF row to samples of whole bytes.
#ifndef CCODECS_TIFF_ROWS_H
#define CCODECS_TIFF_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "ccodecs_tiff.h"

enum tiff_kind { TIFF_GRAY, TIFF_PALETTE, TIFF_RGB, TIFF_CMYK, TIFF_LAB };
enum tiff_alpha { TIFF_NO_ALPHA, TIFF_STRAIGHT, TIFF_PREMULTIPLIED };

typedef struct tiff_rows {
    enum tiff_kind kind;
    enum tiff_alpha alpha;
    enum ccodecs_tiff_layout layout;
    /// Bits of a sample.
    int bits;
    int is_float;
    int is_signed;
    /// Whether L*a*b* is coded as in ICC profiles: unsigned.
    int is_icc_lab;
    /// Whether 0 is white.
    int is_inverted;
    /// Samples a pixel in a row of a plane.
    int samples;
    /// Whether each sample has a plane of its own.
    int is_separate;
    /// The palette: red, green and blue of 8 bits.
    uint8_t colors[3][65536];
} tiff_rows;

/// Number of samples of a pixel that are used: colours and alpha.
int tiff_rows_used(const tiff_rows *rows);

/// Converts `width` pixels of one row to `layout`. `planes` has one row, or one row for each used
/// sample.
void tiff_rows_convert(
    const tiff_rows *rows, const uint8_t *const *planes, void *target, size_t width);

#endif
