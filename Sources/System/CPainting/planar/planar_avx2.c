// Processes two groups at once, one in each half of a vector: what `planar_simd.c` does for one.
#include "avx2.h"
#include "planar.h"

#if defined(__x86_64__)

AVX2_INLINE __m256i halves(const uint8_t *low, const uint8_t *high) {
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low)),
        _mm_loadu_si128((const __m128i *)high), 1);
}

AVX2_INLINE __m256i loaded(const void *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}

/// Interpolates samples with their right neighbours: 128 · value, negated.
AVX2_INLINE __m256i sums(__m256i samples, const uint8_t *order, const uint8_t *weights) {
    return _mm256_maddubs_epi16(_mm256_shuffle_epi8(samples, loaded(order)), loaded(weights));
}

/// 128 · (value − 128), negated, from results of `sums`.
AVX2_INLINE __m256i centered(__m256i sums) {
    return _mm256_add_epi16(sums, _mm256_set1_epi16(16384));
}

/// Sixteen columns of luma, as `sums` gives them.
AVX2_INLINE __m256i luma_columns(
    const uint8_t *row, const struct planar_parts *parts, ptrdiff_t column) {
    const int32_t *bases = parts->bases + (column >> 3);
    ptrdiff_t at = column * 2;
    return sums(halves(row + bases[0], row + bases[1]), parts->order + at, parts->weights + at);
}

/// Sixteen columns of chroma, as `sums` gives them.
struct chroma {
    __m256i cb, cr;
};

AVX2_INLINE struct chroma chroma_columns(
    const uint8_t *row, const struct planar_parts *parts, ptrdiff_t column) {
    const int32_t *bases = parts->bases + (column >> 2);
    ptrdiff_t at = column * 4;
    // The first four columns of each group, then the last four: Cb, then Cr.
    __m256i first =
        sums(halves(row + bases[0], row + bases[2]), parts->order + at, parts->weights + at);
    at += 32;
    __m256i last =
        sums(halves(row + bases[1], row + bases[3]), parts->order + at, parts->weights + at);
    return (struct chroma){
        _mm256_unpacklo_epi64(first, last), _mm256_unpackhi_epi64(first, last)};
}

AVX2_TARGET static void luma_across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out) {
    const struct planar_parts parts = axis->parts;
    for (ptrdiff_t column = from & ~15; column < to; column += 16) {
        _mm_prefetch((const char *)row + ahead + parts.bases[column >> 3], _MM_HINT_T1);
        _mm256_store_si256(
            (__m256i *)(out + column), centered(luma_columns(row, &parts, column)));
    }
}

/// Values of chroma are kept as sixteen of Cb, then sixteen of Cr: `from` is rounded down to 16 columns
/// wherever they are read.
AVX2_TARGET static void chroma_across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out) {
    const struct planar_parts parts = axis->parts;
    for (ptrdiff_t column = from & ~15; column < to; column += 16) {
        _mm_prefetch((const char *)row + ahead + parts.bases[column >> 2], _MM_HINT_T1);
        struct chroma chroma = chroma_columns(row, &parts, column);
        __m256i *values = (__m256i *)(out + column * 2);
        _mm256_store_si256(values, centered(chroma.cb));
        _mm256_store_si256(values + 1, centered(chroma.cr));
    }
}

/// Blends two rows vertically.
AVX2_INLINE __m256i mixed(__m256i upper, __m256i lower, __m256i weight) {
    return _mm256_sub_epi16(
        upper, _mm256_mulhrs_epi16(_mm256_sub_epi16(upper, lower), weight));
}

AVX2_INLINE struct chroma mixed_chroma(
    struct chroma upper, struct chroma lower, __m256i weight) {
    return (struct chroma){
        mixed(upper.cb, lower.cb, weight), mixed(upper.cr, lower.cr, weight)};
}

/// Sixteen pixels: 0 to 3 and 8 to 11, then 4 to 7 and 12 to 15.
struct sixteen {
    __m256i first, second;
};

