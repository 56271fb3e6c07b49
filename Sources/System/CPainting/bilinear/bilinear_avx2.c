// Processes eight pixels at once. Between the two steps the values are negated, as in simd.h, and have
// the order of the unpack instructions: pixels 0, 1, 4, 5, then 2, 3, 6, 7 of each eight.
#include "avx2.h"
#include "bilinear.h"

#if defined(__x86_64__)

/// Selects eight of 8 or, if `is_wide`, of 16 consecutive pixels, by index.
AVX2_INLINE __m256i pick(const uint8_t *pixels, __m256i indices, int is_wide) {
    __m256i near = _mm256_permutevar8x32_epi32(
        _mm256_loadu_si256((const __m256i *)pixels), indices);
    if (!is_wide) return near;
    __m256i far = _mm256_permutevar8x32_epi32(
        _mm256_loadu_si256((const __m256i *)(pixels + 32)), indices);
    // Bit 3 of the index becomes the sign bit, which selects the half.
    return _mm256_castps_si256(_mm256_blendv_ps(
        _mm256_castsi256_ps(near), _mm256_castsi256_ps(far),
        _mm256_castsi256_ps(_mm256_slli_epi32(indices, 28))));
}

/// Eight columns of one row, interpolated horizontally.
struct eight {
    __m256i first, second;
};

/// How far the columns of a group are from its first one: up to 7, up to 15, or further, also at the
/// end of a row.
enum reach { NEAR, WIDE, FAR };

/// `columns` are the left columns of the group, and `indices` are the same from the first one on.
AVX2_INLINE struct eight eight_columns(
    const uint8_t *row, int32_t base, __m256i columns, __m256i indices, __m256i weights,
    const enum reach reach) {
    const __m256i low = _mm256_setr_epi8(
        0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 8, 9, 8, 9, 8, 9, 8, 9, 10, 11, 10, 11, 10,
        11, 10, 11);
    const __m256i high = _mm256_add_epi8(low, _mm256_set1_epi8(4));
    const uint8_t *pixels = row + (ptrdiff_t)base * 4;
    __m256i left, right;
    if (reach != FAR) {
        left = pick(pixels, indices, reach == WIDE);
        right = pick(pixels + 4, indices, reach == WIDE);
    } else {
        // Gather only the pixels that are needed. The last column of a row has no column to its
        // right; the weight is 0 then.
        __m256i shares = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(weights));
        __m256i is_alone = _mm256_cmpgt_epi32(_mm256_set1_epi32(256), shares);
        __m256i columns_right = _mm256_add_epi32(
            columns, _mm256_add_epi32(_mm256_set1_epi32(1), is_alone));
        left = _mm256_i32gather_epi32((const int *)row, columns, 4);
        right = _mm256_i32gather_epi32((const int *)row, columns_right, 4);
    }
    __m256i negated = _mm256_sub_epi8(_mm256_setzero_si256(), weights);
    return (struct eight){
        _mm256_maddubs_epi16(_mm256_unpacklo_epi8(left, right), _mm256_shuffle_epi8(negated, low)),
        _mm256_maddubs_epi16(
            _mm256_unpackhi_epi8(left, right), _mm256_shuffle_epi8(negated, high))};
}

AVX2_INLINE __m256i columns_at(const int32_t *left) {
    return _mm256_loadu_si256((const __m256i *)left);
}

/// The reach of the columns of a table, and how many of `count` columns are in groups that the code
/// for this reach may read: it reads up to 17 pixels from the first column of a group on.
struct inner {
    enum reach reach;
    int32_t count;
};

static struct inner inner_of(const int32_t *left, int32_t span, int32_t width, int32_t count) {
    if (span > 15) return (struct inner){FAR, 0};
    int32_t read = span > 7 ? 17 : 9;
    while (count > 0 && left[count - 8] + read > width) count -= 8;
    return (struct inner){span > 7 ? WIDE : NEAR, count};
}

AVX2_INLINE __m256i weights_at(const uint16_t *weights) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)weights));
}

AVX2_INLINE void across_groups(
    const uint8_t *row, ptrdiff_t ahead, const int32_t *left, const uint16_t *weights,
    int32_t count, int16_t *out, const enum reach reach) {
    for (; count > 0; count -= 8, out += 32, left += 8, weights += 8) {
        int32_t base = *left;
        _mm_prefetch((const char *)row + ahead + (ptrdiff_t)base * 4, _MM_HINT_T1);
        __m256i columns = columns_at(left);
        __m256i indices = _mm256_sub_epi32(columns, _mm256_set1_epi32(base));
        struct eight eight =
            eight_columns(row, base, columns, indices, weights_at(weights), reach);
        _mm256_store_si256((__m256i *)out, eight.first);
        _mm256_store_si256((__m256i *)(out + 16), eight.second);
    }
}

AVX2_TARGET static void across(
    const uint8_t *row, ptrdiff_t ahead, int32_t width, const struct cpainting_columns *columns, int32_t from,
    int32_t to, int16_t *out) {
    const int32_t *left = columns->left + from;
    const uint16_t *weights = columns->weights + from;
    struct inner inner = inner_of(left, columns->spacing.span, width, to - from);
    out += (ptrdiff_t)from * 4;
    // Each call has a loop of its own.
    if (inner.reach == NEAR)
        across_groups(row, ahead, left, weights, inner.count, out, NEAR);
    else
        across_groups(row, ahead, left, weights, inner.count, out, WIDE);
    across_groups(
        row, ahead, left + inner.count, weights + inner.count, to - from - inner.count,
        out + (ptrdiff_t)inner.count * 4, FAR);
}

