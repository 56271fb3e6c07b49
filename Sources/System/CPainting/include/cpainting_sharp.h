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
    int32_t pairs;
    const int32_t *first;
    const int16_t *weights;
};

/// Raises a flag, and tests a flag. Any thread may raise it.
void cpainting_raise(int32_t *flag);
int cpainting_is_raised(const int32_t *flag);

/// Paints opaque pixels of target columns `x` to `end` and rows `top` to `bottom`. The filter works
/// in linear light if `is_linear_light` is set, otherwise on encoded values. Returns 0; 1 if the flag was
/// raised meanwhile, which is tested for every 4 or 8 rows of 96 pixels; -1 without memory.
int cpainting_sharp(
    const struct cpainting_source *source, const struct cpainting_taps *columns,
    const struct cpainting_taps *rows, int is_linear_light, uint8_t *target, ptrdiff_t stride,
    int32_t x, int32_t end, int32_t top, int32_t bottom, const int32_t *flag,
    enum cpainting_kernel kernel);

#endif
