// Deep pixels of one gain plane, in numbers of 16 bits; a file for each set of instructions defines HALVES, the pixels
// of a vector, and may define PRODUCT, the instruction for a rounded product of two vectors, and includes this file.
#ifndef LIGHT_CODES_H
#define LIGHT_CODES_H

#include <string.h>
#include "light.h"

#pragma clang fp contract(off)
// All functions are inlined, so no vector is passed.
#pragma clang diagnostic ignored "-Wpsabi"

typedef int16_t halves __attribute__((vector_size(2 * HALVES)));
typedef int32_t wholes __attribute__((vector_size(4 * HALVES)));
typedef uint32_t pixels_of_row __attribute__((vector_size(4 * HALVES)));
typedef float parts __attribute__((vector_size(4 * HALVES)));

#define INLINE_CODES static inline __attribute__((always_inline))

/// The product of numbers with 15 bits behind the point, rounded.
INLINE_CODES halves product(halves a, halves b) {
#if defined(PRODUCT)
    return (halves)PRODUCT(a, b);
#else
    const wholes exact = __builtin_convertvector(a, wholes) * __builtin_convertvector(b, wholes);
    return __builtin_convertvector(((exact >> 14) + 1) >> 1, halves);
#endif
}

/// Byte `shift`/8 of each pixel, as a number from 0 to 255/256 of 1.
INLINE_CODES halves byte_of(pixels_of_row pixels, int shift) {
    return __builtin_convertvector((wholes)((pixels >> shift) & 255), halves) << 7;
}

/// The factor of encoded light, in parts of twice the largest one.
INLINE_CODES halves factor_of(
    halves alpha, halves code, const struct cpainting_light_curve *curve) {
    const halves none = {0};
    const halves place = (none + curve->start) + product(alpha, none + curve->by_alpha)
        + product(code, none + curve->by_code);
    halves sum = none + curve->powers[4];
    for (int power = 3; power >= 0; power--)
        sum = product(sum, place) + (none + curve->powers[power]);
    return sum;
}

INLINE_CODES pixels_of_row codes_block(
    pixels_of_row base, pixels_of_row codes, const uint8_t *above,
    const struct cpainting_light_curve *curve, float white) {
    const halves none = {0};
    // A byte is a 255th, its number here a 256th.
    const halves alpha = byte_of(codes, 24) + (byte_of(codes, 24) >> 8);
    pixels_of_row result = {0};
    halves factor = none;
    for (int number = 0; number < 3; number++) {
        const int shift = 16 - 8 * number;
        if (number == 0 || !curve->is_gray) {
            const halves code = byte_of(codes, shift);
            factor = factor_of(alpha, code + (code >> 8), curve);
        }
        const halves light = byte_of(base, shift);
        halves value = product(product(light + (light >> 8), factor), none + curve->scale);
        value = __builtin_elementwise_min(value, none + (int16_t)1023);
        value = __builtin_elementwise_max(value, none);
        wholes deep = __builtin_convertvector(value, wholes);
        if (above != NULL) {
            pixels_of_row over;
            memcpy(&over, above, sizeof over);
            const parts rest = 1.0f
                - __builtin_convertvector((wholes)(over >> 24), parts) * (1 / 255.0f);
            const parts own = __builtin_convertvector((wholes)((over >> shift) & 255), parts);
            const parts sum = __builtin_convertvector(deep, parts) * rest + own * white;
            deep = __builtin_convertvector(sum + 0.5f, wholes);
        }
        result |= (pixels_of_row)deep << (10 * number);
    }
    return result;
}

INLINE_CODES void codes_row(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float white) {
    pixels_of_row bases, gains;
    size_t x = 0;
    for (; x + HALVES <= count; x += HALVES) {
        memcpy(&bases, base + 4 * x, sizeof bases);
        memcpy(&gains, codes + 4 * x, sizeof gains);
        const pixels_of_row deep = codes_block(
            bases, gains, above == NULL ? NULL : above + 4 * x, curve, white);
        memcpy(target + 4 * x, &deep, sizeof deep);
    }
    if (x == count) return;
    const size_t rest = 4 * (count - x);
    uint8_t overs[4 * HALVES] = {0};
    bases = gains = (pixels_of_row){0};
    memcpy(&bases, base + 4 * x, rest);
    memcpy(&gains, codes + 4 * x, rest);
    if (above != NULL) memcpy(overs, above + 4 * x, rest);
    const pixels_of_row deep = codes_block(
        bases, gains, above == NULL ? NULL : overs, curve, white);
    memcpy(target + 4 * x, &deep, rest);
}

#endif
