// Resampling of pixels in vector code: 32-bit words of four 8-bit channels, whatever they mean.
#ifndef CPAINTING_H
#define CPAINTING_H

#include <stddef.h>
#include <stdint.h>

/// Pixels of a picture, which are only read, and only those inside of `width` and `height`.
struct cpainting_source {
    const uint8_t *pixels;
    /// Bytes from one row to the next.
    ptrdiff_t stride;
    int32_t width, height;
};

/// Where one axis of a target lies on one of the source: the middle of target pixel k is
/// `origin` + (k + 1/2) · `step` source pixels from the source's border.
struct cpainting_axis {
    double step, origin;
};

/// The columns of a target, from `first` on: for each the source column at its left, and how much of
/// that one and of the one at its right it has, in 1/128: two bytes.
struct cpainting_columns {
    /// A multiple of 8, and so is `count`.
    int32_t first, count;
    const int32_t *left;
    const uint16_t *weights;
    /// Whether each column is one source column, and they follow each other.
    int is_copy;
};

/// Which code does it; all give the same pixels.
enum cpainting_kernel { CPAINTING_PORTABLE = 0, CPAINTING_BEST = 1 };

/// Fills `left` and `weights`, `count` each, for target columns from `first` on, of which those from
/// `used` up to `used_end` count for `is_copy`, which is returned. Columns beyond the source take its
/// outermost pixels; no number leads outside of it, not even one that is none.
int cpainting_columns_fill(
    int32_t *left, uint16_t *weights, int32_t first, int32_t count, int32_t used, int32_t used_end,
    struct cpainting_axis axis, int32_t width);

/// Fills `width` × `height` pixels from `target` on, which begin at whole pixels, with one.
void cpainting_fill(
    uint8_t *target, ptrdiff_t stride, int32_t width, int32_t height, uint32_t pixel);

/// Paints premultiplied pixels, each `opacity`/255 of itself, over those at `below`, `count` of them, into
/// `target`. Where that is not `below` they may go past the caches, and another thread sees them after a
/// fence.
void cpainting_over(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, uint32_t opacity,
    enum cpainting_kernel kernel);

/// How pixels that let something through are laid over others.
struct cpainting_laying {
    /// Of each pixel there is so much, in 1/255.
    uint32_t opacity;
    /// For each row, the row that lies under it, from the target's first column on, and replaces what is
    /// there; NULL: what is there.
    const uint8_t *const *below;
};

/// Takes a target's place to one of the source's, both from their borders: column
/// `xx` · x + `xy` · y + `x0`, row `yx` · x + `yy` · y + `y0`.
struct cpainting_affine {
    double xx, xy, x0, yx, yy, y0;
};

/// Paints a source at any angle, `opacity`/255 of it, over rows `top` to `bottom` and columns `x` to
/// `end` of the target, by bilinear interpolation, with clear pixels around it. `is_opaque` says that
/// all of its pixels are. `target` is the first pixel of row `top`.
void cpainting_turned(
    const struct cpainting_source *source, struct cpainting_affine matrix, int is_opaque,
    uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end, int32_t top, int32_t bottom,
    uint32_t opacity, enum cpainting_kernel kernel);

/// Paints target rows `top` to `bottom` and columns `x` to `end`, which lie in `columns`, from
/// `source` by bilinear interpolation; `laying` is NULL where they replace what is there. `target` is the
/// first pixel of row `top`. Returns 0, or -1 without memory, with nothing painted.
int cpainting_bilinear(
    const struct cpainting_source *source, const struct cpainting_columns *columns,
    struct cpainting_axis rows, uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end,
    int32_t top, int32_t bottom, const struct cpainting_laying *laying,
    enum cpainting_kernel kernel);

/// Fills the target, `width` × `height` pixels from `target` on, with blocks of `side` × `side` pixels,
/// each alike and one pixel of `source`. The last blocks of a row and of a column are cut off. Rows of
/// both are whole pixels apart; a side of 2 to 4 is quick.
void cpainting_enlarge(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *target, ptrdiff_t stride, int32_t side,
    int32_t width, int32_t height);

#include "cpainting_sharp.h"

#endif
