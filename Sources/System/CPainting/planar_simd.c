// The kernel for vectors of 16 bytes.
#include "planar.h"
#include "planar_simd.h"

#if HAS_SIMD

void planar_simd_set_part(
    uint8_t *order, uint8_t *weights, const uint8_t *lefts, const uint8_t *shares, int step,
    int count) {
    for (int index = 0; index < count; index++) {
        uint8_t left = lefts[index], share = shares[index];
        // The last sample of a row has no right neighbour; its weight is 0 then.
        uint8_t right = (uint8_t)(share ? left + step : left);
#if defined(__x86_64__)
        // Pairs; the weights are negated, as in simd.h.
        order[index * 2] = left;
        order[index * 2 + 1] = right;
        weights[index * 2] = (uint8_t)(share - 128);
        weights[index * 2 + 1] = (uint8_t)-share;
#else
        // All left ones, then all right ones.
        order[index] = left;
        order[count + index] = right;
        weights[index] = (uint8_t)(128 - share);
        weights[count + index] = share;
#endif
    }
}

/// Eight columns of luma.
SIMD_INLINE simd_shorts luma_columns(
    const uint8_t *row, const struct planar_parts *parts, int32_t column) {
    return simd_sums(
        simd_load(row + parts->bases[column / PLANAR_GROUP]),
        simd_load(parts->order + (ptrdiff_t)column * 2),
        simd_load(parts->weights + (ptrdiff_t)column * 2));
}

/// Eight columns of chroma.
struct chroma {
    simd_shorts cb, cr;
};

SIMD_INLINE struct chroma chroma_columns(
    const uint8_t *row, const struct planar_parts *parts, int32_t column) {
    simd_bytes four[2];
    for (int half = 0; half < 2; half++, column += 4) {
        ptrdiff_t at = (ptrdiff_t)column * 2;
        four[half] = (simd_bytes)simd_sums(
            simd_load(row + parts->bases[column / 4]), simd_places_of_both(parts->order + at),
            simd_twice(parts->weights + at));
    }
    return (struct chroma){
        (simd_shorts)simd_lower_halves(four[0], four[1]),
        (simd_shorts)simd_upper_halves(four[0], four[1])};
}

SIMD_TARGET static void luma_across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out) {
    const struct planar_parts parts = axis->parts;
    for (int32_t column = from; column < to; column += PLANAR_GROUP) {
        __builtin_prefetch(row + parts.bases[column / PLANAR_GROUP] + ahead, 0, 2);
        simd_store(out + column, (simd_bytes)luma_columns(row, &parts, column));
    }
}

SIMD_TARGET static void chroma_across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out) {
    const struct planar_parts parts = axis->parts;
    for (int32_t column = from; column < to; column += PLANAR_GROUP) {
        __builtin_prefetch(row + parts.bases[column / 4] + ahead, 0, 2);
        struct chroma chroma = chroma_columns(row, &parts, column);
        int16_t *values = out + (ptrdiff_t)column * 2;
        simd_store(values, (simd_bytes)chroma.cb);
        simd_store(values + PLANAR_GROUP, (simd_bytes)chroma.cr);
    }
}

SIMD_INLINE simd_shorts value_at(const int16_t *values) { return (simd_shorts)simd_load(values); }

SIMD_INLINE void blend_groups(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma_rows,
    const struct planar_pair *chroma_rows, const struct cpainting_conversion *by, int32_t from,
    int32_t to, uint8_t *out, const int streams, const enum luma_kind kind, const int keeps_chroma) {
    // Copies, because stores to the target could change the originals for all that compilers know.
    const struct planar_pair rows = *luma_rows, pairs = *chroma_rows;
    const struct planar_parts luma_parts = columns->luma.parts, parts = columns->chroma.parts;
    const struct conversion conversion = constants_of(by);
    const simd_shorts luma_weight = repeated(rows.weight), weight = repeated(pairs.weight);
    for (int32_t column = from; column < to; column += PLANAR_GROUP, out += PLANAR_GROUP * 4) {
        ptrdiff_t at = (ptrdiff_t)column * 2;
        simd_shorts luma;
        if (kind == EXACT) {
            __builtin_prefetch(rows.exact + column + rows.ahead, 0, 2);
            luma = simd_exact(rows.exact + column);
        } else if (kind == KEPT) {
            luma = simd_mixed(
                value_at(rows.values[0] + column), value_at(rows.values[1] + column), luma_weight);
        } else {
            ptrdiff_t ahead = rows.ahead + luma_parts.bases[column / PLANAR_GROUP];
            __builtin_prefetch(rows.samples[0] + ahead, 0, 2);
            __builtin_prefetch(rows.samples[1] + ahead, 0, 2);
            luma = simd_mixed(
                luma_columns(rows.samples[0], &luma_parts, column),
                luma_columns(rows.samples[1], &luma_parts, column), luma_weight);
        }
        struct chroma upper, lower;
        if (keeps_chroma) {
            const int16_t *const *values = pairs.values;
            upper = (struct chroma){value_at(values[0] + at), value_at(values[0] + at + 8)};
            lower = (struct chroma){value_at(values[1] + at), value_at(values[1] + at + 8)};
        } else {
            ptrdiff_t ahead = pairs.ahead + parts.bases[column / 4];
            __builtin_prefetch(pairs.samples[0] + ahead, 0, 2);
            __builtin_prefetch(pairs.samples[1] + ahead, 0, 2);
            upper = chroma_columns(pairs.samples[0], &parts, column);
            lower = chroma_columns(pairs.samples[1], &parts, column);
        }
        write_converted(
            out, luma, simd_mixed(upper.cb, lower.cb, weight),
            simd_mixed(upper.cr, lower.cr, weight), &conversion, streams);
    }
}

#define TARGET SIMD_TARGET
#define ALIGNMENT 16
#include "planar_dispatch.h"

const struct planar_kernel planar_simd = {luma_across, chroma_across, 1, blend};

#endif
