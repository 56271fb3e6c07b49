// Vectors as the compiler has them for any processor.
#include "sharp.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Such vectors are only passed to functions that are always inlined.
#pragma clang diagnostic ignored "-Wpsabi"
#define INLINE static inline __attribute__((always_inline))

#if defined(__SSE2__)

typedef union {
    eight_pairs all;
    __m128i halves[2];
} parts;

/// Adds what the two numbers of each pair make with their weights.
INLINE eight_sums add_products(eight_sums sums, eight_pairs pairs, eight_pairs weights) {
    parts some = {pairs}, others = {weights};
    for (int half = 0; half < 2; half++)
        some.halves[half] = _mm_madd_epi16(some.halves[half], others.halves[half]);
    return sums + (eight_sums)some.all;
}

/// The upper halves of products of numbers of 16 bits without a sign.
INLINE eight_pairs upper_product(eight_pairs some, eight_pairs others) {
    parts these = {some}, those = {others};
    for (int half = 0; half < 2; half++)
        these.halves[half] = _mm_mulhi_epu16(these.halves[half], those.halves[half]);
    return these.all;
}

#else

/// Adds what the two numbers of each pair make with their weights.
INLINE eight_sums add_products(eight_sums sums, eight_pairs pairs, eight_pairs weights) {
    eight_sums some = (eight_sums)pairs, others = (eight_sums)weights;
    return sums + (some << 16 >> 16) * (others << 16 >> 16) + (some >> 16) * (others >> 16);
}

/// The upper halves of products of numbers of 16 bits without a sign.
INLINE eight_pairs upper_product(eight_pairs some, eight_pairs others) {
    eight_pairs lower = (some & 0xffff) * (others & 0xffff);
    eight_pairs upper = (some >> 16) * (others >> 16);
    return lower >> 16 | (upper & 0xffff0000);
}

#endif

/// A number, or the nearest from 0 to 255.
INLINE eight_pairs limited(eight_sums numbers) {
    const eight_sums none = {0}, all = none + 255;
    return (eight_pairs)__builtin_elementwise_min(__builtin_elementwise_max(numbers, none), all);
}

/// Pixels of numbers that are limited to those from 0 to 255.
INLINE eight_pairs opaque_pixels(eight_sums blue, eight_sums green, eight_sums red) {
    return limited(blue) | limited(green) << 8 | limited(red) << 16 | 0xff000000;
}

#include "sharp_tile.h"

int sharp_paint_portable(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, int is_light) {
    return paint(tile, target, stride, top, bottom, flag, is_light);
}
