// Weighted means of pixels, for pictures at rest.
#ifndef CPAINTING_SHARP_H
#define CPAINTING_SHARP_H

#include "cpainting.h"

/// What each pixel of one axis of a target is made of: source pixels from `first[k]` on, `taps` of
/// them, with `weights[k · taps]` and so on, which add up to 1. Those outside of the source stand for
/// its outermost pixel.
struct cpainting_taps {
    /// The target pixel that the tables begin with.
    int32_t begin;
    int32_t taps;
    const int32_t *first;
    const float *weights;
};

/// Raises a flag, which any thread may do, and looks at one.
void cpainting_raise(int32_t *flag);
int cpainting_is_raised(const int32_t *flag);

/// Paints opaque target pixels from `x` to `end` and `top` to `bottom` as means of light, or of the
/// numbers as they are. Returns 0; 1 when the flag was raised meanwhile, which is looked at for every 8
/// rows of 96 pixels; -1 without memory.
int cpainting_sharp(
    const struct cpainting_source *source, const struct cpainting_taps *columns,
    const struct cpainting_taps *rows, int is_light, uint8_t *target, ptrdiff_t stride,
    int32_t x, int32_t end, int32_t top, int32_t bottom, const int32_t *flag);

#endif
