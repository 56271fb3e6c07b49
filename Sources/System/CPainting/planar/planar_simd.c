// The kernel for vectors of 16 bytes.
#include "planar.h"
#include "planar_simd.h"

#if HAS_SIMD

/// Sets the place and weight of a sample and of its right neighbour, as number `index` of eight.
static void set_pair(
    uint8_t *order, uint8_t *weights, int index, uint8_t left, uint8_t right, uint8_t share) {
#if defined(__x86_64__)
    // Pairs; the weights are negated, as in simd.h.
    order[index * 2] = left;
    order[index * 2 + 1] = right;
    weights[index * 2] = (uint8_t)(share - 128);
    weights[index * 2 + 1] = (uint8_t)-share;
#else
    // All left ones, then all right ones.
    order[index] = left;
    order[PLANAR_GROUP + index] = right;
    weights[index] = (uint8_t)(128 - share);
    weights[PLANAR_GROUP + index] = share;
#endif
}

void planar_simd_set_part(
    uint8_t *order, uint8_t *weights, const uint8_t *lefts, const uint8_t *shares, int is_chroma) {
    int planes = is_chroma ? 2 : 1, count = PLANAR_GROUP / planes;
    for (int index = 0; index < PLANAR_GROUP; index++) {
        uint8_t share = shares[index % count];
        uint8_t left = (uint8_t)(lefts[index % count] + index / count);
        // The last sample of a row has no right neighbour; its weight is 0 then.
        uint8_t right = (uint8_t)(share ? left + planes : left);
        set_pair(order, weights, index, left, right, share);
    }
}

enum {
    /// Columns of which the samples are prefetched at once: a line of the caches serves several groups.
    PREFETCHED = 64,
    /// The bytes of a line.
    LINE = 64,
    /// The lines that the samples of so many columns take at most: a part takes 16 bytes.
    LUMA_LINES = PREFETCHED / 8 * 16 / LINE,
    CHROMA_LINES = PREFETCHED / 4 * 16 / LINE,
};

/// The end of the columns whose samples are prefetched with those of `column`.
SIMD_INLINE ptrdiff_t end_of_prefetched(ptrdiff_t column, ptrdiff_t to) {
    return to - column > PREFETCHED ? column + PREFETCHED : to;
}

/// Prefetches into the second-level cache.
SIMD_INLINE void prefetch(const uint8_t *samples, const int lines) {
    for (int line = 0; line < lines; line++) __builtin_prefetch(samples + line * LINE, 0, 2);
}

/// Copies of the rows of a target row: compilers must assume that stores to the target change the originals.
struct rows {
    struct planar_pair luma, chroma;
    struct planar_parts luma_parts, chroma_parts;
    simd_shorts luma_weight, chroma_weight;
};

SIMD_INLINE struct rows copied_rows(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma) {
    return (struct rows){
        *luma, *chroma, columns->luma.parts, columns->chroma.parts, repeated(luma->weight),
        repeated(chroma->weight)};
}

/// Prefetches the samples of the next target rows that `values_at` reads from `column` on.
SIMD_INLINE void prefetch_rows(
    const struct rows *rows, ptrdiff_t column, const enum luma_kind kind, const int keeps_chroma) {
    const struct planar_pair *luma = &rows->luma, *chroma = &rows->chroma;
    if (kind == EXACT) prefetch(luma->exact + column + luma->ahead, LUMA_LINES);
    for (int row = 0; row < 2; row++) {
        if (kind == SAMPLES)
            prefetch(
                luma->samples[row] + rows->luma_parts.bases[column >> 3] + luma->ahead,
                LUMA_LINES);
        if (!keeps_chroma)
            prefetch(
                chroma->samples[row] + rows->chroma_parts.bases[column >> 2] + chroma->ahead,
                CHROMA_LINES);
    }
}

/// Eight columns of luma, as `simd_sums` gives them.
SIMD_INLINE simd_shorts luma_columns(
    const uint8_t *row, const struct planar_parts *parts, ptrdiff_t column) {
    ptrdiff_t at = column * 2;
    return simd_sums(
        simd_load(row + parts->bases[column >> 3]), simd_load_aligned(parts->order + at),
        simd_load_aligned(parts->weights + at));
}

/// Eight columns of chroma, as `simd_sums` gives them.
struct chroma {
    simd_shorts cb, cr;
};

SIMD_INLINE struct chroma chroma_columns(
    const uint8_t *row, const struct planar_parts *parts, ptrdiff_t column) {
    simd_bytes four[2];
    const int32_t *bases = parts->bases + (column >> 3) * 2;
    for (int half = 0; half < 2; half++, column += 4) {
        ptrdiff_t at = column * 4;
        four[half] = (simd_bytes)simd_sums(
            simd_load(row + bases[half]), simd_load_aligned(parts->order + at),
            simd_load_aligned(parts->weights + at));
    }
    return (struct chroma){
        (simd_shorts)simd_lower_halves(four[0], four[1]),
        (simd_shorts)simd_upper_halves(four[0], four[1])};
}

SIMD_TARGET static void luma_across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out) {
    const struct planar_parts parts = axis->parts;
    for (ptrdiff_t column = from; column < to;) {
        ptrdiff_t end = end_of_prefetched(column, to);
        prefetch(row + parts.bases[column >> 3] + ahead, LUMA_LINES);
        for (; column < end; column += PLANAR_GROUP) {
            simd_shorts values = simd_centered(luma_columns(row, &parts, column));
            simd_store(out + column, (simd_bytes)values);
        }
    }
}

