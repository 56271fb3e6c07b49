// The kernel in the compiler's portable vectors.
#include "sharp_four.h"
#include "vectors.h"

#define PAIR_ORDER 0, 4, 1, 5, 2, 6, 3, 7

INLINE sums add_products(sums sum, pairs values, pairs weights) {
#if defined(__SSE2__)
    return sum + (sums)_mm_madd_epi16((__m128i)values, (__m128i)weights);
#else
    sums first = (sums)values, second = (sums)weights;
    return sum + (first << 16 >> 16) * (second << 16 >> 16) + (first >> 16) * (second >> 16);
#endif
}

INLINE pairs rounded_products(pairs first, pairs second) {
    return (pairs)rounded_product((shorts8)first, (shorts8)second);
}

INLINE void pairs_of_rows(const uint8_t *upper, const uint8_t *lower, pairs out[3]) {
    pairs u, l;
    memcpy(&u, upper, sizeof u);
    memcpy(&l, lower, sizeof l);
    for (int channel = 0; channel < 3; channel++)
        out[channel] = (u >> 8 * channel & 255) | (l >> 8 * channel & 255) << 16;
}

INLINE pairs pairs_of_sums(sums first, sums second, const int bits) {
    pairs a = (pairs)(first >> bits), b = (pairs)(second >> bits);
    pairs even = __builtin_shufflevector(a, b, 0, 2, 4, 6);
    pairs odd = __builtin_shufflevector(a, b, 1, 3, 5, 7);
    return (even & 0xffff) | odd << 16;
}

INLINE pairs arranged(pairs values) { return values; }

INLINE pairs limited(sums values) {
    const sums none = {0}, all = none + 255;
    return (pairs)__builtin_elementwise_min(__builtin_elementwise_max(values, none), all);
}

INLINE pairs opaque_pixels(sums blue, sums green, sums red) {
    return limited(blue) | limited(green) << 8 | limited(red) << 16 | 0xff000000;
}

#include "sharp_tile.h"

int sharp_paint_portable(struct tile *tile, const struct cpainting_refinement *refinement) {
    return paint(tile, refinement);
}
