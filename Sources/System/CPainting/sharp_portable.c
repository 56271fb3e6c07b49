// The kernel in the compiler's portable vectors.
#include "sharp.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Vectors of this size are passed only to functions that are always inlined, so their calling
// convention does not matter.
#pragma clang diagnostic ignored "-Wpsabi"
#define INLINE static inline __attribute__((always_inline))

#if defined(__SSE2__)

typedef union {
    eight_pairs all;
    __m128i halves[2];
} parts;

/// Adds to each sum the products of the two values of a pair with their weights.
INLINE eight_sums add_products(eight_sums sums, eight_pairs pairs, eight_pairs weights) {
    parts first = {pairs}, second = {weights};
    for (int half = 0; half < 2; half++)
        first.halves[half] = _mm_madd_epi16(first.halves[half], second.halves[half]);
    return sums + (eight_sums)first.all;
}

/// The upper halves of products of unsigned 16-bit values.
INLINE eight_pairs upper_product(eight_pairs first, eight_pairs second) {
    parts a = {first}, b = {second};
    for (int half = 0; half < 2; half++)
        a.halves[half] = _mm_mulhi_epu16(a.halves[half], b.halves[half]);
    return a.all;
}

#else

/// Adds to each sum the products of the two values of a pair with their weights.
INLINE eight_sums add_products(eight_sums sums, eight_pairs pairs, eight_pairs weights) {
    eight_sums first = (eight_sums)pairs, second = (eight_sums)weights;
    return sums + (first << 16 >> 16) * (second << 16 >> 16) + (first >> 16) * (second >> 16);
}

/// The upper halves of products of unsigned 16-bit values.
INLINE eight_pairs upper_product(eight_pairs first, eight_pairs second) {
    eight_pairs lower = (first & 0xffff) * (second & 0xffff);
    eight_pairs upper = (first >> 16) * (second >> 16);
    return lower >> 16 | (upper & 0xffff0000);
}

#endif

/// Values clamped to 0…255.
INLINE eight_pairs limited(eight_sums numbers) {
    const eight_sums none = {0}, all = none + 255;
    return (eight_pairs)__builtin_elementwise_min(__builtin_elementwise_max(numbers, none), all);
}

/// Opaque pixels of values that are clamped to 0…255.
INLINE eight_pairs opaque_pixels(eight_sums blue, eight_sums green, eight_sums red) {
    return limited(blue) | limited(green) << 8 | limited(red) << 16 | 0xff000000;
}

#include "sharp_tile.h"

int sharp_paint_portable(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, int is_linear_light) {
    return paint(tile, target, stride, top, bottom, flag, is_linear_light);
}
