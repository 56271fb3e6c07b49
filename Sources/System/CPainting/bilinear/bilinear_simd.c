// The kernel for vectors of 16 bytes. Processes eight columns at once.
#include "bilinear.h"
#include "simd.h"

#if HAS_SIMD

/// Four columns of one row. Each has a right neighbour.
SIMD_INLINE struct simd_four four_columns(
    const uint8_t *row, const int32_t *left, struct simd_weights weights) {
    return simd_across(
        simd_pairs(row + (ptrdiff_t)left[0] * 4, row + (ptrdiff_t)left[1] * 4),
        simd_pairs(row + (ptrdiff_t)left[2] * 4, row + (ptrdiff_t)left[3] * 4), weights);
}

/// Four columns of one row. The last column of a row has no right neighbour; its weight is 0 then.
SIMD_INLINE struct simd_four four_last_columns(
    const uint8_t *row, int32_t width, const int32_t *left, struct simd_weights weights) {
    uint8_t pairs[4][8];
    for (int index = 0; index < 4; index++) {
        const uint8_t *pixel = row + (ptrdiff_t)left[index] * 4;
        memcpy(pairs[index], pixel, 4);
        memcpy(pairs[index] + 4, pixel + (left[index] + 1 < width ? 4 : 0), 4);
    }
    return simd_across(simd_load(pairs), simd_load(pairs + 2), weights);
}

/// The end of those groups of eight columns whose pixels all have a right neighbour.
static int32_t end_of_inner(const struct cpainting_columns *columns, int32_t width, int32_t from, int32_t to) {
    const int32_t *left = columns->left;
    if (columns->spacing.span == INT32_MAX) return from;
    while (to > from && left[to - 1] + 1 >= width) to -= 8;
    return to;
}

SIMD_INLINE void keep(int16_t *out, struct simd_four four) {
    simd_store(out, (simd_bytes)four.low);
    simd_store(out + 8, (simd_bytes)four.high);
}

SIMD_TARGET static void across(
    const uint8_t *row, ptrdiff_t ahead, int32_t width, const struct cpainting_columns *columns,
    int32_t from, int32_t to, int16_t *out) {
    const int32_t *left = columns->left;
    const uint16_t *weights = columns->weights;
    int32_t end = end_of_inner(columns, width, from, to);
    out += (ptrdiff_t)from * 4;
    for (; from < end; from += 8, out += 32) {
        __builtin_prefetch(row + ahead + (ptrdiff_t)left[from] * 4, 0, 2);
        simd_bytes eight = simd_load(weights + from);
        keep(out, four_columns(row, left + from, simd_weights_at(eight, 0)));
        keep(out + 16, four_columns(row, left + from + 4, simd_weights_at(eight, 1)));
    }
    for (; from < to; from += 8, out += 32) {
        simd_bytes eight = simd_load(weights + from);
        keep(out, four_last_columns(row, width, left + from, simd_weights_at(eight, 0)));
        keep(out + 16, four_last_columns(row, width, left + from + 4, simd_weights_at(eight, 1)));
    }
}

SIMD_INLINE void write(uint8_t *out, simd_bytes pixels, const int streams) {
    if (streams)
        simd_stream(out, pixels);
    else
        simd_store(out, pixels);
}

SIMD_INLINE struct simd_four repeated(int16_t weight) {
    simd_shorts shares = (simd_shorts){0} + weight;
    return (struct simd_four){shares, shares};
}

SIMD_INLINE struct simd_four kept(const int16_t *values) {
    return (struct simd_four){(simd_shorts)simd_load(values), (simd_shorts)simd_load(values + 8)};
}

SIMD_INLINE void blend_groups(
    const int16_t *upper, const int16_t *lower, struct simd_four shares, int32_t count,
    uint8_t *out, const int streams) {
    for (; count > 0; count -= 8, out += 32, upper += 32, lower += 32) {
        write(out, simd_down(kept(upper), kept(lower), shares), streams);
        write(out + 16, simd_down(kept(upper + 16), kept(lower + 16), shares), streams);
    }
}

SIMD_TARGET static void blend(
    const int16_t *upper, const int16_t *lower, int16_t weight, int32_t from, int32_t to,
    uint8_t *out, int streams) {
    const struct simd_four shares = repeated(weight);
    upper += (ptrdiff_t)from * 4;
    lower += (ptrdiff_t)from * 4;
    // Each call has a loop of its own.
    if (streams && ((uintptr_t)out & 15) == 0)
        blend_groups(upper, lower, shares, to - from, out, 1);
    else
        blend_groups(upper, lower, shares, to - from, out, 0);
}

SIMD_INLINE void both_of_groups(
    const uint8_t *upper, const uint8_t *lower, ptrdiff_t ahead, const int32_t *left,
    const uint16_t *weights, struct simd_four shares, int32_t count, uint8_t *out,
    const int streams) {
    for (; count > 0; count -= 8, out += 32, left += 8, weights += 8) {
        __builtin_prefetch(upper + ahead + (ptrdiff_t)*left * 4, 0, 2);
        __builtin_prefetch(lower + ahead + (ptrdiff_t)*left * 4, 0, 2);
        simd_bytes eight = simd_load(weights);
        struct simd_weights first = simd_weights_at(eight, 0), second = simd_weights_at(eight, 1);
        simd_bytes pixels = simd_down(
            four_columns(upper, left, first), four_columns(lower, left, first), shares);
        write(out, pixels, streams);
        pixels = simd_down(
            four_columns(upper, left + 4, second), four_columns(lower, left + 4, second), shares);
        write(out + 16, pixels, streams);
    }
}

SIMD_TARGET static void both(
    const uint8_t *upper, const uint8_t *lower, ptrdiff_t ahead, int32_t width,
    const struct cpainting_columns *columns, int16_t weight, int32_t from, int32_t to,
    uint8_t *out, int streams) {
    const struct simd_four shares = repeated(weight);
    const int32_t *left = columns->left + from;
    const uint16_t *weights = columns->weights + from;
    int32_t count = to - from, inner = end_of_inner(columns, width, from, to) - from;
    if (streams && ((uintptr_t)out & 15) == 0)
        both_of_groups(upper, lower, ahead, left, weights, shares, inner, out, 1);
    else
        both_of_groups(upper, lower, ahead, left, weights, shares, inner, out, 0);
    for (int32_t index = inner; index < count; index += 8) {
        simd_bytes eight = simd_load(weights + index);
        for (int32_t part = 0; part < 2; part++) {
            struct simd_weights four = part ? simd_weights_at(eight, 1) : simd_weights_at(eight, 0);
            const int32_t *columns_left = left + index + part * 4;
            simd_bytes pixels = simd_down(
                four_last_columns(upper, width, columns_left, four),
                four_last_columns(lower, width, columns_left, four), shares);
            simd_store(out + (ptrdiff_t)(index + part * 4) * 4, pixels);
        }
    }
}

SIMD_TARGET static void copy(uint8_t *out, const uint8_t *from, size_t length, ptrdiff_t ahead) {
    size_t done = 0;
    for (; done < length && ((uintptr_t)(out + done) & 15) != 0; done += 4)
        memcpy(out + done, from + done, 4);
    for (; done + 64 <= length; done += 64) {
        __builtin_prefetch(from + done + ahead, 0, 2);
        for (size_t part = 0; part < 64; part += 16)
            simd_stream(out + done + part, simd_load(from + done + part));
    }
    memcpy(out + done, from + done, length - done);
}

SIMD_TARGET static void fence(void) { simd_fence(); }

const struct bilinear_kernel bilinear_simd = {across, blend, both, copy, fence};

#endif
