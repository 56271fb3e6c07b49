// Gains of pixels, and deep pixels.
#include "light.h"

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
