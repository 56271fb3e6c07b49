// The body of a refinement kernel. The file that includes it defines `INLINE`, `add_products`,
// `upper_product` and `opaque_pixels`.
//
// The vertical filter runs first, then the horizontal one, in tiles that stay in a processor's own
// cache. Each pair of source rows of a tile is converted to linear light once, and kept as long as
// target rows are computed from it. Rows, and then columns, are stored in pairs, because processors
// multiply and add pairs in one instruction.
#include "sharp.h"

/// The order of the pairs of 16 columns after one instruction has separated even and odd columns.
static const int pair_order[8] = {0, 1, 4, 5, 2, 3, 6, 7};

INLINE int64_t clamped(int64_t value, int64_t length) {
    return value < 0 ? 0 : value >= length ? length - 1 : value;
}

/// Converts values from 0…255 to 0…`white`, and from encoded values to linear light if `is_linear_light`
/// is set. The sRGB curve (IEC 61966-2-1) is approximated by the square of a parabola, plus 0.0005,
/// which does not matter in an average: the error is never more than 1.2 of the 255 steps. Rounds
/// down.
INLINE eight_pairs linear_of(eight_pairs numbers, const int is_linear_light) {
    if (!is_linear_light) return numbers * (white / 256);
    // The scale of the square root of linear light: the upper half of its square is `white`.
    const float root = 40132;
    const eight_pairs none = {0}, both = none + 0x10001;
    const eight_pairs square = both * (uint16_t)(0.22288226f * root);
    const eight_pairs line = both * (uint16_t)(0.75545911f * root);
    const eight_pairs start = both * (uint16_t)(0.02699402f * root);
    eight_pairs value = numbers | numbers << 8;
    // Neither sum exceeds 16 bits.
    eight_pairs curve = upper_product(upper_product(value, square) + line, value) + start;
    return upper_product(curve, curve);
}

/// The square root, with an error of 0.003 %. The processor's own square root takes as long as the
/// rest of the conversion.
///
/// Halving the exponent gives 1/√x with an error of 3.5 % (C. Lomont: Fast inverse square root,
/// 2003). A parabola corrects the error: the best approximation of 1/√t near t = 1.
INLINE eight square_root(eight value) {
    eight guess = (eight)(0x5f370000 - ((eight_pairs)value >> 1));
    eight root = value * guess;
    eight ratio = root * guess;
    return root * ((ratio * 0.3786722f - 1.25841015f) * ratio + 1.87973484f);
}

/// The inverse of `linear_of`, with an error of 0.03 of a step: converts weighted sums to encoded
/// values, which are not yet clamped to 0…255.
INLINE eight_sums encoded_of(eight_sums sums, const int is_linear_light) {
    const float most = 255.0f, half = 0.5f, all = (float)white * (1 << weight_bits);
    eight value = __builtin_convertvector(sums, eight);
    if (is_linear_light) {
        const eight least = (eight){0} + 1 / all;
        eight root = square_root(__builtin_elementwise_max(value * (1 / all), least));
        value = (root * (-0.06512564f * most) + 0.24349995f * most) * root - 0.49226878f * most;
        value = (value * root + 1.3452783f * most) * root - (0.03588616f * most - half);
    } else {
        value = value * (256.0f / all) + half;
    }
    return __builtin_convertvector(value, eight_sums);
}

/// The two weights of a pair.
INLINE uint32_t weights_at(const int16_t *weights, int32_t pair) {
    uint32_t both;
    memcpy(&both, weights + 2 * pair, sizeof both);
    return both;
}

/// Eight pixels of a row from `column` on. Columns outside the source repeat its outermost pixel.
INLINE eight_pairs pixels_at(
    const struct cpainting_source *source, const uint8_t *row, int64_t column) {
    eight_pairs result;
    if (column >= 0 && column + 8 <= source->width) {
        memcpy(&result, row + column * 4, sizeof result);
    } else {
        for (int part = 0; part < 8; part++)
            memcpy(
                (uint8_t *)&result + part * 4, row + clamped(column + part, source->width) * 4,
                4);
    }
    return result;
}

/// The even or the odd pixels of 16 pixels, in the order of `pair_order`.
INLINE eight_pairs every_second(eight_pairs low, eight_pairs high, const int is_odd) {
    return is_odd ? __builtin_shufflevector(low, high, 1, 3, 9, 11, 5, 7, 13, 15)
                  : __builtin_shufflevector(low, high, 0, 2, 8, 10, 4, 6, 12, 14);
}

INLINE const uint8_t *row_at(const struct cpainting_source *source, int64_t row) {
    return source->pixels + clamped(row, source->height) * source->stride;
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
    for (ptrdiff_t index = 0; index < width; index += 16, out += 16) {
        int64_t column = tile->first + index;
        eight_pairs u0 = pixels_at(source, upper, column),
                    u1 = pixels_at(source, upper, column + 8),
                    l0 = pixels_at(source, lower, column),
                    l1 = pixels_at(source, lower, column + 8);
        for (int odd = 0; odd < 2; odd++) {
            eight_pairs u = every_second(u0, u1, odd), l = every_second(l0, l1, odd);
            eight_pairs upper_ends = linear_of(u & 0x00ff00ff, is_linear_light),
                        lower_ends = linear_of(l & 0x00ff00ff, is_linear_light);
            eight_pairs blue = (upper_ends & 0xffff) | lower_ends << 16;
            eight_pairs green = linear_of((u >> 8 & 0xff) | (l << 8 & 0xff0000), is_linear_light);
            eight_pairs red = upper_ends >> 16 | (lower_ends & 0xffff0000);
            memcpy(out + odd * 8, &blue, sizeof blue);
            memcpy(out + odd * 8 + width, &green, sizeof green);
            memcpy(out + odd * 8 + 2 * width, &red, sizeof red);
        }
    }
    return out - width;
}

