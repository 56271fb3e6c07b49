// The interface of the kernels of bilinear interpolation. A source row is first interpolated
// horizontally, which gives 128 · (value − 128) in 16 bits for each channel. Two such rows are then
// blended vertically with a weight in 1/32768. Rounding happens once, at the end.
#ifndef BILINEAR_H
#define BILINEAR_H

#include "cpainting.h"

/// A kernel. Columns count from the first column of `columns`; `from` and `to` are multiples of 8.
/// `ahead` is the distance in bytes to source pixels that are needed soon. With `streams`, stores
/// bypass the caches where they can: a frame is larger than the caches, and is not read soon.
struct bilinear_kernel {
    /// Interpolates a source row horizontally into `out`, 4 values a column, aligned to 32 bytes.
    /// Only `blend` knows the order of the values.
    void (*across)(
        const uint8_t *row, ptrdiff_t ahead, int32_t width, const struct cpainting_columns *columns,
        int32_t from, int32_t to, int16_t *out);
    /// Blends two interpolated rows vertically into pixels; `out` is the pixel of column `from`.
    void (*blend)(
        const int16_t *upper, const int16_t *lower, int16_t weight, int32_t from, int32_t to,
        uint8_t *out, int streams);
    /// Does both steps at once, for source rows that are used once, as in a shrunk image; or NULL.
    void (*both)(
        const uint8_t *upper, const uint8_t *lower, ptrdiff_t ahead, int32_t width,
        const struct cpainting_columns *columns, int16_t weight, int32_t from, int32_t to,
        uint8_t *out, int streams);
    /// Copies `length` bytes, a multiple of 4.
    void (*copy)(uint8_t *out, const uint8_t *from, size_t length, ptrdiff_t ahead);
    /// Makes the stores that bypass the caches visible to other threads.
    void (*fence)(void);
};

extern const struct bilinear_kernel bilinear_portable;
/// For vectors of 16 bytes: SSSE3 or NEON.
extern const struct bilinear_kernel bilinear_simd;
extern const struct bilinear_kernel bilinear_avx2;

#endif
