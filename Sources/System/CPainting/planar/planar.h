// The interface of the kernels that interpolate planes.
//
// A row of a plane is first interpolated horizontally, which gives 128 · (value − 128) in 16 bits for each
// sample. Two such rows are then blended vertically with a weight in 1/32768. Luma and chroma of that
// precision become pixels. Rounding to bytes happens once, at the end. Between the steps, only the kernel
// knows the order of kept rows, and values have the sign of the kernel.
#ifndef PLANAR_H
#define PLANAR_H

#include "cpainting_planar.h"

/// Columns that are interpolated together.
enum { PLANAR_GROUP = 8 };

/// The columns of a plane for the kernels with vectors.
///
/// A part is a number of columns whose samples are loaded together, as 16 bytes: the luma samples of
/// eight columns, or the chroma samples of four.
struct planar_parts {
    /// Offsets of the bytes to load in a row.
    int32_t *bases;
    /// For each part, 16 places in the loaded bytes, and 16 weights, in the form and the order that the
    /// kernel needs: of the left and the right sample of each column; for chroma, of Cb and of Cr.
    uint8_t *order, *weights;
};

/// The columns of a plane.
struct planar_axis {
    /// For each target column, the sample to its left, and the weight of the next sample in 1/128.
    int32_t *left;
    uint8_t *shares;
    /// The number of the plane's columns.
    int32_t width;
    struct planar_parts parts;
};

struct planar_kernel;

struct cpainting_planar_columns {
    /// Multiples of 8.
    int32_t first, count;
    const struct planar_kernel *kernel;
    enum cpainting_kernel set;
    struct planar_axis luma, chroma;
    /// The number of columns, from the first one on, that are consecutive luma samples without
    /// interpolation. Rows may be read for the whole groups of these columns.
    int32_t exact_count;
    /// All of the arrays.
    void *memory;
};

/// The upper and the lower row of a plane for one target row.
struct planar_pair {
    /// The interpolated rows, of which several target rows are made; NULL if `samples` are to be
    /// interpolated. For each group eight luma values, or eight of Cb and eight of Cr.
    const int16_t *values[2];
    const uint8_t *samples[2];
    /// The luma samples from the first column on, which need no interpolation; NULL otherwise.
    const uint8_t *exact;
    /// Bytes to the samples of one of the next target rows.
    ptrdiff_t ahead;
    /// The weight of the lower row.
    int16_t weight;
};

/// Kernels may read and write so many values before the first column and after the last one.
enum { PLANAR_SLACK = 8 };

/// Interpolated luma and chroma of a row, in the kernel's sign, from a first column on, which is aligned to 16
/// bytes; and the weight in 1/32768 of a picture that is blended over them.
struct planar_values {
    int16_t *luma, *cb, *cr;
    int16_t weight;
};

/// Which part of a `planar_pair` has the luma: interpolated rows, rows of samples, or `exact`.
enum luma_kind { KEPT, SAMPLES, EXACT };

/// A kernel. Columns count from the first one of `columns`; `from` and `to` are multiples of 8. `ahead`
/// is the distance in bytes to samples that are needed soon.
struct planar_kernel {
    /// Interpolate a row of a plane horizontally into `out`, whose first value is that of column 0 and
    /// aligned to 32 bytes. May write up to 8 columns before `from` and after `to`.
    void (*luma_across)(
        const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from,
        int32_t to, int16_t *out);
    void (*chroma_across)(
        const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from,
        int32_t to, int16_t *out);
    /// Whether `blend` takes samples: those of luma, or those of both planes.
    int takes_samples;
    /// The sign of values, 1 or -1.
    int sign;
    /// Blends the rows vertically and makes pixels; `out` is the pixel of column `from`. `below` is NULL, or
    /// has the values from column `from` on, over which the rows are blended first.
    void (*blend)(
        const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
        const struct planar_pair *chroma, const struct cpainting_conversion *conversion,
        const struct planar_values *below, int32_t from, int32_t to, uint8_t *out, int streams);
    /// Blends the rows vertically; `out` is for the values from column `from` on.
    void (*make_values)(
        const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
        const struct planar_pair *chroma, int32_t from, int32_t to,
        const struct planar_values *out);
};

extern const struct planar_kernel planar_portable;
/// For vectors of 16 bytes: SSSE3 or NEON.
extern const struct planar_kernel planar_simd;
extern const struct planar_kernel planar_avx2;

/// Sets the places and weights of a part's samples: of eight columns of luma, whose left samples are at
/// `lefts` in the loaded bytes, or of four columns of Cb, and then of Cr.
void planar_simd_set_part(
    uint8_t *order, uint8_t *weights, const uint8_t *lefts, const uint8_t *shares, int is_chroma);

#endif
