// High-quality resampling with a separable filter, for refinement at rest.
#ifndef CPAINTING_SHARP_H
#define CPAINTING_SHARP_H

#include "cpainting.h"

/// The filter of one axis. Entry k of the tables is a weighted sum of 2 · `pairs` source pixels
/// from `first[k]` on, which is even, with the weights from `weights[2 · pairs · k]` on. Source
/// pixels outside the source repeat its outermost pixel.
///
/// The weights of an entry add up to 2¹⁴, and the positive ones to at most 1.3 times as much.
struct cpainting_taps {
    /// The target pixel of entry 0.
    int32_t begin;
    /// At least 3.
    int32_t pairs;
    const int32_t *first;
    const int16_t *weights;
};

/// Raises a flag, and tests a flag. Any thread may raise it.
void cpainting_raise(int32_t *flag);
int cpainting_is_raised(const int32_t *flag);

struct cpainting_planes;

/// The filters of both axes of a plane.
struct cpainting_filter {
    struct cpainting_taps columns, rows;
};

/// The part of a target to refine, and how.
struct cpainting_refinement {
    /// The target's first pixel, and bytes from one row to the next.
    uint8_t *target;
    ptrdiff_t stride;
    /// Target columns `x` to `end` and rows `top` to `bottom` are painted, with opaque pixels.
    int32_t x, end, top, bottom;
    /// Whether the filter works in linear light, otherwise on encoded values.
    int is_linear_light;
    /// Ends the work when it is raised; tested for every 4 or 8 rows of 96 pixels.
    const int32_t *flag;
    enum cpainting_kernel kernel;
};

/// Filters pixels. Returns 0; 1 if the flag was raised meanwhile; -1 without memory.
int cpainting_sharp(
    const struct cpainting_source *source, const struct cpainting_filter *filter,
    const struct cpainting_refinement *refinement);

/// Filters each plane, with filters of its own, and then makes pixels. Only luma is filtered in linear light.
/// Returns as `cpainting_sharp` does.
int cpainting_sharp_planar(
    const struct cpainting_planes *planes, const struct cpainting_filter *luma,
    const struct cpainting_filter *chroma, const struct cpainting_refinement *refinement);

#endif