/// The vertical filter: computes target row `row` of the tables at each source column, in pairs of
/// columns.
INLINE void filter_vertically(struct tile *tile, int32_t row, const int is_linear_light, uint32_t *out) {
    int32_t pairs = tile->rows->pairs;
    int64_t first = tile->rows->first[row] / 2;
    const int16_t *weights = tile->rows->weights + (ptrdiff_t)row * pairs * 2;
    int32_t slot = (int32_t)((first % pairs + pairs) % pairs), count = pairs;
    while (weights_at(weights, count - 1) == 0) count--;
    for (int32_t pair = 0; pair < count; pair++) {
        tile->lines[pair] = row_pair(tile, first + pair, slot, is_linear_light);
        if (++slot == pairs) slot = 0;
    }
    // Rounds, and compensates for linear light that was rounded down.
    const int32_t rounding = is_linear_light ? 1 << weight_bits : 1 << (weight_bits - 1);
    for (int32_t index = 0; index < tile->length;
         index += sums_at_once, out += sums_at_once / 2) {
        eight_sums sums[sums_at_once / 8];
        for (int32_t part = 0; part < sums_at_once / 8; part++)
            sums[part] = (eight_sums){0} + rounding;
        for (int32_t pair = 0; pair < count; pair++) {
            const eight_pairs *values = (const eight_pairs *)(tile->lines[pair] + index);
            eight_pairs weight = (eight_pairs){0} + weights_at(weights, pair);
            for (int32_t part = 0; part < sums_at_once / 8; part++)
                sums[part] = add_products(sums[part], values[part], weight);
        }
        for (int32_t part = 0; part < sums_at_once / 8; part += 2) {
            eight_pairs even = (eight_pairs)sums[part], odd = (eight_pairs)sums[part + 1];
            eight_pairs both =
                (even >> weight_bits & 0xffff) | (odd << (16 - weight_bits) & 0xffff0000);
            memcpy(out + part * 4, &both, sizeof both);
        }
    }
}

/// Transposes an 8 × 8 matrix.
INLINE void transpose(eight_pairs v[8]) {
    eight_pairs t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(v[i], v[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = __builtin_shufflevector(v[i], v[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            v[i + 2 * j] = __builtin_shufflevector(
                t[i + j], t[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            v[i + 2 * j + 1] = __builtin_shufflevector(
                t[i + j], t[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        t[i] = __builtin_shufflevector(v[i], v[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        t[i + 4] = __builtin_shufflevector(v[i], v[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (int i = 0; i < 8; i++) v[i] = t[i];
}

/// Transposes eight rows of results of the vertical filter: for each pair of columns blue, green
/// and red, each with eight rows.
INLINE void transpose_rows(struct tile *tile) {
    ptrdiff_t pairs = tile->width / 2;
    for (int channel = 0; channel < 3; channel++)
        for (ptrdiff_t pair = 0; pair < pairs; pair += 8) {
            const uint32_t *means = tile->means + channel * pairs + pair;
            eight_pairs v[8];
            for (int row = 0; row < 8; row++)
                v[row] = *(const eight_pairs *)(means + (ptrdiff_t)row * (tile->length / 2));
            transpose(v);
            for (int part = 0; part < 8; part++)
                tile->transposed_columns[(pair + pair_order[part]) * 3 + channel] = v[part];
        }
}

/// The horizontal filter: eight rows of target column `column` of the tables, as pixels.
INLINE eight_pairs filter_horizontally(
    const struct tile *tile, int32_t column, const int is_linear_light) {
    int32_t pairs = tile->columns->pairs;
    const int16_t *weights = tile->columns->weights + (ptrdiff_t)column * pairs * 2;
    ptrdiff_t from = (tile->columns->first[column] - tile->first) / 2;
    const eight_pairs *values = tile->transposed_columns + from * 3;
    eight_sums blue = {0}, green = {0}, red = {0};
    for (int32_t pair = 0; pair < pairs; pair++, values += 3) {
        eight_pairs weight = (eight_pairs){0} + weights_at(weights, pair);
        blue = add_products(blue, values[0], weight);
        green = add_products(green, values[1], weight);
        red = add_products(red, values[2], weight);
    }
    return opaque_pixels(
        encoded_of(blue, is_linear_light), encoded_of(green, is_linear_light), encoded_of(red, is_linear_light));
}

/// Filters up to eight rows of the tile horizontally; `out` is the first row.
INLINE void paint_rows(
    const struct tile *tile, uint8_t *out, ptrdiff_t stride, int32_t count, const int is_linear_light) {
    for (int32_t x = tile->x; x < tile->end; x += 8, out += 32) {
        eight_pairs v[8];
        int32_t last = tile->end - 1;
        for (int32_t part = 0; part < 8; part++) {
            int32_t column = (x + part < last ? x + part : last) - tile->columns->begin;
            v[part] = filter_horizontally(tile, column, is_linear_light);
        }
        transpose(v);
        size_t length = x + 8 <= tile->end ? 32 : (size_t)(tile->end - x) * 4;
        for (int32_t row = 0; row < count; row++) memcpy(out + row * stride, &v[row], length);
    }
}

INLINE int paint_tile(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, const int is_linear_light) {
    for (int32_t slot = 0; slot < tile->rows->pairs; slot++) tile->held[slot] = INT64_MIN;
    for (int32_t y = top; y < bottom; y += 8) {
        if (cpainting_is_raised(flag)) return 1;
        int32_t count = bottom - y < 8 ? bottom - y : 8;
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
