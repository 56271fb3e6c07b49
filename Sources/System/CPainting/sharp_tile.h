// The body of a refinement kernel. The file that includes it defines `INLINE`, and vectors of `LANES`
// elements of 32 bits: `pairs` of two values of 16 bits, `sums` and `numbers`, and `halves` of 16 bits. Functions:
// - `add_products` adds to each sum the products of the two values of a pair with their weights.
// - `rounded_products` multiplies 15-bit values of pairs: (a · b + 2^14) / 2^15, rounded down.
// - `pairs_of_rows` makes pairs of the blue, the green and the red values of `LANES` pixels of two
//   rows; each value is 257 · byte.
// - `pairs_of_sums` makes pairs of columns of two vectors of sums without their fractions; the pairs
//   have the order of `pair_order`. `arranged` makes of such pairs, transposed, what `add_products`
//   takes.
// - `opaque_pixels` makes pixels of blue, green and red, limited to 0…255.
// - `transpose` transposes a square matrix of `LANES` rows.
//
// The vertical filter runs first, then the horizontal one, in tiles that stay in a processor's own
// cache. Each pair of source rows of a tile is converted to linear light once, and kept as long as
// target rows are computed from it. Rows, and then columns, are stored in pairs, because processors
// multiply and add pairs in one instruction.
#include "sharp.h"

// All kernels round alike: no product is added without rounding.
#pragma clang fp contract(off)

enum {
    /// Vectors of sums that stay in registers.
    sums_at_once = 8,
};

INLINE int64_t clamped(int64_t value, int64_t length) {
    return value < 0 ? 0 : value >= length ? length - 1 : value;
}

/// Converts values of 257 · byte to 0…`white`, from encoded values to linear light if
/// `is_linear_light` is set. The sRGB curve (IEC 61966-2-1) is approximated by the square of a
/// parabola, plus 0.0005, which does not matter in an average: the error is never more than 1.2 of
/// the 255 steps.
INLINE pairs linear_of(pairs values, const int is_linear_light) {
    const pairs none = {0}, both = none + 0x10001;
    if (!is_linear_light) {
        pairs bytes = values & 0x00ff00ff;
        return (bytes << 6) + (bytes << 5);
    }
    // The scale of the square root of linear light: its square in units of 1/2^15 is `white`.
    const float root = 28377.92f;
    const pairs square = both * (uint16_t)(0.22288226f * root + 0.5f);
    const pairs line = both * (uint16_t)(0.75545911f * root + 0.5f);
    const pairs start = both * (uint16_t)(0.02699402f * root + 0.5f);
    values = (pairs)((halves)values >> 1);
    // No sum exceeds 15 bits.
    pairs curve = rounded_products(rounded_products(values, square) + line, values) + start;
    return rounded_products(curve, curve);
}

/// The square root, with an error of 0.003 %. The processor's own square root takes as long as the
/// rest of the conversion.
///
/// Halving the exponent gives 1/√x with an error of 3.5 % (C. Lomont: Fast inverse square root,
/// 2003). A parabola corrects the error: the best approximation of 1/√t near t = 1.
INLINE numbers square_root(numbers value) {
    numbers guess = (numbers)(0x5f370000 - ((pairs)value >> 1));
    numbers root = value * guess;
    numbers ratio = root * guess;
    return root * ((ratio * 0.3786722f - 1.25841015f) * ratio + 1.87973484f);
}

/// The inverse of `linear_of`, with an error of 0.13 of a step: converts weighted sums to encoded
/// values, which are not yet limited to 0…255.
INLINE sums encoded_of(sums weighted, const int is_linear_light) {
    const float most = 255.0f, half = 0.5f, all = (float)white * (1 << weight_bits);
    numbers value = __builtin_convertvector(weighted, numbers);
    if (is_linear_light) {
        // The square root of `all`.
        const float unit = 1 / 20066.22f;
        const numbers least = (numbers){0} + 1;
        numbers root = square_root(__builtin_elementwise_max(value, least));
        value = root * (0.111572f * most * unit * unit * unit) - 0.40767352f * most * unit * unit;
        value = value * root + 1.32711638f * most * unit;
        value = value * root - (0.03506338f * most - half);
    } else {
        value = value * (256.0f / all) + half;
    }
    return __builtin_convertvector(value, sums);
}