AVX2_INLINE void write(uint8_t *out, __m256i first, __m256i second, const int streams) {
    __m256i pixels = _mm256_packus_epi16(first, second);
    if (streams)
        _mm256_stream_si256((__m256i *)out, pixels);
    else
        _mm256_storeu_si256((__m256i *)out, pixels);
}

AVX2_INLINE void blend_groups(
    const int16_t *upper, const int16_t *lower, __m256i share, int32_t count, uint8_t *out,
    const int streams) {
    for (; count > 0; count -= 8, out += 32, upper += 32, lower += 32) {
        const __m256i *a = (const __m256i *)upper, *b = (const __m256i *)lower;
        write(
            out, avx2_down(_mm256_load_si256(a), _mm256_load_si256(b), share),
            avx2_down(_mm256_load_si256(a + 1), _mm256_load_si256(b + 1), share), streams);
    }
}

AVX2_TARGET static void blend(
    const int16_t *upper, const int16_t *lower, int16_t weight, int32_t from, int32_t to,
    uint8_t *out, int streams) {
    const __m256i share = _mm256_set1_epi16(weight);
    upper += (ptrdiff_t)from * 4;
    lower += (ptrdiff_t)from * 4;
    // Each call has a loop of its own.
    if (streams && ((uintptr_t)out & 31) == 0)
        blend_groups(upper, lower, share, to - from, out, 1);
    else
        blend_groups(upper, lower, share, to - from, out, 0);
}

AVX2_INLINE void both_of_groups(
    const uint8_t *upper, const uint8_t *lower, ptrdiff_t ahead, const int32_t *left,
    const uint16_t *weights, __m256i share, int32_t count, uint8_t *out, const int streams,
    const enum reach reach) {
    for (; count > 0; count -= 8, out += 32, left += 8, weights += 8) {
        int32_t base = *left;
        _mm_prefetch((const char *)upper + ahead + (ptrdiff_t)base * 4, _MM_HINT_T1);
        _mm_prefetch((const char *)lower + ahead + (ptrdiff_t)base * 4, _MM_HINT_T1);
        __m256i columns = columns_at(left), eight = weights_at(weights);
        __m256i indices = _mm256_sub_epi32(columns, _mm256_set1_epi32(base));
        struct eight a = eight_columns(upper, base, columns, indices, eight, reach);
        struct eight b = eight_columns(lower, base, columns, indices, eight, reach);
        write(out, avx2_down(a.first, b.first, share), avx2_down(a.second, b.second, share), streams);
    }
}

AVX2_TARGET static void both(
    const uint8_t *upper, const uint8_t *lower, ptrdiff_t ahead, int32_t width,
    const struct cpainting_columns *columns, int16_t weight, int32_t from, int32_t to, uint8_t *out,
    int streams) {
    const __m256i share = _mm256_set1_epi16(weight);
    const int32_t *left = columns->left + from;
    const uint16_t *weights = columns->weights + from;
    struct inner inner = inner_of(left, columns->spacing.span, width, to - from);
    int32_t count = inner.count;
    streams = streams && ((uintptr_t)out & 31) == 0;
    // Each call has a loop of its own.
    if (inner.reach == NEAR && streams)
        both_of_groups(upper, lower, ahead, left, weights, share, count, out, 1, NEAR);
    else if (inner.reach == NEAR)
        both_of_groups(upper, lower, ahead, left, weights, share, count, out, 0, NEAR);
    else if (streams)
        both_of_groups(upper, lower, ahead, left, weights, share, count, out, 1, WIDE);
    else
        both_of_groups(upper, lower, ahead, left, weights, share, count, out, 0, WIDE);
    both_of_groups(
        upper, lower, ahead, left + count, weights + count, share, to - from - count,
        out + (ptrdiff_t)count * 4, 0, FAR);
}

AVX2_TARGET static void copy(uint8_t *out, const uint8_t *from, size_t length, ptrdiff_t ahead) {
    size_t done = 0;
    for (; done < length && ((uintptr_t)(out + done) & 31) != 0; done += 4)
        *(uint32_t *)(out + done) = *(const uint32_t *)(from + done);
    for (; done + 64 <= length; done += 64) {
        _mm_prefetch((const char *)from + done + ahead, _MM_HINT_T1);
        __m256i first = _mm256_loadu_si256((const __m256i *)(from + done));
        __m256i second = _mm256_loadu_si256((const __m256i *)(from + done + 32));
        _mm256_stream_si256((__m256i *)(out + done), first);
        _mm256_stream_si256((__m256i *)(out + done + 32), second);
    }
    for (; done < length; done += 4)
        *(uint32_t *)(out + done) = *(const uint32_t *)(from + done);
}

static void fence(void) { _mm_sfence(); }

const struct bilinear_kernel bilinear_avx2 = {across, blend, both, copy, fence};

#endif
