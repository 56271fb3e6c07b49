// Deep pixels of one gain plane, in numbers of 16 bits; a file for each set of instructions defines BLOCK, the pixels of
// a vector, and may define PRODUCT, the instruction for a rounded product of two vectors, and includes this file.
//
// A word of a pixel holds two numbers: blue and red, or green and alpha. So no pixel is taken apart.
#ifndef LIGHT_CODES_H
#define LIGHT_CODES_H

#include "light_blocks.h"

typedef int16_t halves __attribute__((vector_size(4 * BLOCK)));

/// The product of numbers with 15 bits behind the point, rounded.
INLINE halves product(halves a, halves b) {
#if defined(PRODUCT)
    return (halves)PRODUCT(a, b);
#else
    halves result;
    for (int index = 0; index < 2 * BLOCK; index++)
        result[index] = (int16_t)(((a[index] * b[index] >> 14) + 1) >> 1);
    return result;
#endif
}

/// Bytes 0 and 2 of each pixel, as numbers from 0 to 255/256 of 1.
INLINE halves even_bytes(words pixels) { return (halves)((pixels & 0x00FF00FF) << 7); }

/// The factor of encoded light, in parts of twice the largest one.
INLINE halves factor_of(
    halves ground, halves codes, const struct cpainting_light_curve *curve) {
    const halves none = {0};
    const halves place = ground + product(codes, none + curve->by_code);
    halves sum = none + curve->powers[4];
    for (int power = 3; power >= 0; power--)
        sum = product(sum, place) + (none + curve->powers[power]);
    return sum;
}

/// Two numbers of the deep pixels.
INLINE halves deep_values(halves base, halves factor, const struct cpainting_light_curve *curve) {
    const halves none = {0};
    const halves value = product(product(base, factor), none + curve->scale);
    return __builtin_elementwise_max(
        __builtin_elementwise_min(value, none + (int16_t)1023), none);
}

INLINE words codes_block(
    words base, words codes, const struct cpainting_light_curve *curve, int is_gray,
    int has_ground) {
    halves ground = (halves){0} + curve->start;
    if (has_ground) {
        const words alpha = codes >> 24;
        ground += product(
            (halves)((alpha | alpha << 16) << 7), (halves){0} + curve->by_alpha);
    }
    const halves factor = factor_of(ground, even_bytes(codes), curve);
    const halves green = is_gray ? factor : factor_of(ground, even_bytes(codes >> 8), curve);
    const words ends = (words)deep_values(even_bytes(base), factor, curve);
    const words middle = (words)deep_values((halves)((base >> 8 & 255) << 7), green, curve);
    // Blue is in the lower half of a word, and red in the upper one.
    return ends >> 16 | middle << 10 | ends << 20;
}

/// Blends premultiplied pixels over deep ones.
INLINE words deep_over(words deep, words over, float white) {
    const floats rest = 1.0f - channel(over, 24) * (1 / 255.0f);
    words result = {0};
    for (int number = 0; number < 3; number++) {
        const floats below
            = __builtin_convertvector((ints)((deep >> (10 * number)) & 1023), floats);
        const floats sum = below * rest + channel(over, 16 - 8 * number) * white;
        result |= (words)__builtin_convertvector(sum + 0.5f, ints) << (10 * number);
    }
    return result;
}

INLINE void codes_row(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float white, int is_gray, int has_ground) {
    for (size_t x = 0; x < count; x += BLOCK) {
        const size_t bytes = 4 * (count - x < BLOCK ? count - x : BLOCK);
        words bases = {0}, gains = {0}, overs = {0};
        if (bytes == sizeof bases) {
            memcpy(&bases, base + 4 * x, sizeof bases);
            memcpy(&gains, codes + 4 * x, sizeof gains);
        } else {
            memcpy(&bases, base + 4 * x, bytes);
            memcpy(&gains, codes + 4 * x, bytes);
        }
        words deep = codes_block(bases, gains, curve, is_gray, has_ground);
        if (above != NULL) {
            memcpy(&overs, above + 4 * x, bytes);
            deep = deep_over(deep, overs, white);
        }
        if (bytes == sizeof deep)
            memcpy(target + 4 * x, &deep, sizeof deep);
        else
            memcpy(target + 4 * x, &deep, bytes);
    }
}

/// A loop of its own for each kind of curve.
INLINE void codes_rows(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float white) {
    const int has_ground = curve->by_alpha != 0;
    if (above != NULL)
        codes_row(target, base, codes, above, count, curve, white, curve->is_gray, has_ground);
    else if (curve->is_gray && !has_ground)
        codes_row(target, base, codes, NULL, count, curve, white, 1, 0);
    else if (curve->is_gray)
        codes_row(target, base, codes, NULL, count, curve, white, 1, 1);
    else if (!has_ground)
        codes_row(target, base, codes, NULL, count, curve, white, 0, 0);
    else
        codes_row(target, base, codes, NULL, count, curve, white, 0, 1);
}

#endif
