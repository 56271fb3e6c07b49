// Positions of target pixels in a source.
#ifndef POSITIONS_H
#define POSITIONS_H

#include "cpainting.h"

// Positions are the same on every processor: no product is added without rounding.
#pragma clang fp contract(off)

/// The centre of target pixel `index` from the centre of the first source pixel, clamped to the
/// source, as a fixed-point number with `units` units a source pixel.
static inline int64_t position_on(
    struct cpainting_axis axis, int32_t index, int32_t length, double units) {
    // Computed from the axis for each pixel: no error accumulates over a wide frame, and a pixel
    // does not depend on where painting begins.
    double place = (axis.origin + (index + 0.5) * axis.step - 0.5) * units + 0.5;
    double last = (length - 1) * units;
    // NaN is not greater either.
    if (!(place > 0)) return 0;
    return place < last ? (int64_t)place : (int64_t)last;
}

/// The position of a target row in the source: two source rows, and the weight of the lower one in
/// 1/32768.
struct row_place {
    int64_t upper, lower;
    int16_t weight;
};

static inline struct row_place row_place_on(
    struct cpainting_axis rows, int32_t y, int32_t height) {
    int64_t place = position_on(rows, y, height, 32768);
    int16_t weight = (int16_t)(place & 32767);
    // The last row has no row below it; the weight is 0 then.
    return (struct row_place){place >> 15, (place >> 15) + (weight != 0), weight};
}

#endif
