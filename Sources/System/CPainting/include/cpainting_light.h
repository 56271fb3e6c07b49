// Light that is brighter than white: gains of pixels, and deep pixels.
#ifndef CPAINTING_LIGHT_H
#define CPAINTING_LIGHT_H

#include "cpainting.h"

/// Units of the gains of a row for one stop, which is twice the light.
#define CPAINTING_STOP 1024

/// Gains of a pixel: red, green, blue, and a number without meaning.
struct cpainting_gains {
    int16_t channels[4];
};

/// How codes become gains, in units of 1/CPAINTING_STOP: those of the codes 0 and 255.
struct cpainting_gain_range {
    int16_t least, most;
};

/// Blends gains over those of `count` pixels. `codes` are premultiplied pixels whose colours are the codes of
/// `range`, and whose alpha tells how much of the gains that were there they replace.
void cpainting_gains_over(
    struct cpainting_gains *gains, const uint8_t *codes, size_t count,
    struct cpainting_gain_range range);

/// Makes `count` deep pixels: 10 bits each of red, green and blue, red in the lowest ones, of encoded light whose
/// gamma is 2.2 and whose 1 is `headroom` times white.
///
/// `base` are pixels of which alpha does not count. Their light is multiplied by 2^gain; without `gains` the gain is
/// 0. The premultiplied pixels of `above` are blended over the result, as light up to white; NULL blends nothing.
/// All sets of instructions give the same pixels.
void cpainting_deep(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains,
    const uint8_t *above, size_t count, float headroom, enum cpainting_kernel kernel);

#endif
