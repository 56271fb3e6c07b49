// Vectorized resampling of 32-bit pixels with four 8-bit channels of any meaning.
#ifndef CPAINTING_H
#define CPAINTING_H

#include <stddef.h>
#include <stdint.h>

/// A source image. Only pixels within `width` and `height` are read.
struct cpainting_source {
    const uint8_t *pixels;
    /// Bytes from one row to the next.
    ptrdiff_t stride;
    int32_t width, height;
};

/// The mapping of a target axis to a source axis: the centre of target pixel k is at `origin` + (k
/// + 1/2) · `step` source pixels from the edge of the source.
struct cpainting_axis {
    double step, origin;
};

/// How the source columns of target columns follow each other.
struct cpainting_spacing {
    /// Whether the columns that are painted are copies of consecutive source columns.
    int is_copy;
    /// The largest distance of the left source columns of eight target columns, from a multiple of 8
    /// on. INT32_MAX if columns descend.
    int32_t span;
};

/// The filter of target columns from `first` on. Each column has a left source column, and two
/// weights in 1/128 of one byte each: of the left source column, and of the source column to its
/// right.
struct cpainting_columns {
    /// Multiples of 8.
    int32_t first, count;
    const int32_t *left;
    const uint16_t *weights;
    struct cpainting_spacing spacing;
};

/// The set of instructions that kernels use. All sets give the same pixels.
enum cpainting_kernel {
    /// Runs on every processor.
    CPAINTING_PORTABLE = 0,
    /// The fastest set that the processor supports.
    CPAINTING_BEST = 1,
    /// Vectors of 16 bytes: SSSE3 on x86-64, NEON on aarch64.
    CPAINTING_SIMD = 2,
    CPAINTING_AVX2 = 3,
};

/// Whether the processor supports the set. Where it does not, kernels use CPAINTING_PORTABLE.
int cpainting_supports(enum cpainting_kernel kernel);

/// Sets the set that CPAINTING_BEST stands for in this process; CPAINTING_BEST lets the processor decide.
void cpainting_set_best(enum cpainting_kernel kernel);

/// Fills `left` and `weights` with `count` entries for target columns from `first` on, which are
/// multiples of 8. Only the columns from `used` to before `used_end` are painted. Columns outside the
/// source use its outermost pixels. No axis leads outside the source, not even one with NaN.
struct cpainting_spacing cpainting_columns_fill(
    int32_t *left, uint16_t *weights, int32_t first, int32_t count, int32_t used, int32_t used_end,
    struct cpainting_axis axis, int32_t width);

/// Fills `width` × `height` pixels from `target` on with `pixel`. Rows begin at whole pixels.
void cpainting_fill(
    uint8_t *target, ptrdiff_t stride, int32_t width, int32_t height, uint32_t pixel);

/// Blends `count` premultiplied pixels, multiplied by `opacity`/255, over the pixels at `below`,
/// and writes the result to `target`. `is_opaque` says that all of them are opaque, which takes less
/// time. If `target` is not `below`, the stores may bypass the caches; another thread sees them after a
/// fence.
void cpainting_over(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, uint32_t opacity,
    int is_opaque, enum cpainting_kernel kernel);

/// How to blend an image over other pixels.
struct cpainting_blending {
    /// Opacity of the image in 1/255.
    uint32_t opacity;
    /// Whether all pixels of the image are opaque.
    int is_opaque;
    /// For each target row, the row to blend over, from the target's first column on; NULL blends
    /// over the target's pixels.
    const uint8_t *const *below;
};

/// Maps a position in the target to a position in the source, both in pixels from the edges: column
/// `xx` · x + `xy` · y + `x0`, row `yx` · x + `yy` · y + `y0`.
struct cpainting_affine {
    double xx, xy, x0, yx, yy, y0;
};

/// Blends a source at any angle, multiplied by `opacity`/255, over rows `top` to `bottom` and
/// columns `x` to `end` of the target, with bilinear interpolation. Pixels outside the source are
/// transparent. `is_opaque` says that all source pixels are opaque. `target` is the first pixel of
/// row `top`. Paints nothing if adjacent target columns are 2^17 or more source pixels apart, or a NaN.
void cpainting_rotated(
    const struct cpainting_source *source, struct cpainting_affine matrix, int is_opaque,
    uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end, int32_t top, int32_t bottom,
    uint32_t opacity, enum cpainting_kernel kernel);

/// Paints target rows `top` to `bottom` and columns `x` to `end` from `source` with bilinear
/// interpolation. `columns` has all of these columns. If `blending` is NULL, the pixels replace
/// those of the target; with `streams`, they bypass the caches where they can. `target` is the first
/// pixel of row `top`. Returns 0, or -1 without memory, with nothing painted.
int cpainting_bilinear(
    const struct cpainting_source *source, const struct cpainting_columns *columns,
    struct cpainting_axis rows, uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end,
    int32_t top, int32_t bottom, const struct cpainting_blending *blending, int streams,
    enum cpainting_kernel kernel);

/// Enlarges `source` to `width` × `height` pixels from `target` on: each source pixel becomes a
/// block of `side` × `side` equal pixels. The last blocks of a row and of a column are cut off. The
/// rows of both images are whole pixels apart. Sides of 2 to 4 are fast.
void cpainting_enlarge(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *target, ptrdiff_t stride, int32_t side,
    int32_t width, int32_t height);

#include "cpainting_light.h"
#include "cpainting_planar.h"
#include "cpainting_sharp.h"

#endif
