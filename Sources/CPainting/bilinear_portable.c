// Vectors as the compiler has them for any processor.
#include "bilinear.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef int16_t shorts4 __attribute__((vector_size(8)));
typedef int16_t shorts8 __attribute__((vector_size(16)));
typedef int32_t ints8 __attribute__((vector_size(32)));

/// (a · weight + 2¹⁴) / 2¹⁵, rounded down.
static inline shorts8 rounded_product(shorts8 a, int16_t weight) {
#if defined(__SSE2__)
    __m128i factor = _mm_set1_epi16(weight);
    __m128i high = _mm_mulhi_epi16((__m128i)a, factor), low = _mm_mullo_epi16((__m128i)a, factor);
    __m128i round = _mm_and_si128(_mm_srli_epi16(low, 14), _mm_set1_epi16(1));
    return (shorts8)_mm_add_epi16(
        _mm_or_si128(_mm_slli_epi16(high, 1), _mm_srli_epi16(low, 15)), round);
#elif defined(__ARM_NEON)
    return (shorts8)vqrdmulhq_n_s16((int16x8_t)a, weight);
#else
    ints8 product = __builtin_convertvector(a, ints8) * weight;
    return __builtin_convertvector((product + 16384) >> 15, shorts8);
#endif
}

static void across(
    const uint8_t *row, ptrdiff_t ahead, int32_t width, const struct cpainting_columns *columns,
    int32_t from, int32_t to, int16_t *out) {
    (void)ahead;
    for (int32_t index = from; index < to; index++) {
        int16_t share = (int16_t)(columns->weights[index] >> 8), rest = (int16_t)(128 - share);
        int32_t left = columns->left[index];
        bytes8 pair;
        // The last column has no neighbour, and then there is no share of it.
        if (left + 1 < width) {
            memcpy(&pair, row + (ptrdiff_t)left * 4, sizeof pair);
        } else {
            memcpy(&pair, row + (ptrdiff_t)left * 4, 4);
            memcpy((char *)&pair + 4, &pair, 4);
        }
        shorts8 weights = {rest, rest, rest, rest, share, share, share, share};
        shorts8 parts = __builtin_convertvector(pair, shorts8) * weights;
        shorts4 value = __builtin_shufflevector(parts, parts, 0, 1, 2, 3)
            + __builtin_shufflevector(parts, parts, 4, 5, 6, 7) - 16384;
        memcpy(out + (ptrdiff_t)index * 4, &value, sizeof value);
    }
}

static void blend(
    const int16_t *upper, const int16_t *lower, int16_t weight, int32_t from, int32_t to,
    uint8_t *out) {
    for (int32_t index = from; index < to; index += 2, out += 8) {
        shorts8 a, b;
        memcpy(&a, upper + (ptrdiff_t)index * 4, sizeof a);
        memcpy(&b, lower + (ptrdiff_t)index * 4, sizeof b);
        shorts8 sum = a + rounded_product(b - a, weight);
        bytes8 pixels = __builtin_convertvector(((sum + 64) >> 7) + 128, bytes8);
        memcpy(out, &pixels, sizeof pixels);
    }
}

static void copy(uint8_t *out, const uint8_t *from, size_t length, ptrdiff_t ahead) {
    (void)ahead;
    memcpy(out, from, length);
}

static void finish(void) {}

const struct bilinear_kernel bilinear_portable = {across, blend, NULL, copy, finish};