/// The numbers of `cpainting_conversion`, each in all lanes. The factors are negated, as the samples are.
struct conversion_of_sixteen {
    __m256i luma_scale, luma_offset, red, green_blue, green_red, blue;
};

AVX2_INLINE struct conversion_of_sixteen conversion_of(const struct cpainting_conversion *by) {
    return (struct conversion_of_sixteen){
        _mm256_set1_epi16((int16_t)-by->luma_scale), _mm256_set1_epi16(by->luma_offset),
        _mm256_set1_epi16((int16_t)-by->red), _mm256_set1_epi16((int16_t)-by->green_blue),
        _mm256_set1_epi16((int16_t)-by->green_red), _mm256_set1_epi16((int16_t)-by->blue)};
}

AVX2_INLINE struct sixteen converted(
    __m256i luma, __m256i cb, __m256i cr, const struct conversion_of_sixteen *by) {
    luma = _mm256_add_epi16(_mm256_mulhrs_epi16(luma, by->luma_scale), by->luma_offset);
    __m256i blue = _mm256_add_epi16(luma, _mm256_mulhrs_epi16(cb, by->blue));
    __m256i red = _mm256_add_epi16(luma, _mm256_mulhrs_epi16(cr, by->red));
    __m256i green = _mm256_sub_epi16(
        _mm256_sub_epi16(luma, _mm256_mulhrs_epi16(cb, by->green_blue)),
        _mm256_mulhrs_epi16(cr, by->green_red));
    __m256i first =
        _mm256_packus_epi16(_mm256_srai_epi16(blue, 5), _mm256_srai_epi16(green, 5));
    __m256i last = _mm256_packus_epi16(_mm256_srai_epi16(red, 5), _mm256_set1_epi16(255));
    // Blue and red, then green and alpha.
    __m256i even = _mm256_unpacklo_epi8(first, last), odd = _mm256_unpackhi_epi8(first, last);
    return (struct sixteen){_mm256_unpacklo_epi8(even, odd), _mm256_unpackhi_epi8(even, odd)};
}

AVX2_INLINE void write(uint8_t *out, __m256i pixels, const int streams) {
    if (streams)
        _mm256_stream_si256((__m256i *)out, pixels);
    else
        _mm256_storeu_si256((__m256i *)out, pixels);
}

/// Samples that need no interpolation: 128 · (value − 128), negated.
AVX2_INLINE __m256i exact(const uint8_t *samples) {
    __m256i values = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)samples));
    return _mm256_sub_epi16(_mm256_set1_epi16(16384), _mm256_slli_epi16(values, 7));
}

AVX2_INLINE struct chroma kept_chroma(const int16_t *values, ptrdiff_t column) {
    values += column * 2;
    return (struct chroma){loaded(values), loaded(values + 16)};
}

/// Interpolated luma and chroma of sixteen columns.
struct values_of_sixteen {
    __m256i luma;
    struct chroma chroma;
};

/// Copies of the rows of a target row: compilers must assume that stores to the target change the originals.
struct rows {
    struct planar_pair luma, chroma;
    struct planar_parts luma_parts, chroma_parts;
    __m256i luma_weight, chroma_weight;
};

AVX2_INLINE struct rows copied_rows(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma) {
    return (struct rows){
        *luma, *chroma, columns->luma.parts, columns->chroma.parts,
        _mm256_set1_epi16(luma->weight), _mm256_set1_epi16(chroma->weight)};
}

