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

/// How pixels of codes become factors of encoded light, for pictures of one gain plane. All numbers have 15 bits behind
/// the point, but `scale`.
struct cpainting_light_curve {
    /// A number from 0 to 1 from alpha and the code of a premultiplied pixel: start + by_alpha · alpha + by_code · code.
    int16_t start, by_alpha, by_code;
    /// The factors of the powers of that number, from 0 on; their sum is the factor in parts of twice the largest one.
    int16_t powers[5];
    /// The deep value of white with twice the largest factor.
    int16_t scale;
    /// Whether red, green and blue have the same codes.
    int16_t is_gray;
};

/// The curve for codes from 0 to 255 that stand for gains from `least` to `most` stops, for deep pixels with this
/// headroom. Gains are from −16 to 16.
struct cpainting_light_curve cpainting_light_curve_make(
    double least, double most, double headroom, int is_gray);

/// Makes deep pixels as cpainting_deep does, of a base, the codes of one gain plane, and what lies above.
void cpainting_deep_codes(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float headroom, enum cpainting_kernel kernel);

#endif
