// From a TIFF's samples, as they are packed in a row, to samples of whole bytes.
#ifndef CCODECS_TIFF_ROWS_H
#define CCODECS_TIFF_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "include/ccodecs_tiff.h"

enum tiff_kind { TIFF_GRAY, TIFF_PALETTE, TIFF_RGB, TIFF_CMYK, TIFF_LAB };
enum tiff_alpha { TIFF_NO_ALPHA, TIFF_STRAIGHT, TIFF_PREMULTIPLIED };

typedef struct tiff_rows {
    enum tiff_kind kind;
    enum tiff_alpha alpha;
    enum ccodecs_tiff_layout layout;
    /// Of a sample.
    int bits;
    int is_float;
    int is_signed;
    /// Whether L*a*b* is as ICC profiles have it: without signs.
    int is_icc_lab;
    /// Whether 0 is white.
    int is_inverted;
    /// Samples of a pixel in each plane's row.
    int samples;
    /// Whether each sample has a plane of its own.
    int is_separate;
    /// For palettes: 8 bits each.
    uint8_t colors[3][65536];
} tiff_rows;

/// How many samples of a pixel count: its colours and its alpha.
int tiff_rows_used(const tiff_rows *rows);

/// Converts `width` pixels of one row; `planes` has one row, or one for each sample that counts.
void tiff_rows_convert(
    const tiff_rows *rows, const uint8_t *const *planes, void *target, size_t width);

#endif
