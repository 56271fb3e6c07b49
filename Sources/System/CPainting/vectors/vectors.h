// Pixel arithmetic in the compiler's portable vectors.
#ifndef VECTORS_H
#define VECTORS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef int16_t shorts4 __attribute__((vector_size(8)));
typedef int16_t shorts8 __attribute__((vector_size(16)));
typedef int32_t ints8 __attribute__((vector_size(32)));

/// (a · weight + 2¹⁴) / 2¹⁵, rounded down.
static inline shorts8 rounded_product(shorts8 a, shorts8 weight) {
#if defined(__SSE2__)
    __m128i factor = (__m128i)weight;
    __m128i high = _mm_mulhi_epi16((__m128i)a, factor), low = _mm_mullo_epi16((__m128i)a, factor);
    __m128i round = _mm_and_si128(_mm_srli_epi16(low, 14), _mm_set1_epi16(1));
    return (shorts8)_mm_add_epi16(
        _mm_or_si128(_mm_slli_epi16(high, 1), _mm_srli_epi16(low, 15)), round);
#elif defined(__ARM_NEON)
    return (shorts8)vqrdmulhq_s16((int16x8_t)a, (int16x8_t)weight);
#else
    ints8 product = __builtin_convertvector(a, ints8) * __builtin_convertvector(weight, ints8);
    return __builtin_convertvector((product + 16384) >> 15, shorts8);
#endif
}

/// Interpolates two adjacent pixels horizontally. The right one has the weight `share`/128. Results
/// are from -16384 to 16256.
static inline shorts4 mixed_across(bytes8 pair, int16_t share) {
    int16_t left_share = (int16_t)(128 - share);
    shorts8 weights = {left_share, left_share, left_share, left_share, share, share, share, share};
    shorts8 parts = __builtin_convertvector(pair, shorts8) * weights;
    return __builtin_shufflevector(parts, parts, 0, 1, 2, 3)
        + __builtin_shufflevector(parts, parts, 4, 5, 6, 7) - 16384;
}

/// Interpolates two pixels vertically with the two pixels below them, which have the weight
/// `weight`/32768.
static inline bytes8 mixed_down(shorts8 upper, shorts8 lower, shorts8 weight) {
    shorts8 sum = upper + rounded_product(lower - upper, weight);
    return __builtin_convertvector(((sum + 64) >> 7) + 128, bytes8);
}

#endif
