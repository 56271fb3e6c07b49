// Deep pixels with vectors of 16 bytes.
#if defined(__x86_64__)
#include <tmmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("ssse3"))), apply_to = function)
#endif
#define BLOCK 4
#if defined(__x86_64__)
#define PRODUCT(a, b) _mm_mulhrs_epi16((__m128i)(a), (__m128i)(b))
#elif defined(__aarch64__)
#define PRODUCT(a, b) vqrdmulhq_s16((int16x8_t)(a), (int16x8_t)(b))
#endif
#include "light_blocks.h"
#include "light_codes.h"

void deep_simd(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains, const uint8_t *above,
    size_t count, float white) {
    deep_row(target, base, gains, above, count, white);
}

void deep_codes_simd(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float white) {
    codes_rows(target, base, codes, above, count, curve, white);
}
#if defined(__x86_64__)
#pragma clang attribute pop
#endif
