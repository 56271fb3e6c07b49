#include "sharp.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define INLINE static inline __attribute__((always_inline))
#define LANES 8

typedef uint32_t pairs __attribute__((vector_size(32)));
typedef uint16_t halves __attribute__((vector_size(32)));
typedef int32_t sums __attribute__((vector_size(32)));
typedef float numbers __attribute__((vector_size(32)));

#define PAIR_ORDER 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15

static const int pair_order[8] = {0, 1, 4, 5, 2, 3, 6, 7};

#define VECTOR __m256i
#define OPERATION(name) _mm256_##name
#define EACH_HALF(vector) _mm256_broadcastsi128_si256(vector)

#include "sharp_x86.h"

/// Transposes an 8 × 8 matrix.
INLINE void transpose(pairs v[8]) {
    pairs t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            v[i + 2 * j] = __builtin_shufflevector(
                t[i + j], t[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            v[i + 2 * j + 1] = __builtin_shufflevector(
                t[i + j], t[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        t[i] = __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        t[i + 4] = __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (int i = 0; i < 8; i++) v[i] = t[i];
}

#include "sharp_tile.h"

int sharp_paint_avx2(struct tile *tile, const struct cpainting_refinement *refinement) {
    return paint(tile, refinement);
}

#pragma clang attribute pop

#endif