/// The two weights of a pair.
INLINE uint32_t weights_at(const int16_t *weights, int32_t pair) {
    uint32_t both;
    memcpy(&both, weights + 2 * pair, sizeof both);
    return both;
}

/// The address of `LANES` pixels of a row from `column` on: in the row, or in `copy`. Columns outside
/// the source repeat its outermost pixel.
INLINE const uint8_t *pixels_at(
    const struct cpainting_source *source, const uint8_t *row, int64_t column, uint8_t *copy) {
    if (column >= 0 && column + LANES <= source->width) return row + column * 4;
    for (int part = 0; part < LANES; part++)
        memcpy(copy + part * 4, row + clamped(column + part, source->width) * 4, 4);
    return copy;
}

INLINE const uint8_t *row_at(const struct cpainting_source *source, int64_t row) {
    return source->pixels + clamped(row, source->height) * source->stride;
}

/// Converts `LANES` pixels of two rows to blue pairs at `out`, and to green and red ones `width`
/// elements after each other.
INLINE void convert(
    const uint8_t *upper, const uint8_t *lower, uint32_t *out, ptrdiff_t width,
    const int is_linear_light) {
    pairs values[3];
    pairs_of_rows(upper, lower, values);
    for (int channel = 0; channel < 3; channel++)
        *(pairs *)(out + channel * width) = linear_of(values[channel], is_linear_light);
}

/// Source rows 2 · `pair` and 2 · `pair` + 1 in linear light, or scaled only, converted into a slot
/// of the ring unless they are there already. Rows outside the source repeat its outermost row.
INLINE const uint32_t *row_pair(
    struct tile *tile, int64_t pair, int32_t slot, const int is_linear_light) {
    ptrdiff_t width = tile->width;
    uint32_t *out = tile->ring + (ptrdiff_t)slot * tile->length;
    if (tile->held[slot] == pair) return out;
    tile->held[slot] = pair;
    const struct cpainting_source *source = tile->source;
    const uint8_t *upper = row_at(source, 2 * pair), *lower = row_at(source, 2 * pair + 1);
    for (int row = 0; row < 2; row++) {
        const uint8_t *ahead = row_at(source, 2 * pair + row + rows_ahead)
            + clamped(tile->first, source->width) * 4;
        for (ptrdiff_t part = 0; part < width * 4; part += 64) __builtin_prefetch(ahead + part);
    }
    int64_t first = tile->first;
    ptrdiff_t index = 0;
    // Columns of whole vectors inside the source.
    ptrdiff_t inside = first < 0 ? 0 : (source->width - first) & -LANES;
    if (inside > width) inside = width;
    if (inside > 0) {
        const uint8_t *above = upper + first * 4, *below = lower + first * 4;
        for (; index < inside; index += LANES)
            convert(above + index * 4, below + index * 4, out + index, width, is_linear_light);
    }
    for (; index < width; index += LANES) {
        uint8_t copies[2][LANES * 4];
        convert(
            pixels_at(source, upper, first + index, copies[0]),
            pixels_at(source, lower, first + index, copies[1]), out + index, width,
            is_linear_light);
    }
    return out;
}

/// The vertical filter: computes target row `row` of the tables at each source column, in pairs of
/// columns.
INLINE void filter_vertically(
    struct tile *tile, int32_t row, const int is_linear_light, uint32_t *out) {
    int32_t slots = tile->rows->pairs;
    int64_t first = tile->rows->first[row] / 2;
    const int16_t *weights = tile->rows->weights + (ptrdiff_t)row * slots * 2;
    int32_t slot = (int32_t)((first % slots + slots) % slots), count = slots;
    while (weights_at(weights, count - 1) == 0) count--;
    for (int32_t pair = 0; pair < count; pair++) {
        tile->lines[pair] = row_pair(tile, first + pair, slot, is_linear_light);
        if (++slot == slots) slot = 0;
    }
    const int32_t rounding = 1 << (weight_bits - 1);
    for (int32_t index = 0; index < tile->length; index += sums_at_once * LANES) {
        sums all[sums_at_once];
        for (int32_t part = 0; part < sums_at_once; part++) all[part] = (sums){0} + rounding;
        for (int32_t pair = 0; pair < count; pair++) {
            const pairs *values = (const pairs *)(tile->lines[pair] + index);
            pairs weight = (pairs){0} + weights_at(weights, pair);
            for (int32_t part = 0; part < sums_at_once; part++)
                all[part] = add_products(all[part], values[part], weight);
        }
        for (int32_t part = 0; part < sums_at_once; part += 2, out += LANES)
            *(pairs *)out = pairs_of_sums(all[part], all[part + 1]);
    }
}

