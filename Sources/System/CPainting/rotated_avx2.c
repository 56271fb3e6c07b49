#include "avx2.h"
#include "rotated.h"

#if defined(__x86_64__)

/// Two adjacent pixels at each of two addresses.
AVX2_INLINE __m128i pairs(const uint32_t *low, const uint32_t *high) {
    return _mm_castpd_si128(_mm_loadh_pd(
        _mm_castsi128_pd(_mm_loadl_epi64((const __m128i *)low)), (const double *)high));
}

/// Interpolates four pixels with their right neighbours; the results are negated, as in simd.h.
AVX2_INLINE __m256i across(const uint32_t *pixels, const uint32_t *at, __m256i weights) {
    const __m256i order = _mm256_setr_epi8(
        0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13,
        10, 14, 11, 15);
    // Four loads, because a gather instruction takes longer.
    __m256i four = _mm256_inserti128_si256(
        _mm256_castsi128_si256(pairs(pixels + at[0], pixels + at[1])),
        pairs(pixels + at[4], pixels + at[5]), 1);
    return _mm256_maddubs_epi16(_mm256_shuffle_epi8(four, order), weights);
}

AVX2_INLINE void paint(
    const struct rotated *rotated, const struct run *run, uint8_t *out, const int streams,
    const int is_wide) {
    const ptrdiff_t stride = rotated->source->stride / 4;
    int32_t steps[2][GROUP];
    for (int index = 0; index < GROUP; index++) {
        steps[0][index] = (int32_t)(run->column + (uint32_t)rotated->steps[index].column);
        steps[1][index] = (int32_t)(run->row + (uint32_t)rotated->steps[index].row);
    }
    const __m256i column_steps = _mm256_loadu_si256((const __m256i *)steps[0]);
    const __m256i row_steps = _mm256_loadu_si256((const __m256i *)steps[1]);
    // As in `simd_offsets`.
    const __m256i low = _mm256_set1_epi32((int)(stride & 0x7fff) | 1 << 16);
    const __m256i high = _mm256_set1_epi32((int)(stride >> 15));
    const uint32_t *origin = run->origin, *lower = origin + stride;
    const ptrdiff_t *ahead = run->ahead;
    const ptrdiff_t places[PLACES_AHEAD] = {ahead[0], ahead[1], ahead[2], ahead[3]};
    // Orders that repeat the lower halves of numbers four times each: of the first two numbers in each
    // half of the vector, and of the last two. If compilers know the orders, they replace each shuffle
    // by two.
    __m256i firsts = _mm256_setr_epi8(
        0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5, 0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4,
        5);
    __m256i seconds = _mm256_add_epi8(firsts, _mm256_set1_epi8(8));
    __asm__("" : "+x"(firsts), "+x"(seconds));
    const struct place *group = rotated->groups + run->begin;
    for (int32_t count = run->end - run->begin; count > 0; count--, group++, out += GROUP * 4) {
        __m256i columns =
            _mm256_add_epi32(_mm256_set1_epi32((int32_t)group->column), column_steps);
        __m256i rows = _mm256_add_epi32(_mm256_set1_epi32((int32_t)group->row), row_steps);
        __m256i whole = _mm256_srli_epi32(rows, UNIT_BITS);
        __m256i offsets = _mm256_madd_epi16(
            _mm256_or_si256(
                whole, _mm256_slli_epi32(_mm256_srli_epi32(columns, UNIT_BITS), 16)),
            low);
        if (is_wide)
            offsets = _mm256_add_epi32(
                offsets, _mm256_slli_epi32(_mm256_madd_epi16(whole, high), 15));
        uint32_t at[GROUP] __attribute__((aligned(32)));
        _mm256_store_si256((__m256i *)at, offsets);
        // Reading the offsets back takes fewer instructions than extracting them, which compilers
        // would do instead.
        __asm__("" : "+m"(at));
        for (int index = 0; index < PLACES_AHEAD; index++)
            __builtin_prefetch((const uint8_t *)(origin + at[0]) + places[index]);
        __m256i across_shares = _mm256_and_si256(
            _mm256_srli_epi32(columns, UNIT_BITS - 7), _mm256_set1_epi32(127));
        __m256i weights = _mm256_add_epi16(
            _mm256_mullo_epi16(across_shares, _mm256_set1_epi32(0xff01)), _mm256_set1_epi32(0x80));
        __m256i shares = _mm256_and_si256(rows, _mm256_set1_epi32((1 << UNIT_BITS) - 1));
        __m256i first_weights = _mm256_shuffle_epi8(weights, firsts);
        __m256i second_weights = _mm256_shuffle_epi8(weights, seconds);
        // Pixels 0, 1, 4, 5, then 2, 3, 6, 7: packing puts them in order.
        __m256i first = avx2_down(
            across(origin, at, first_weights), across(lower, at, first_weights),
            _mm256_shuffle_epi8(shares, firsts));
        __m256i second = avx2_down(
            across(origin, at + 2, second_weights), across(lower, at + 2, second_weights),
            _mm256_shuffle_epi8(shares, seconds));
        __m256i pixels = _mm256_packus_epi16(first, second);
        if (streams)
            _mm256_stream_si256((__m256i *)out, pixels);
        else
            _mm256_store_si256((__m256i *)out, pixels);
    }
}

AVX2_TARGET void rotated_paint_avx2(
    const struct rotated *rotated, const struct run *run, uint8_t *out, int streams) {
    // Each call has a loop of its own.
    if (streams && rotated->source->stride < widest_stride)
        paint(rotated, run, out, 1, 0);
    else if (streams)
        paint(rotated, run, out, 1, 1);
    else
        paint(rotated, run, out, 0, 1);
}

#endif
