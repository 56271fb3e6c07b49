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

/// What is the same for all pixels of a patch.
struct constants {
    /// A pixel, and the one below.
    const uint32_t *origin, *lower;
    /// What offsets in the source are computed with, as in `simd_offsets`.
    __m256i low, high;
    /// Orders that repeat the lower halves of numbers four times each: of the first two numbers in each half of a
    /// vector, and of the last two.
    __m256i firsts, seconds;
};

AVX2_INLINE struct constants constants_of(
    const struct rotated *rotated, const struct patch *patch) {
    const ptrdiff_t stride = rotated->source->stride / 4;
    __m256i firsts = _mm256_setr_epi8(
        0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5, 0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4,
        5);
    __m256i seconds = _mm256_add_epi8(firsts, _mm256_set1_epi8(8));
    // If compilers know the orders, they replace each shuffle by two.
    __asm__("" : "+x"(firsts), "+x"(seconds));
    return (struct constants){
        patch->origin, patch->origin + stride,
        _mm256_set1_epi32((int)(stride & 0x7fff) | 1 << 16),
        _mm256_set1_epi32((int)(stride >> 15)), firsts, seconds};
}

/// The positions of eight columns of a row.
struct places {
    __m256i columns, rows;
};

AVX2_INLINE __m256i sums(uint32_t first, const uint32_t *steps) {
    return _mm256_add_epi32(
        _mm256_set1_epi32((int32_t)first), _mm256_load_si256((const __m256i *)steps));
}

AVX2_INLINE struct places places_of(
    const struct rotated *rotated, const struct patch *patch, int32_t row, int32_t column) {
    return (struct places){
        sums(patch->columns[row], rotated->column_steps + column),
        sums(patch->rows[row], rotated->row_steps + column)};
}

/// The offsets in pixels of eight positions.
AVX2_INLINE __m256i offsets_of(
    struct places places, const struct constants *by, const int is_wide) {
    __m256i whole = _mm256_srli_epi32(places.rows, UNIT_BITS);
    // A row in the lower half of a number, a column in the upper half.
    __m256i both =
        _mm256_blend_epi16(whole, _mm256_slli_epi32(places.columns, 16 - UNIT_BITS), 0xaa);
    __m256i offsets = _mm256_madd_epi16(both, by->low);
    if (is_wide)
        offsets = _mm256_add_epi32(
            offsets, _mm256_slli_epi32(_mm256_madd_epi16(whole, by->high), UNIT_BITS));
    return offsets;
}

/// The offsets of all pixels of a row of a block.
AVX2_INLINE void find_offsets(
    const struct rotated *rotated, const struct patch *patch, struct block_row row,
    const struct constants *by, uint32_t *offsets, const int is_wide) {
    for (int32_t column = row.begin; column < row.end; column += GROUP, offsets += GROUP)
        _mm256_store_si256(
            (__m256i *)offsets,
            offsets_of(places_of(rotated, patch, row.row, column), by, is_wide));
}

AVX2_INLINE void paint_group(
    const struct rotated *rotated, const struct patch *patch, int32_t row, int32_t column,
    const struct constants *by, const uint32_t *at, uint8_t *out, const int streams) {
    struct places places = places_of(rotated, patch, row, column);
    __m256i across_shares = _mm256_and_si256(
        _mm256_srli_epi32(places.columns, UNIT_BITS - 7), _mm256_set1_epi32(127));
    __m256i weights = _mm256_add_epi16(
        _mm256_mullo_epi16(across_shares, _mm256_set1_epi32(0xff01)), _mm256_set1_epi32(0x80));
    __m256i shares = _mm256_and_si256(places.rows, _mm256_set1_epi32((1 << UNIT_BITS) - 1));
    __m256i first_weights = _mm256_shuffle_epi8(weights, by->firsts);
    __m256i second_weights = _mm256_shuffle_epi8(weights, by->seconds);
    // Pixels 0, 1, 4, 5, then 2, 3, 6, 7: packing puts them in order.
    __m256i first = avx2_down(
        across(by->origin, at, first_weights), across(by->lower, at, first_weights),
        _mm256_shuffle_epi8(shares, by->firsts));
    __m256i second = avx2_down(
        across(by->origin, at + 2, second_weights), across(by->lower, at + 2, second_weights),
        _mm256_shuffle_epi8(shares, by->seconds));
    __m256i pixels = _mm256_packus_epi16(first, second);
    if (streams)
        _mm256_stream_si256((__m256i *)out, pixels);
    else
        _mm256_store_si256((__m256i *)out, pixels);
}

#define TARGET AVX2_TARGET
#define INLINE_TARGET AVX2_INLINE
#define NAME rotated_paint_avx2
#include "rotated_blocks.h"

#endif
