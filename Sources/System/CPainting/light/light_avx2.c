// Deep pixels with vectors of 32 bytes.
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define BLOCK 8
#include "light_blocks.h"

void deep_avx2(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains, const uint8_t *above,
    size_t count, float white) {
    deep_row(target, base, gains, above, count, white);
}
#pragma clang attribute pop
#endif
