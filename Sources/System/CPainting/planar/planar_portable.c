// The kernel in the compiler's portable vectors. Values between the steps have a positive sign.
#include "planar.h"

#include <string.h>

#include "vectors.h"

/// Interpolates every `step`-th byte of a row.
static inline int16_t mixed_samples(
    const uint8_t *samples, const struct planar_axis *axis, int32_t column, int step) {
    int32_t left = axis->left[column], share = axis->shares[column];
    // The last sample has no right neighbour; the weight is 0 then.
    int32_t right = share ? left + 1 : left;
    int32_t sum = samples[(ptrdiff_t)left * step] * (128 - share)
        + samples[(ptrdiff_t)right * step] * share;
    return (int16_t)(sum - 16384);
}

static void luma_across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out) {
    (void)ahead;
    for (int32_t column = from; column < to; column++)
        out[column] = mixed_samples(row, axis, column, 1);
}

static void chroma_across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out) {
    (void)ahead;
    for (int32_t group = from; group < to; group += PLANAR_GROUP)
        for (int32_t column = group; column < group + PLANAR_GROUP; column++) {
            int16_t *blue = out + (ptrdiff_t)group * 2 + (column - group);
            *blue = mixed_samples(row, axis, column, 2);
            blue[PLANAR_GROUP] = mixed_samples(row + 1, axis, column, 2);
        }
}

static inline shorts8 repeated(int16_t value) {
    return (shorts8){value, value, value, value, value, value, value, value};
}

static inline shorts8 mixed_rows(const int16_t *upper, const int16_t *lower, shorts8 weight) {
    shorts8 a, b;
    memcpy(&a, upper, sizeof a);
    memcpy(&b, lower, sizeof b);
    return a + rounded_product(b - a, weight);
}

/// Limits values to bytes.
static inline bytes8 limited(shorts8 values) {
    values = __builtin_elementwise_max(values, repeated(0));
    return __builtin_convertvector(__builtin_elementwise_min(values, repeated(255)), bytes8);
}

/// Interpolated luma and chroma of eight columns.
struct values_of_eight {
    shorts8 luma, cb, cr;
};

static inline struct values_of_eight values_at(
    const struct planar_pair *luma, const struct planar_pair *chroma, ptrdiff_t column) {
    const int16_t *const *values = chroma->values;
    ptrdiff_t at = column * 2;
    shorts8 weight = repeated(chroma->weight);
    return (struct values_of_eight){
        mixed_rows(luma->values[0] + column, luma->values[1] + column, repeated(luma->weight)),
        mixed_rows(values[0] + at, values[1] + at, weight),
        mixed_rows(values[0] + at + PLANAR_GROUP, values[1] + at + PLANAR_GROUP, weight)};
}

/// Blends values over those at `below`.
static inline shorts8 blended(const int16_t *below, shorts8 values, int16_t weight) {
    shorts8 lower;
    memcpy(&lower, below, sizeof lower);
    return lower + rounded_product(values - lower, repeated(weight));
}

static void blend(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, const struct cpainting_conversion *conversion,
    const struct planar_values *below, int32_t from, int32_t to, uint8_t *out, int streams) {
    (void)columns;
    (void)streams;
    for (int32_t column = from; column < to; column += PLANAR_GROUP, out += PLANAR_GROUP * 4) {
        struct values_of_eight own = values_at(luma, chroma, column);
        if (below != NULL) {
            own.luma = blended(below->luma + (column - from), own.luma, below->weight);
            own.cb = blended(below->cb + (column - from), own.cb, below->weight);
            own.cr = blended(below->cr + (column - from), own.cr, below->weight);
        }
        // No sum exceeds 16 bits.
        shorts8 y = rounded_product(own.luma, repeated(conversion->luma_scale))
            + repeated(conversion->luma_offset);
        shorts8 red = y + rounded_product(own.cr, repeated(conversion->red));
        shorts8 green = y - rounded_product(own.cb, repeated(conversion->green_blue))
            - rounded_product(own.cr, repeated(conversion->green_red));
        shorts8 blue = y + rounded_product(own.cb, repeated(conversion->blue));
        bytes8 channels[3] = {limited(blue >> 5), limited(green >> 5), limited(red >> 5)};
        for (int index = 0; index < PLANAR_GROUP; index++) {
            for (int channel = 0; channel < 3; channel++)
                out[index * 4 + channel] = channels[channel][index];
            out[index * 4 + 3] = 255;
        }
    }
}

static void make_values(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, int32_t from, int32_t to, const struct planar_values *out) {
    (void)columns;
    for (int32_t column = from; column < to; column += PLANAR_GROUP) {
        struct values_of_eight own = values_at(luma, chroma, column);
        memcpy(out->luma + (column - from), &own.luma, sizeof own.luma);
        memcpy(out->cb + (column - from), &own.cb, sizeof own.cb);
        memcpy(out->cr + (column - from), &own.cr, sizeof own.cr);
    }
}

const struct planar_kernel planar_portable = {
    luma_across, chroma_across, 0, 1, blend, make_values};
