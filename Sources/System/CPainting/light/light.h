// The kernels of deep pixels for each set of instructions.
#ifndef LIGHT_H
#define LIGHT_H

#include "cpainting.h"

/// See cpainting_deep; `white` is the deep value of white divided by 255.
typedef void deep_kernel(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains, const uint8_t *above,
    size_t count, float white);

deep_kernel deep_portable, deep_simd;

/// See cpainting_deep_codes.
typedef void deep_codes_kernel(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float white);

deep_codes_kernel deep_codes_portable, deep_codes_simd;
#if defined(__x86_64__)
deep_kernel deep_avx2;
deep_codes_kernel deep_codes_avx2;
#endif

/// Stops of encoded light for a unit of gain: light is encoded with a gamma of 2.2.
#define STOPS_PER_UNIT (1 / (2.2f * CPAINTING_STOP))

#endif