/// Transposes rows of results of the vertical filter: for each pair of columns blue, green and red,
/// each with `LANES` rows.
INLINE void transpose_rows(struct tile *tile) {
    ptrdiff_t count = tile->width / 2;
    for (int channel = 0; channel < 3; channel++)
        for (ptrdiff_t pair = 0; pair < count; pair += LANES) {
            const uint32_t *means = tile->means + channel * count + pair;
            pairs v[LANES];
            for (int row = 0; row < LANES; row++)
                v[row] = *(const pairs *)(means + (ptrdiff_t)row * (tile->length / 2));
            transpose(v);
            for (int part = 0; part < LANES; part++)
                *(pairs *)(tile->transposed_columns
                           + ((pair + pair_order[part]) * 3 + channel) * LANES) = arranged(v[part]);
        }
}

/// The horizontal filter: `LANES` rows of target column `column` of the tables, as pixels.
INLINE pairs filter_horizontally(
    const struct tile *tile, int32_t column, const int is_linear_light) {
    ptrdiff_t count = tile->columns->pairs;
    const int16_t *weights = tile->columns->weights + (ptrdiff_t)column * count * 2;
    ptrdiff_t from = (tile->columns->first[column] - tile->first) >> 1;
    const pairs *values = (const pairs *)tile->transposed_columns + from * 3;
    sums blue = {0}, green = {0}, red = {0};
    // Few pairs: the remainder of an unrolled loop would take longer than unrolling saves.
#pragma clang loop unroll(disable)
    for (const int16_t *end = weights + 2 * count; weights < end; weights += 2, values += 3) {
        pairs weight = (pairs){0} + weights_at(weights, 0);
        blue = add_products(blue, values[0], weight);
        green = add_products(green, values[1], weight);
        red = add_products(red, values[2], weight);
    }
    return opaque_pixels(
        encoded_of(blue, is_linear_light), encoded_of(green, is_linear_light),
        encoded_of(red, is_linear_light));
}

/// Filters up to `LANES` rows of the tile horizontally; `out` is the first row.
INLINE void paint_rows(
    const struct tile *tile, uint8_t *out, ptrdiff_t stride, int32_t count,
    const int is_linear_light) {
    for (int32_t x = tile->x; x < tile->end; x += LANES, out += LANES * 4) {
        pairs v[LANES];
        int32_t last = tile->end - 1;
        for (int32_t part = 0; part < LANES; part++) {
            int32_t column = (x + part < last ? x + part : last) - tile->columns->begin;
            v[part] = filter_horizontally(tile, column, is_linear_light);
        }
        transpose(v);
        if (count == LANES && x + LANES <= tile->end)
            for (int32_t row = 0; row < LANES; row++)
                memcpy(out + row * stride, &v[row], LANES * 4);
        else
            for (int32_t row = 0; row < count; row++)
                for (int32_t part = 0; part < LANES && x + part < tile->end; part++)
                    memcpy(out + row * stride + (ptrdiff_t)part * 4, (uint32_t *)&v[row] + part, 4);
    }
}

INLINE int paint_tile(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, const int is_linear_light) {
    for (int32_t slot = 0; slot < tile->rows->pairs; slot++) tile->held[slot] = INT64_MIN;
    for (int32_t y = top; y < bottom; y += LANES) {
        if (cpainting_is_raised(flag)) return 1;
        int32_t count = bottom - y < LANES ? bottom - y : LANES;
        for (int32_t row = 0; row < count; row++)
            filter_vertically(
                tile, y + row - tile->rows->begin, is_linear_light,
                tile->means + (ptrdiff_t)row * (tile->length / 2));
        transpose_rows(tile);
        paint_rows(
            tile, target + y * stride + (ptrdiff_t)tile->x * 4, stride, count, is_linear_light);
    }
    return 0;
}

/// The entry point of a kernel. `is_linear_light` is a constant in each branch.
static int paint(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, int is_linear_light) {
    return is_linear_light ? paint_tile(tile, target, stride, top, bottom, flag, 1)
                           : paint_tile(tile, target, stride, top, bottom, flag, 0);
}