AVX2_INLINE struct values_of_sixteen values_at(
    const struct rows *rows, ptrdiff_t column, const enum luma_kind kind, const int keeps_chroma) {
    const struct planar_pair *luma = &rows->luma, *pairs = &rows->chroma;
    struct values_of_sixteen values;
    if (kind == EXACT) {
        _mm_prefetch((const char *)luma->exact + column + luma->ahead, _MM_HINT_T1);
        values.luma = exact(luma->exact + column);
    } else if (kind == KEPT) {
        values.luma = mixed(
            loaded(luma->values[0] + column), loaded(luma->values[1] + column),
            rows->luma_weight);
    } else {
        ptrdiff_t ahead = luma->ahead + rows->luma_parts.bases[column >> 3];
        _mm_prefetch((const char *)luma->samples[0] + ahead, _MM_HINT_T1);
        _mm_prefetch((const char *)luma->samples[1] + ahead, _MM_HINT_T1);
        values.luma = centered(mixed(
            luma_columns(luma->samples[0], &rows->luma_parts, column),
            luma_columns(luma->samples[1], &rows->luma_parts, column), rows->luma_weight));
    }
    if (keeps_chroma) {
        values.chroma = mixed_chroma(
            kept_chroma(pairs->values[0], column), kept_chroma(pairs->values[1], column),
            rows->chroma_weight);
    } else {
        const struct planar_parts *parts = &rows->chroma_parts;
        ptrdiff_t ahead = pairs->ahead + parts->bases[column >> 2];
        _mm_prefetch((const char *)pairs->samples[0] + ahead, _MM_HINT_T1);
        _mm_prefetch((const char *)pairs->samples[1] + ahead, _MM_HINT_T1);
        struct chroma chroma = mixed_chroma(
            chroma_columns(pairs->samples[0], parts, column),
            chroma_columns(pairs->samples[1], parts, column), rows->chroma_weight);
        values.chroma = (struct chroma){centered(chroma.cb), centered(chroma.cr)};
    }
    return values;
}

AVX2_INLINE void blend_groups(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, const struct cpainting_conversion *by,
    const struct planar_values *below, int32_t from, int32_t to, uint8_t *out, const int streams,
    const enum luma_kind kind, const int keeps_chroma) {
    const struct rows rows = copied_rows(columns, luma, chroma);
    const struct conversion_of_sixteen conversion = conversion_of(by);
    const struct planar_values values = below ? *below : (struct planar_values){0};
    const __m256i weight = _mm256_set1_epi16(values.weight);
    int32_t begin = from & ~15;
    out -= (ptrdiff_t)(from - begin) * 4;
    for (ptrdiff_t column = begin; column < to; column += 16, out += 64) {
        struct values_of_sixteen own = values_at(&rows, column, kind, keeps_chroma);
        if (below != NULL) {
            ptrdiff_t index = column - from;
            own.luma = mixed(loaded(values.luma + index), own.luma, weight);
            own.chroma.cb = mixed(loaded(values.cb + index), own.chroma.cb, weight);
            own.chroma.cr = mixed(loaded(values.cr + index), own.chroma.cr, weight);
        }
        struct sixteen pixels = converted(own.luma, own.chroma.cb, own.chroma.cr, &conversion);
        if (column >= from)
            write(out, _mm256_permute2x128_si256(pixels.first, pixels.second, 0x20), streams);
        if (column + 8 < to)
            write(
                out + 32, _mm256_permute2x128_si256(pixels.first, pixels.second, 0x31), streams);
    }
}

AVX2_INLINE void make_groups(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, int32_t from, int32_t to, const struct planar_values *out,
    const enum luma_kind kind, const int keeps_chroma) {
    const struct rows rows = copied_rows(columns, luma, chroma);
    const struct planar_values values = *out;
    for (ptrdiff_t column = from & ~15; column < to; column += 16) {
        struct values_of_sixteen own = values_at(&rows, column, kind, keeps_chroma);
        ptrdiff_t index = column - from;
        _mm256_storeu_si256((__m256i *)(values.luma + index), own.luma);
        _mm256_storeu_si256((__m256i *)(values.cb + index), own.chroma.cb);
        _mm256_storeu_si256((__m256i *)(values.cr + index), own.chroma.cr);
    }
}

#define TARGET AVX2_TARGET
#define INLINE_TARGET AVX2_INLINE
#define ALIGNMENT 32
#include "planar_dispatch.h"

const struct planar_kernel planar_avx2 = {
    luma_across, chroma_across, 1, -1, blend, make_values};

#endif
