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

/// What offsets in the source are computed with, as in `simd_offsets`.
struct layout {
    __m256i low, high;
};

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
    struct places places, struct layout layout, const int is_wide) {
    __m256i whole = _mm256_srli_epi32(places.rows, UNIT_BITS);
    // A row in the lower half of a number, a column in the upper half.
    __m256i both =
        _mm256_blend_epi16(whole, _mm256_slli_epi32(places.columns, 16 - UNIT_BITS), 0xaa);
    __m256i offsets = _mm256_madd_epi16(both, layout.low);
    if (is_wide)
        offsets = _mm256_add_epi32(
            offsets, _mm256_slli_epi32(_mm256_madd_epi16(whole, layout.high), UNIT_BITS));
    return offsets;
}

/// The offsets of all pixels of a row of a block.
AVX2_INLINE void find_offsets(
    const struct rotated *rotated, const struct patch *patch, struct block_row row,
    struct layout layout, uint32_t *offsets, const int is_wide) {
    for (int32_t column = row.begin; column < row.end; column += GROUP, offsets += GROUP)
        _mm256_store_si256(
            (__m256i *)offsets,
            offsets_of(places_of(rotated, patch, row.row, column), layout, is_wide));
}

/// Orders that repeat the lower halves of numbers four times each: of the first two numbers in each half of a
/// vector, and of the last two.
struct repeats {
    __m256i firsts, seconds;
};

/// Interpolates the eight pixels at `at` and in the rows below.
AVX2_INLINE __m256i eight_pixels(
    const uint32_t *origin, const uint32_t *lower, const uint32_t *at, struct places places,
    struct repeats repeats) {
    __m256i across_shares = _mm256_and_si256(
        _mm256_srli_epi32(places.columns, UNIT_BITS - 7), _mm256_set1_epi32(127));
    __m256i weights = _mm256_add_epi16(
        _mm256_mullo_epi16(across_shares, _mm256_set1_epi32(0xff01)), _mm256_set1_epi32(0x80));
    __m256i shares = _mm256_and_si256(places.rows, _mm256_set1_epi32((1 << UNIT_BITS) - 1));
    __m256i first_weights = _mm256_shuffle_epi8(weights, repeats.firsts);
    __m256i second_weights = _mm256_shuffle_epi8(weights, repeats.seconds);
    // Pixels 0, 1, 4, 5, then 2, 3, 6, 7: packing puts them in order.
    __m256i first = avx2_down(
        across(origin, at, first_weights), across(lower, at, first_weights),
        _mm256_shuffle_epi8(shares, repeats.firsts));
    __m256i second = avx2_down(
        across(origin, at + 2, second_weights), across(lower, at + 2, second_weights),
        _mm256_shuffle_epi8(shares, repeats.seconds));
    return _mm256_packus_epi16(first, second);
}

AVX2_INLINE void paint(
    const struct rotated *rotated, const struct patch *patch, uint8_t *out, ptrdiff_t out_stride,
    const int streams, const int is_wide) {
    const ptrdiff_t stride = rotated->source->stride / 4;
    const struct layout layout = {
        _mm256_set1_epi32((int)(stride & 0x7fff) | 1 << 16),
        _mm256_set1_epi32((int)(stride >> 15))};
    struct repeats repeats = {
        .firsts = _mm256_setr_epi8(
            0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5, 0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4,
            5, 4, 5),
    };
    repeats.seconds = _mm256_add_epi8(repeats.firsts, _mm256_set1_epi8(8));
    // If compilers know the orders, they replace each shuffle by two.
    __asm__("" : "+x"(repeats.firsts), "+x"(repeats.seconds));
    const uint32_t *origin = patch->origin, *lower = origin + stride;
    // Offsets are found a row ahead: a group that waited for its own would take half as long again.
    uint32_t offsets[2][TILE_COLUMNS] __attribute__((aligned(32)));
    struct block_row row = first_block_row(rotated, patch);
    find_offsets(rotated, patch, row, layout, offsets[0], is_wide);
    for (int turn = 0; row.row < patch->height; turn = !turn) {
        struct block_row next = next_block_row(rotated, patch, row);
        if (next.row < patch->height)
            find_offsets(rotated, patch, next, layout, offsets[!turn], is_wide);
        const uint32_t *at = offsets[turn];
        const ptrdiff_t *ahead = patch->ahead[row.row];
        uint8_t *pixel = out + row.row * out_stride + (ptrdiff_t)(row.begin - patch->begin) * 4;
        for (int32_t column = row.begin; column < row.end;
             column += GROUP, at += GROUP, pixel += GROUP * 4) {
            prefetch_places(origin + at[0], ahead);
            __m256i pixels = eight_pixels(
                origin, lower, at, places_of(rotated, patch, row.row, column), repeats);
            if (streams)
                _mm256_stream_si256((__m256i *)pixel, pixels);
            else
                _mm256_store_si256((__m256i *)pixel, pixels);
        }
        row = next;
    }
}

AVX2_TARGET void rotated_paint_avx2(
    const struct rotated *rotated, const struct patch *patch, uint8_t *out, ptrdiff_t stride,
    int streams) {
    // Each call has a loop of its own.
    if (streams && rotated->source->stride < widest_stride)
        paint(rotated, patch, out, stride, 1, 0);
    else if (streams)
        paint(rotated, patch, out, stride, 1, 1);
    else
        paint(rotated, patch, out, stride, 0, 1);
}

#endif
