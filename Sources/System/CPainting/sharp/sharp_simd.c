// The kernel for SSSE3 and NEON.
#include "sharp_four.h"
#include "simd.h"

#if HAS_SIMD

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("ssse3"))), apply_to = function)

#define PAIR_ORDER 0, 4, 1, 5, 2, 6, 3, 7
#define VECTOR __m128i
#define OPERATION(name) _mm_##name
#define EACH_HALF(vector) (vector)

#include "sharp_x86.h"

#else

// A vector of pairs has all first values in its lower half, and all second values in its upper half:
// there is no instruction that multiplies and adds adjacent values.
#define PAIR_ORDER 0, 1, 2, 3, 4, 5, 6, 7

INLINE sums add_products(sums sum, pairs values, pairs weights) {
    int16x8_t all = (int16x8_t)values;
    int16x4_t both = vget_low_s16((int16x8_t)weights);
    int32x4_t first = vmlal_lane_s16((int32x4_t)sum, vget_low_s16(all), both, 0);
    return (sums)vmlal_high_lane_s16(first, all, both, 1);
}

INLINE pairs rounded_products(pairs first, pairs second) {
    return (pairs)vqrdmulhq_s16((int16x8_t)first, (int16x8_t)second);
}

INLINE void pairs_of_rows(const uint8_t *upper, const uint8_t *lower, pairs out[3]) {
    const uint8x16_t ends = {0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29};
    const uint8x16_t red = {2, 6, 10, 14, 18, 22, 26, 30, 2, 6, 10, 14, 18, 22, 26, 30};
    uint8x16x2_t rows = {{vld1q_u8(upper), vld1q_u8(lower)}};
    uint8x16_t first = vqtbl2q_u8(rows, ends), last = vqtbl2q_u8(rows, red);
    out[0] = (pairs)vmovl_u8(vget_low_u8(first));
    out[1] = (pairs)vmovl_high_u8(first);
    out[2] = (pairs)vmovl_u8(vget_low_u8(last));
}

/// In the order of columns: `arranged` follows.
INLINE pairs pairs_of_sums(sums first, sums second, const int bits) {
    return (pairs)vcombine_s16(
        vmovn_s32((int32x4_t)(first >> bits)), vmovn_s32((int32x4_t)(second >> bits)));
}

INLINE pairs arranged(pairs values) {
    const uint8x16_t order = {0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15};
    return (pairs)vqtbl1q_u8((uint8x16_t)values, order);
}

INLINE pairs opaque_pixels(sums blue, sums green, sums red) {
    const uint8x16_t order = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    int16x8_t first = vqmovn_high_s32(vqmovn_s32((int32x4_t)blue), (int32x4_t)green);
    int16x8_t second = vcombine_s16(vqmovn_s32((int32x4_t)red), vdup_n_s16(255));
    uint8x16_t bytes = vqmovun_high_s16(vqmovun_s16(first), second);
    return (pairs)vqtbl1q_u8(bytes, order);
}

#endif

#include "sharp_tile.h"

int sharp_paint_simd(struct tile *tile, const struct cpainting_refinement *refinement) {
    return paint(tile, refinement);
}

#if defined(__x86_64__)
#pragma clang attribute pop
#endif

#endif
