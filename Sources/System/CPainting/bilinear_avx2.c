// Processes eight pixels at once. Between the two steps the values have the order of the unpack
// instructions: pixels 0, 1, 4, 5, then 2, 3, 6, 7 of each eight.
#include "bilinear.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/// Selects eight of 8 or, if `is_wide`, of 16 consecutive pixels, by index.
AVX2 static inline __m256i pick(const uint8_t *pixels, __m256i indices, int is_wide) {
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

AVX2 static inline struct eight eight_columns(
    const uint8_t *row, int32_t width, int32_t base, int32_t span, __m256i columns,
    __m256i weights) {
    const __m256i middle = _mm256_set1_epi8((char)0x80);
    const __m256i low = _mm256_setr_epi8(
        0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 8, 9, 8, 9, 8, 9, 8, 9, 10, 11, 10, 11, 10,
        11, 10, 11);
    const __m256i high = _mm256_add_epi8(low, _mm256_set1_epi8(4));
    const uint8_t *pixels = row + (ptrdiff_t)base * 4;
    __m256i indices = _mm256_sub_epi32(columns, _mm256_set1_epi32(base));
    __m256i left, right;
    if (span <= 7 && base + 9 <= width) {
        left = pick(pixels, indices, 0);
        right = pick(pixels + 4, indices, 0);
    } else if (span <= 15 && base + 17 <= width) {
        left = pick(pixels, indices, 1);
        right = pick(pixels + 4, indices, 1);
    } else {
        // Far apart, or at the end of the row: gather only the pixels that are needed. The last
        // column has no column to its right; the weight is 0 then.
        __m256i shares = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(weights));
        __m256i is_alone = _mm256_cmpgt_epi32(_mm256_set1_epi32(256), shares);
        __m256i columns_right = _mm256_add_epi32(
            columns, _mm256_add_epi32(_mm256_set1_epi32(1), is_alone));
        left = _mm256_i32gather_epi32((const int *)row, columns, 4);
        right = _mm256_i32gather_epi32((const int *)row, columns_right, 4);
    }
    left = _mm256_xor_si256(left, middle);
    right = _mm256_xor_si256(right, middle);
    return (struct eight){
        _mm256_maddubs_epi16(_mm256_shuffle_epi8(weights, low), _mm256_unpacklo_epi8(left, right)),
        _mm256_maddubs_epi16(
            _mm256_shuffle_epi8(weights, high), _mm256_unpackhi_epi8(left, right))};
}

AVX2 static inline __m256i columns_at(const struct cpainting_columns *columns, int32_t index) {
    return _mm256_loadu_si256((const __m256i *)(columns->left + index));
}

AVX2 static inline __m256i weights_at(const struct cpainting_columns *columns, int32_t index) {
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(columns->weights + index)));
}

AVX2 static void across(
    const uint8_t *row, ptrdiff_t ahead, int32_t width, const struct cpainting_columns *columns,
    int32_t from, int32_t to, int16_t *out) {
    for (int32_t index = from; index < to; index += 8) {
        int32_t base = columns->left[index], span = columns->left[index + 7] - base;
        _mm_prefetch((const char *)row + ahead + (ptrdiff_t)base * 4, _MM_HINT_T1);
        struct eight eight = eight_columns(
            row, width, base, span, columns_at(columns, index), weights_at(columns, index));
        _mm256_store_si256((__m256i *)(out + (ptrdiff_t)index * 4), eight.first);
        _mm256_store_si256((__m256i *)(out + (ptrdiff_t)index * 4 + 16), eight.second);
    }
}

/// Blends two rows vertically; results are from -128 to 127.
AVX2 static inline __m256i mixed(__m256i a, __m256i b, __m256i weight) {
    __m256i sum = _mm256_add_epi16(a, _mm256_mulhrs_epi16(_mm256_sub_epi16(b, a), weight));
    return _mm256_srai_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(64)), 7);
}

AVX2 static inline void write(uint8_t *out, __m256i first, __m256i second, int streams) {
    __m256i pixels =
        _mm256_xor_si256(_mm256_packs_epi16(first, second), _mm256_set1_epi8((char)0x80));
    if (streams)
        _mm256_stream_si256((__m256i *)out, pixels);
    else
        _mm256_storeu_si256((__m256i *)out, pixels);
}

AVX2 static void blend(
    const int16_t *upper, const int16_t *lower, int16_t weight, int32_t from, int32_t to,
    uint8_t *out, int streams) {
    const __m256i share = _mm256_set1_epi16(weight);
    streams = streams && ((uintptr_t)out & 31) == 0;
    for (int32_t index = from; index < to; index += 8, out += 32) {
        const __m256i *a = (const __m256i *)(upper + (ptrdiff_t)index * 4);
        const __m256i *b = (const __m256i *)(lower + (ptrdiff_t)index * 4);
        write(
            out, mixed(_mm256_load_si256(a), _mm256_load_si256(b), share),
            mixed(_mm256_load_si256(a + 1), _mm256_load_si256(b + 1), share), streams);
    }
}

AVX2 static void both(
    const uint8_t *upper, const uint8_t *lower, ptrdiff_t ahead, int32_t width,
    const struct cpainting_columns *columns, int16_t weight, int32_t from, int32_t to,
    uint8_t *out, int streams) {
    const __m256i share = _mm256_set1_epi16(weight);
    streams = streams && ((uintptr_t)out & 31) == 0;
    for (int32_t index = from; index < to; index += 8, out += 32) {
        int32_t base = columns->left[index], span = columns->left[index + 7] - base;
        __m256i left = columns_at(columns, index), weights = weights_at(columns, index);
        _mm_prefetch((const char *)upper + ahead + (ptrdiff_t)base * 4, _MM_HINT_T1);
        _mm_prefetch((const char *)lower + ahead + (ptrdiff_t)base * 4, _MM_HINT_T1);
        struct eight a = eight_columns(upper, width, base, span, left, weights);
        struct eight b = eight_columns(lower, width, base, span, left, weights);
        write(out, mixed(a.first, b.first, share), mixed(a.second, b.second, share), streams);
    }
}

AVX2 static void copy(uint8_t *out, const uint8_t *from, size_t length, ptrdiff_t ahead) {
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

static void finish(void) { _mm_sfence(); }

static const struct bilinear_kernel avx2 = {across, blend, both, copy, finish};

const struct bilinear_kernel *bilinear_best(void) {
    return __builtin_cpu_supports("avx2") ? &avx2 : &bilinear_portable;
}

#else

const struct bilinear_kernel *bilinear_best(void) { return &bilinear_portable; }

#endif
