// Resampling of pictures with one plane of luma samples and one of chroma samples.
#ifndef CPAINTING_PLANAR_H
#define CPAINTING_PLANAR_H

#include "cpainting.h"

/// A plane of samples. All `stride` bytes of each row may be read.
struct cpainting_plane {
    const uint8_t *samples;
    /// Bytes from one row to the next; a multiple of 64.
    ptrdiff_t stride;
    /// In samples.
    int32_t width, height;
};

/// How samples become red, green and blue, with luma and chroma from −128 to 127:
///
///     luma′ = luma_scale · luma + luma_offset
///     red = luma′ + red · Cr
///     green = luma′ − green_blue · Cb − green_red · Cr
///     blue = luma′ + blue · Cb
///
/// The factors are less than 4, in 1/8192; `luma_scale` is from 1 to 1.17. The offset is in 1/32, and has 128 and a half for rounding in
/// it.
struct cpainting_conversion {
    int16_t luma_scale, luma_offset, red, green_blue, green_red, blue;
};

/// Where the samples of a chroma plane are: a position in the luma plane, in samples from its edge, is at
/// `scale` · position − `edge` in the chroma plane.
struct cpainting_siting {
    double column_scale, column_edge, row_scale, row_edge;
};

/// A picture with luma samples of one byte, and chroma samples of two bytes: Cb and Cr.
struct cpainting_planes {
    struct cpainting_plane luma, chroma;
    struct cpainting_siting siting;
    struct cpainting_conversion conversion;
};

/// The mapping of target columns to columns of both planes, with the weights of interpolation.
struct cpainting_planar_columns;

/// Makes the mapping of `count` target columns from `first` on for a set of instructions. Both are
/// multiples of 8. `axis` maps to columns of luma. Columns outside the picture use its outermost samples.
/// Returns NULL without memory.
struct cpainting_planar_columns *cpainting_planar_columns_create(
    const struct cpainting_planes *planes, struct cpainting_axis axis, int32_t first, int32_t count,
    enum cpainting_kernel kernel);
void cpainting_planar_columns_destroy(struct cpainting_planar_columns *columns);

/// Paints target rows `top` to `bottom` and columns `x` to `end` with bilinear interpolation of each
/// plane. `columns` has all of these columns, and `rows` maps to rows of luma. If `blending` is NULL, the
/// pixels replace those of the target; with `streams`, they bypass the caches where they can, for memory
/// that is larger than the caches and not read soon. `target` is the first pixel of row `top`. Returns 0,
/// or -1 without memory, with nothing painted.
int cpainting_planar(
    const struct cpainting_planes *planes, const struct cpainting_planar_columns *columns,
    struct cpainting_axis rows, uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end,
    int32_t top, int32_t bottom, const struct cpainting_blending *blending, int streams);

/// A picture with its mapping of columns and of rows.
struct cpainting_planar_layer {
    const struct cpainting_planes *planes;
    const struct cpainting_planar_columns *columns;
    struct cpainting_axis rows;
};

/// Paints target rows `top` to `bottom` and columns `x` to `end` from `upper`, multiplied by `opacity`/255,
/// over `lower`. Both have the same conversion, and columns that were created for the same set of
/// instructions and have all of these columns; `opacity` is less than 255. Colours outside RGB are limited
/// after blending. `target` is the first pixel of row `top`. Stores bypass the caches where they can. Returns
/// 0, or -1 without memory, with nothing painted.
int cpainting_planar_fade(
    const struct cpainting_planar_layer *lower, const struct cpainting_planar_layer *upper,
    uint32_t opacity, uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end, int32_t top,
    int32_t bottom);

#endif
