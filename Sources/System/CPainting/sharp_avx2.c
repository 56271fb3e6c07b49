#include "sharp.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)

#define INLINE static inline __attribute__((always_inline))

/// Adds to each sum the products of the two values of a pair with their weights.
INLINE eight_sums add_products(eight_sums sums, eight_pairs pairs, eight_pairs weights) {
    return sums + (eight_sums)_mm256_madd_epi16((__m256i)pairs, (__m256i)weights);
}

/// The upper halves of products of unsigned 16-bit values.
INLINE eight_pairs upper_product(eight_pairs first, eight_pairs second) {
    return (eight_pairs)_mm256_mulhi_epu16((__m256i)first, (__m256i)second);
}

/// Opaque pixels of values that are clamped to 0…255.
INLINE eight_pairs opaque_pixels(eight_sums blue, eight_sums green, eight_sums red) {
    __m256i order = _mm256_setr_epi8(
        0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
        14, 3, 7, 11, 15);
    __m256i first = _mm256_packs_epi32((__m256i)blue, (__m256i)green);
    __m256i second = _mm256_packs_epi32((__m256i)red, _mm256_set1_epi32(255));
    return (eight_pairs)_mm256_shuffle_epi8(_mm256_packus_epi16(first, second), order);
}

#include "sharp_tile.h"

int sharp_paint_avx2(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, int is_linear_light) {
    return paint(tile, target, stride, top, bottom, flag, is_linear_light);
}

#pragma clang attribute pop

#endif
