// Vectors of 32 bytes on x86-64.
#ifndef AVX2_H
#define AVX2_H

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2_TARGET __attribute__((target("avx2")))
#define AVX2_INLINE AVX2_TARGET static inline __attribute__((always_inline))

/// Blends two rows vertically, as `simd_down` does; results are 16 numbers from 0 to 255.
AVX2_INLINE __m256i avx2_down(__m256i upper, __m256i lower, __m256i shares) {
    upper = _mm256_sub_epi16(
        upper, _mm256_mulhrs_epi16(_mm256_sub_epi16(upper, lower), shares));
    return _mm256_mulhrs_epi16(upper, _mm256_set1_epi16(-256));
}

#endif
#endif
