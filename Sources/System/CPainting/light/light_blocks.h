// The arithmetic of deep pixels; a file for each set of instructions defines BLOCK, the pixels of a vector, and
// includes this file.
//
// The vectors of the compiler have the same arithmetic in all sets: without contraction to fused operations each
// step is rounded alike.
#ifndef LIGHT_BLOCKS_H
#define LIGHT_BLOCKS_H

#include <string.h>
#include "light.h"

#pragma clang fp contract(off)

typedef float floats __attribute__((vector_size(4 * BLOCK)));
typedef int32_t ints __attribute__((vector_size(4 * BLOCK)));
typedef uint32_t words __attribute__((vector_size(4 * BLOCK)));

#define INLINE static inline __attribute__((always_inline))

/// 2^x for x from −100 to 100, with an error of 4 · 10⁻⁶ of the value.
INLINE floats power_of_two(floats x) {
    // Truncation rounds towards 0, so negative numbers are made positive.
    const ints whole = __builtin_convertvector(x + 128.0f, ints) - 128;
    const floats f = x - __builtin_convertvector(whole, floats);
    const floats fraction
        = 1.0f + f * (0.69303212f + f * (0.24137977f + f * (0.05203237f + f * 0.01355574f)));
    ints bits;
    memcpy(&bits, &fraction, sizeof bits);
    bits += whole << 23;
    floats result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/// Byte `shift`/8 of each pixel.
INLINE floats channel(words pixels, int shift) {
    return __builtin_convertvector((ints)((pixels >> shift) & 255), floats);
}

/// Gains of one channel of a block, in stops of encoded light.
INLINE floats gains_of(const struct cpainting_gains *gains, int number) {
    ints values;
    for (int pixel = 0; pixel < BLOCK; pixel++) values[pixel] = gains[pixel].channels[number];
    return __builtin_convertvector(values, floats) * STOPS_PER_UNIT;
}

INLINE words deep_block(
    words base, const struct cpainting_gains *gains, const uint8_t *above, float white) {
    words result = {0};
    words over = {0};
    floats rest = {0};
    if (above != NULL) {
        memcpy(&over, above, sizeof over);
        rest = 1.0f - channel(over, 24) * (1 / 255.0f);
    }
    for (int number = 0; number < 3; number++) {
        // The pixels are 0xAARRGGBB.
        const int shift = 16 - 8 * number;
        floats value = channel(base, shift) * white;
        if (gains != NULL) value *= power_of_two(gains_of(gains, number));
        const floats most = (floats){0} + 1023.0f;
        value = __builtin_elementwise_min(value, most);
        if (above != NULL) value = value * rest + channel(over, shift) * white;
        const ints rounded = __builtin_convertvector(value + 0.5f, ints);
        result |= (words)rounded << (10 * number);
    }
    return result;
}

INLINE void deep_row(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains, const uint8_t *above,
    size_t count, float white) {
    size_t x = 0;
    for (; x + BLOCK <= count; x += BLOCK) {
        words pixels;
        memcpy(&pixels, base + 4 * x, sizeof pixels);
        const words deep = deep_block(
            pixels, gains == NULL ? NULL : gains + x, above == NULL ? NULL : above + 4 * x, white);
        memcpy(target + 4 * x, &deep, sizeof deep);
    }
    if (x == count) return;
    uint8_t bases[4 * BLOCK] = {0}, overs[4 * BLOCK] = {0};
    struct cpainting_gains few[BLOCK] = {0};
    const size_t rest = count - x;
    memcpy(bases, base + 4 * x, 4 * rest);
    if (above != NULL) memcpy(overs, above + 4 * x, 4 * rest);
    if (gains != NULL) memcpy(few, gains + x, sizeof few[0] * rest);
    words pixels;
    memcpy(&pixels, bases, sizeof pixels);
    const words deep = deep_block(
        pixels, gains == NULL ? NULL : few, above == NULL ? NULL : overs, white);
    memcpy(target + 4 * x, &deep, 4 * rest);
}

#endif