SIMD_TARGET static void chroma_across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out) {
    const struct planar_parts parts = axis->parts;
    for (ptrdiff_t column = from; column < to;) {
        ptrdiff_t end = end_of_prefetched(column, to);
        prefetch(row + parts.bases[column >> 2] + ahead, CHROMA_LINES);
        for (; column < end; column += PLANAR_GROUP) {
            struct chroma chroma = chroma_columns(row, &parts, column);
            int16_t *values = out + column * 2;
            simd_store(values, (simd_bytes)simd_centered(chroma.cb));
            simd_store(values + PLANAR_GROUP, (simd_bytes)simd_centered(chroma.cr));
        }
    }
}

SIMD_INLINE simd_shorts value_at(const int16_t *values) {
    return (simd_shorts)simd_load_aligned(values);
}

/// Interpolated luma and chroma of eight columns.
struct values_of_eight {
    simd_shorts luma;
    struct chroma chroma;
};

SIMD_INLINE struct values_of_eight values_at(
    const struct rows *rows, ptrdiff_t column, const enum luma_kind kind, const int keeps_chroma) {
    const struct planar_pair *luma = &rows->luma, *pairs = &rows->chroma;
    struct values_of_eight values;
    if (kind == EXACT) {
        values.luma = simd_exact(luma->exact + column);
    } else if (kind == KEPT) {
        values.luma = simd_mixed(
            value_at(luma->values[0] + column), value_at(luma->values[1] + column),
            rows->luma_weight);
    } else {
        values.luma = simd_centered(simd_mixed(
            luma_columns(luma->samples[0], &rows->luma_parts, column),
            luma_columns(luma->samples[1], &rows->luma_parts, column), rows->luma_weight));
    }
    simd_shorts weight = rows->chroma_weight;
    if (keeps_chroma) {
        ptrdiff_t at = column * 2;
        const int16_t *upper = pairs->values[0] + at, *lower = pairs->values[1] + at;
        values.chroma = (struct chroma){
            simd_mixed(value_at(upper), value_at(lower), weight),
            simd_mixed(value_at(upper + PLANAR_GROUP), value_at(lower + PLANAR_GROUP), weight)};
    } else {
        struct chroma upper = chroma_columns(pairs->samples[0], &rows->chroma_parts, column);
        struct chroma lower = chroma_columns(pairs->samples[1], &rows->chroma_parts, column);
        values.chroma = (struct chroma){
            simd_centered(simd_mixed(upper.cb, lower.cb, weight)),
            simd_centered(simd_mixed(upper.cr, lower.cr, weight))};
    }
    return values;
}

SIMD_INLINE void blend_groups(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, const struct cpainting_conversion *by,
    const struct planar_values *below, int32_t from, int32_t to, uint8_t *out, const int streams,
    const enum luma_kind kind, const int keeps_chroma) {
    const struct rows rows = copied_rows(columns, luma, chroma);
    const struct conversion conversion = constants_of(by);
    const struct planar_values values = below ? *below : (struct planar_values){0};
    const simd_shorts weight = repeated(values.weight);
    for (ptrdiff_t column = from; column < to;) {
        ptrdiff_t end = end_of_prefetched(column, to);
        prefetch_rows(&rows, column, kind, keeps_chroma);
        for (; column < end; column += PLANAR_GROUP) {
            struct values_of_eight own = values_at(&rows, column, kind, keeps_chroma);
            if (below != NULL) {
                ptrdiff_t index = column - from;
                own.luma = simd_mixed(value_at(values.luma + index), own.luma, weight);
                own.chroma.cb = simd_mixed(value_at(values.cb + index), own.chroma.cb, weight);
                own.chroma.cr = simd_mixed(value_at(values.cr + index), own.chroma.cr, weight);
            }
            write_converted(
                out + (column - from) * 4, own.luma, own.chroma.cb, own.chroma.cr, &conversion,
                streams);
        }
    }
}

SIMD_INLINE void make_groups(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, int32_t from, int32_t to, const struct planar_values *out,
    const enum luma_kind kind, const int keeps_chroma) {
    const struct rows rows = copied_rows(columns, luma, chroma);
    const struct planar_values values = *out;
    for (ptrdiff_t column = from; column < to;) {
        ptrdiff_t end = end_of_prefetched(column, to);
        prefetch_rows(&rows, column, kind, keeps_chroma);
        for (; column < end; column += PLANAR_GROUP) {
            struct values_of_eight own = values_at(&rows, column, kind, keeps_chroma);
            ptrdiff_t index = column - from;
            simd_store(values.luma + index, (simd_bytes)own.luma);
            simd_store(values.cb + index, (simd_bytes)own.chroma.cb);
            simd_store(values.cr + index, (simd_bytes)own.chroma.cr);
        }
    }
}

#define TARGET SIMD_TARGET
#define INLINE_TARGET SIMD_INLINE
#define ALIGNMENT 16
#include "planar_dispatch.h"

const struct planar_kernel planar_simd = {
    luma_across, chroma_across, 1, SIMD_SIGN, blend, make_values};

#endif
