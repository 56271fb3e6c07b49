// Weighted means of pixels, for pictures at rest.
#ifndef CPAINTING_SHARP_H
#define CPAINTING_SHARP_H

#include "cpainting.h"

/// What each pixel of one axis of a target is made of: `pairs` times two source pixels from `first[k]`
/// on, which is even, with the weights from `weights[2 · pairs · k]` on. Source pixels outside stand for
/// the outermost one.
///
/// Weights add up to 2¹⁴, those above nothing to no more than 1.3 times as much.
struct cpainting_taps {
    /// The target pixel that the tables begin with.
    int32_t begin;
    int32_t pairs;
    const int32_t *first;
    const int16_t *weights;
};

/// Raises a flag, which any thread may do, and looks at one.
void cpainting_raise(int32_t *flag);
int cpainting_is_raised(const int32_t *flag);

/// Paints opaque target pixels from `x` to `end` and `top` to `bottom` as means of light, or of the
/// numbers as they are. Returns 0; 1 when the flag was raised meanwhile, which is looked at for every 8
/// rows of 96 pixels; -1 without memory. Kernels differ by a step at most, where one rounds up.
int cpainting_sharp(
    const struct cpainting_source *source, const struct cpainting_taps *columns,
    const struct cpainting_taps *rows, int is_light, uint8_t *target, ptrdiff_t stride,
    int32_t x, int32_t end, int32_t top, int32_t bottom, const int32_t *flag,
    enum cpainting_kernel kernel);

#endif
