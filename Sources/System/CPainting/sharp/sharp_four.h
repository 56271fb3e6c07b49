// Vectors of four elements for the kernels that include sharp_tile.h.
#ifndef SHARP_FOUR_H
#define SHARP_FOUR_H

#include "sharp.h"

#define INLINE static inline __attribute__((always_inline))
#define LANES 4

typedef uint32_t pairs __attribute__((vector_size(16)));
typedef uint16_t halves __attribute__((vector_size(16)));
typedef int32_t sums __attribute__((vector_size(16)));
typedef float numbers __attribute__((vector_size(16)));

static const int pair_order[4] = {0, 1, 2, 3};

/// Transposes a 4 × 4 matrix.
INLINE void transpose(pairs v[4]) {
    pairs a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
    pairs b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    pairs c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
    pairs d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

#endif
