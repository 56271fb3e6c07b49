// Deep pixels with vectors of 16 bytes.
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("ssse3"))), apply_to = function)
#endif
#define BLOCK 4
#include "light_blocks.h"

void deep_simd(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains, const uint8_t *above,
    size_t count, float white) {
    deep_row(target, base, gains, above, count, white);
}
#if defined(__x86_64__)
#pragma clang attribute pop
#endif
