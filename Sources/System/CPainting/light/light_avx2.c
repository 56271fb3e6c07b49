// Deep pixels with vectors of 32 bytes.
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define BLOCK 8
#define PRODUCT(a, b) _mm256_mulhrs_epi16((__m256i)(a), (__m256i)(b))
#include "light_blocks.h"
#include "light_codes.h"

void deep_avx2(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains, const uint8_t *above,
    size_t count, float white) {
    deep_row(target, base, gains, above, count, white);
}

void deep_codes_avx2(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float white) {
    codes_rows(target, base, codes, above, count, curve, white);
}
#pragma clang attribute pop
#endif
