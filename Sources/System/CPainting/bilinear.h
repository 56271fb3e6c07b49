// What the kernels of bilinear interpolation share. A source row is first interpolated across, which
// gives for each channel 128 · (value − 128) in 16 bits; two such rows are blended down with a weight
// in 1/32768. Rounding happens once, at the end.
#ifndef BILINEAR_H
#define BILINEAR_H

#include "cpainting.h"

/// One way to do it. Columns are counted from the first of the table, and `from` and `to` are
/// multiples of 8; `ahead` is how many bytes further in the source lies what is wanted soon. With `past`
/// pixels go past the caches where they can: a frame is larger than those, and nobody reads it soon.
struct bilinear_kernel {
    /// Interpolates a source row across into `out`, whose order only `blend` knows: 4 numbers a
    /// column of the table, on a 32-byte border.
    void (*across)(
        const uint8_t *row, ptrdiff_t ahead, int32_t width, const struct cpainting_columns *columns,
        int32_t from, int32_t to, int16_t *out);
    /// Blends two rows down into pixels; `out` is that of column `from`.
    void (*blend)(
        const int16_t *upper, const int16_t *lower, int16_t weight, int32_t from, int32_t to,
        uint8_t *out, int past);
    /// Both in one go, for rows that are wanted once, as where a picture shrinks; or NULL.
    void (*both)(
        const uint8_t *upper, const uint8_t *lower, ptrdiff_t ahead, int32_t width,
        const struct cpainting_columns *columns, int16_t weight, int32_t from, int32_t to,
        uint8_t *out, int past);
    /// Copies bytes, a multiple of 4.
    void (*copy)(uint8_t *out, const uint8_t *from, size_t length, ptrdiff_t ahead);
    /// Makes other threads see all that was written.
    void (*finish)(void);
};

extern const struct bilinear_kernel bilinear_portable;
/// The fastest that the processor has.
const struct bilinear_kernel *bilinear_best(void);

#endif
