// Gains of pixels, and deep pixels.
#include "light.h"

#include <math.h>
#include <string.h>
#include "sets.h"

void cpainting_gains_over(
    struct cpainting_gains *gains, const uint8_t *codes, size_t count,
    struct cpainting_gain_range range) {
    const int32_t least = range.least, span = range.most - range.least;
    for (size_t x = 0; x < count; x++) {
        const uint8_t *code = codes + 4 * x;
        const int32_t alpha = code[3];
        if (alpha == 0) continue;
        for (int channel = 0; channel < 3; channel++) {
            // The pixels are blue, green, red.
            const int32_t sum = gains[x].channels[channel] * (255 - alpha) + least * alpha
                + span * code[2 - channel];
            gains[x].channels[channel] = (int16_t)((sum + (sum < 0 ? -127 : 127)) / 255);
        }
    }
}

/// 2^−(1/2.2), the factor of encoded light at half of the light, by which `headroom` scales white.
static float encoded_scale(float headroom) {
    return __builtin_powf(headroom > 1 ? headroom : 1, -1 / 2.2f);
}

enum {
    /// The degree of the polynomial of a curve.
    DEGREE = 4,
    ONE = 32767,
};

/// What sums of 16 bits are multiplied by, so that rounding does not carry them beyond 1.
static const double narrow = 0.995;
/// Bytes count as parts of 256.
static const double byte_scale = 256 / 255.0;

static int16_t fixed(double value) {
    const double scaled = __builtin_floor(value * 32768 + 0.5);
    return (int16_t)(scaled > ONE ? ONE : scaled < -ONE ? -ONE : scaled);
}

/// Fits the powers of a number t from 0 to `narrow` to exp(range · (t / narrow − 1)) / 2, by interpolation at Chebyshev's
/// nodes.
static void fit(double range, double powers[DEGREE + 1]) {
    double rows[DEGREE + 1][DEGREE + 2];
    for (int row = 0; row <= DEGREE; row++) {
        const double node = (1 - cos((2 * row + 1) * M_PI / (2 * DEGREE + 2))) / 2;
        double power = 1;
        for (int column = 0; column <= DEGREE; column++, power *= narrow * node)
            rows[row][column] = power;
        rows[row][DEGREE + 1] = exp(range * (node - 1)) / 2;
    }
    // Elimination needs no pivots: the rows are those of increasing nodes.
    for (int pivot = 0; pivot <= DEGREE; pivot++) {
        for (int row = 0; row <= DEGREE; row++) {
            if (row == pivot) continue;
            const double factor = rows[row][pivot] / rows[pivot][pivot];
            for (int column = pivot; column <= DEGREE + 1; column++)
                rows[row][column] -= factor * rows[pivot][column];
        }
    }
    for (int power = 0; power <= DEGREE; power++)
        powers[power] = rows[power][DEGREE + 1] / rows[power][power];
}

struct cpainting_light_curve cpainting_light_curve_make(
    double least, double most, double headroom, int is_gray) {
    // Without a picture the gain is 0.
    const double low = least < 0 ? least : 0, high = most > 0 ? most : 0;
    const double span = high > low ? high - low : 1;
    double powers[DEGREE + 1];
    fit(span * M_LN2 / 2.2, powers);
    struct cpainting_light_curve curve = {
        fixed(narrow * -low / span), fixed(byte_scale * narrow * least / span),
        fixed(byte_scale * narrow * (most - least) / span), {0}, 0,
        (int16_t)is_gray};
    for (int power = 0; power <= DEGREE; power++) curve.powers[power] = fixed(powers[power]);
    const double scale = exp2((high - log2(headroom > 1 ? headroom : 1)) / 2.2) * 2 * 1023 * byte_scale;
    curve.scale = (int16_t)(scale > ONE ? ONE : scale + 0.5);
    return curve;
}

void cpainting_deep_codes(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float headroom, enum cpainting_kernel kernel) {
    const float white = encoded_scale(headroom) * (1023 / 255.0f);
    switch (supported_set(kernel)) {
#if defined(__x86_64__)
    case CPAINTING_AVX2:
        deep_codes_avx2(target, base, codes, above, count, curve, white);
        break;
#endif
    case CPAINTING_SIMD: deep_codes_simd(target, base, codes, above, count, curve, white); break;
    default: deep_codes_portable(target, base, codes, above, count, curve, white);
    }
}

void cpainting_deep(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains,
    const uint8_t *above, size_t count, float headroom, enum cpainting_kernel kernel) {
    const float white = encoded_scale(headroom) * (1023 / 255.0f);
    switch (supported_set(kernel)) {
#if defined(__x86_64__)
    case CPAINTING_AVX2: deep_avx2(target, base, gains, above, count, white); break;
#endif
    case CPAINTING_SIMD: deep_simd(target, base, gains, above, count, white); break;
    default: deep_portable(target, base, gains, above, count, white);
    }
}
