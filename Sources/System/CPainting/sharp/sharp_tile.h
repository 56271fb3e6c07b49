// The body of a refinement kernel. The file that includes it defines `INLINE`, and vectors of `LANES`
// elements of 32 bits: `pairs` of two values of 16 bits, `sums` and `numbers`, and `halves` of 16 bits. Functions:
// - `add_products` adds to each sum the products of the two values of a pair with their weights.
// - `rounded_products` multiplies 15-bit values of pairs: (a · b + 2^14) / 2^15, rounded down.
// - `pairs_of_rows` makes pairs of the blue, the green and the red bytes of `LANES` pixels of two rows.
// - `PAIR_ORDER` lists the places, among `LANES` values and as many others, of the values of a vector
//   of pairs.
// - `pairs_of_sums` makes pairs of columns of two vectors of sums without `bits` bits of fraction; the
//   pairs have the order of `pair_order`. `arranged` makes of such pairs, transposed, what
//   `add_products` takes.
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
    sums_at_once = 12,
};

INLINE int64_t clamped(int64_t value, int64_t length) {
    return value < 0 ? 0 : value >= length ? length - 1 : value;
}

/// A parabola whose square approximates the sRGB curve (IEC 61966-2-1), without the 0.0005 that do not matter
/// in an average: the error is never more than 1.2 of the 255 steps.
struct curve {
    pairs square, line, start;
};

/// The curve for encoded values of 15 bits, where 32767 / `stretch` is white.
INLINE struct curve curve_of(const float stretch) {
    const pairs none = {0}, both = none + 0x10001;
    // The scale of the square root of linear light: its square in units of 1/2^15 is `white`.
    const float root = 28377.92f;
    return (struct curve){
        both * (uint16_t)(0.22288226f * root * stretch * stretch + 0.5f),
        both * (uint16_t)(0.75545911f * root * stretch + 0.5f),
        both * (uint16_t)(0.02699402f * root + 0.5f)};
}

/// Converts encoded values to linear light. No sum exceeds 15 bits, since `stretch` is not more than 1.18.
INLINE pairs linear_of(pairs values, const struct curve *curve) {
    pairs root =
        rounded_products(rounded_products(values, curve->square) + curve->line, values)
        + curve->start;
    return rounded_products(root, root);
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

/// Converts weighted sums to encoded values plus `extra`, which are not yet limited to 255, and without linear
/// light not to 0 either. In linear light this is the inverse of `linear_of`, with an error of 0.13 of a step,
/// otherwise the inverse of scaling.
INLINE numbers encoded_of(sums weighted, const float extra, const int is_linear_light) {
    const float most = 255.0f;
    numbers value = __builtin_convertvector(weighted, numbers);
    if (!is_linear_light) return value * (1.0f / (1 << (weight_bits + encoded_bits))) + extra;
    // The square root of white, as a weighted sum.
    const float unit = 1 / 20066.22f;
    // The sum that becomes 0: chroma is added to what undershoots black.
    const numbers least = (numbers){0} + 285697;
    numbers root = square_root(__builtin_elementwise_max(value, least));
    value = root * (0.111572f * most * unit * unit * unit) - 0.40767352f * most * unit * unit;
    value = value * root + 1.32711638f * most * unit;
    return value * root - (0.03506338f * most - extra);
}

/// The two weights of a pair.
INLINE uint32_t weights_at(const int16_t *weights, int32_t pair) {
    uint32_t both;
    memcpy(&both, weights + 2 * pair, sizeof both);
    return both;
}

/// The address of `count` samples of a row from `column` on: in the row, or in `copy`. Columns outside
/// the plane repeat its outermost sample.
INLINE const uint8_t *samples_at(
    const struct tile_plane *plane, const uint8_t *row, int64_t column, uint8_t *copy,
    const int count, const int bytes) {
    if (column >= 0 && column + count <= plane->source_width) return row + column * bytes;
    for (int part = 0; part < count; part++)
        memcpy(
            copy + part * bytes, row + clamped(column + part, plane->source_width) * bytes,
            (size_t)bytes);
    return copy;
}

INLINE const uint8_t *row_at(const struct tile_plane *plane, int64_t row) {
    return plane->samples + clamped(row, plane->source_height) * plane->stride;
}

/// How samples of luma become values of the filter.
struct luma_scale {
    /// In 1/256 of a sample. Adding the first number saturates where luma is white, and subtracting the second
    /// one where luma is black.
    halves white, black;
    struct curve curve;
    /// Scales encoded values.
    pairs factor;
};

INLINE struct luma_scale luma_scale_of(const struct cpainting_conversion *conversion) {
    const int64_t one = 8192, most = 65535;
    int64_t scale = conversion->luma_scale;
    // The offset is in 1/32 and has a half.
    int64_t black =
        (128 << 8) - ((int64_t)conversion->luma_offset * 8 - 128) * one / scale;
    black = clamped(black, 128 << 8);
    int64_t length = ((255 << 8) * one + scale / 2) / scale;
    int64_t above = clamped(most - black - length, most);
    // Values of 15 bits are half of those of 16.
    float stretch = 65534.0f / (float)length;
    const halves none = {0};
    return (struct luma_scale){
        none + (uint16_t)above, none + (uint16_t)(above + black), curve_of(stretch),
        (pairs){0} + (uint32_t)(255.0f * (1 << encoded_bits) * stretch + 0.5f) * 0x10001};
}

/// Converts `LANES` samples of two rows to pairs at `out`. Pairs of another channel are `width` elements
/// further.
INLINE void convert_pixels(
    const uint8_t *upper, const uint8_t *lower, uint32_t *out, ptrdiff_t width,
    const int is_linear_light) {
    // 255 becomes 255 · 128.
    const struct curve curve = curve_of(32767.0f / (255 << 7));
    pairs bytes[3];
    pairs_of_rows(upper, lower, bytes);
    for (int channel = 0; channel < 3; channel++)
        *(pairs *)(out + channel * width) =
            is_linear_light ? linear_of(bytes[channel] << 7, &curve) : bytes[channel];
}

/// Converts 2 · `LANES` samples.
INLINE void convert_luma(
    const uint8_t *upper, const uint8_t *lower, uint32_t *out, const struct luma_scale *scale,
    const int is_linear_light) {
    typedef uint8_t samples __attribute__((vector_size(LANES)));
    for (int part = 0; part < 2; part++) {
        samples u, l;
        memcpy(&u, upper + part * LANES, sizeof u);
        memcpy(&l, lower + part * LANES, sizeof l);
        halves value =
            __builtin_convertvector(__builtin_shufflevector(u, l, PAIR_ORDER), halves) << 8;
        value = __builtin_elementwise_add_sat(value, scale->white);
        pairs values = (pairs)(__builtin_elementwise_sub_sat(value, scale->black) >> 1);
        *(pairs *)(out + part * LANES) =
            is_linear_light ? linear_of(values, &scale->curve)
                            : rounded_products(values, scale->factor);
    }
}

/// Values are from −128 to 127, in 1/2^`chroma_bits`.
INLINE void convert_chroma(
    const uint8_t *upper, const uint8_t *lower, uint32_t *out, ptrdiff_t width) {
    typedef uint16_t samples __attribute__((vector_size(LANES * 2)));
    typedef int16_t numbers16 __attribute__((vector_size(LANES * 4)));
    samples u, l;
    memcpy(&u, upper, sizeof u);
    memcpy(&l, lower, sizeof l);
    halves both = __builtin_shufflevector(u, l, PAIR_ORDER) ^ 0x8080;
    *(pairs *)out = (pairs)((numbers16)(both << 8) >> (8 - chroma_bits));
    *(pairs *)(out + width) = (pairs)((numbers16)(both & 0xff00) >> (8 - chroma_bits));
}

/// Converts samples of two rows of a plane: of pixels with three channels, of chroma with two, or of luma with
/// one.
INLINE void convert(
    const uint8_t *upper, const uint8_t *lower, uint32_t *out, ptrdiff_t width,
    const struct luma_scale *scale, const int channels, const int is_linear_light) {
    if (channels == 3) convert_pixels(upper, lower, out, width, is_linear_light);
    if (channels == 2) convert_chroma(upper, lower, out, width);
    if (channels == 1) convert_luma(upper, lower, out, scale, is_linear_light);
}

/// Source rows 2 · `pair` and 2 · `pair` + 1, converted into a slot of the ring unless they are there
/// already. Rows outside the plane repeat its outermost row.
INLINE const uint32_t *row_pair(
    struct tile_plane *plane, int64_t pair, int32_t slot, const struct luma_scale *scale,
    const int channels, const int is_linear_light) {
    // Pixels are 4 bytes with 3 channels.
    const int bytes = channels == 3 ? 4 : channels;
    // Samples that are converted at once.
    const int count = channels == 1 ? 2 * LANES : LANES;
    ptrdiff_t width = plane->width;
    uint32_t *out = plane->ring + (ptrdiff_t)slot * plane->length;
    if (plane->held[slot] == pair) return out;
    plane->held[slot] = pair;
    const uint8_t *upper = row_at(plane, 2 * pair), *lower = row_at(plane, 2 * pair + 1);
    int64_t first = plane->first;
    ptrdiff_t index = 0;
    // Columns that are converted at once, and inside the plane.
    ptrdiff_t inside = first < 0 ? 0 : (plane->source_width - first) & -count;
    if (inside > width) inside = width;
    if (inside > 0) {
        const uint8_t *above = upper + first * bytes, *below = lower + first * bytes;
        const uint8_t *above_ahead = row_at(plane, 2 * pair + rows_ahead) + first * bytes;
        const uint8_t *below_ahead = row_at(plane, 2 * pair + rows_ahead + 1) + first * bytes;
        // A few addresses at a time: a processor stalls when too many are prefetched at once.
        for (; index < inside; index += count) {
            __builtin_prefetch(above_ahead + index * bytes);
            __builtin_prefetch(below_ahead + index * bytes);
            convert(
                above + index * bytes, below + index * bytes, out + index, width, scale, channels,
                is_linear_light);
        }
    }
    for (; index < width; index += count) {
        uint8_t copies[2][LANES * 4];
        convert(
            samples_at(plane, upper, first + index, copies[0], count, bytes),
            samples_at(plane, lower, first + index, copies[1], count, bytes), out + index, width, scale,
            channels, is_linear_light);
    }
    return out;
}

/// The vertical filter at `parts` vectors of source columns, in pairs of columns. The results drop
/// `bits` bits of fraction of the sums.
INLINE void filter_columns(
    const struct tile_plane *plane, const int16_t *weights, int32_t count, int32_t index,
    uint32_t *out, const int parts, const int bits) {
    const int32_t rounding = 1 << (bits - 1);
    sums all[sums_at_once];
    for (int part = 0; part < parts; part++) all[part] = (sums){0} + rounding;
    for (int32_t pair = 0; pair < count; pair++) {
        const pairs *values = (const pairs *)(plane->lines[pair] + index);
        pairs weight = (pairs){0} + weights_at(weights, pair);
        for (int part = 0; part < parts; part++)
            all[part] = add_products(all[part], values[part], weight);
    }
    for (int part = 0; part < parts; part += 2)
        *(pairs *)(out + index / 2 + part / 2 * LANES) = pairs_of_sums(all[part], all[part + 1], bits);
}

/// The vertical filter: computes target row `row` of the tables at each source column, in pairs of
/// columns.
INLINE void filter_vertically(
    struct tile_plane *plane, int32_t row, uint32_t *out, const struct luma_scale *scale,
    const int channels, const int is_linear_light) {
    int32_t slots = plane->rows->pairs;
    int64_t first = plane->rows->first[row] / 2;
    const int16_t *weights = plane->rows->weights + (ptrdiff_t)row * slots * 2;
    int32_t slot = (int32_t)((first % slots + slots) % slots), count = slots;
    while (weights_at(weights, count - 1) == 0) count--;
    for (int32_t pair = 0; pair < count; pair++) {
        plane->lines[pair] =
            row_pair(plane, first + pair, slot, scale, channels, is_linear_light);
        if (++slot == slots) slot = 0;
    }
    // Bytes of pixels become encoded values here; all other samples are values of the filter already.
    const int bits = channels == 3 && !is_linear_light ? weight_bits - encoded_bits : weight_bits;
    int32_t index = 0;
    for (; index + sums_at_once * LANES <= plane->length; index += sums_at_once * LANES)
        filter_columns(plane, weights, count, index, out, sums_at_once, bits);
    for (; index < plane->length; index += 2 * LANES)
        filter_columns(plane, weights, count, index, out, 2, bits);
}

/// Transposes rows of results of the vertical filter: for each pair of columns the values of each channel,
/// each of `LANES` rows.
INLINE void transpose_rows(struct tile_plane *plane, const int channels) {
    const ptrdiff_t count = plane->width / 2, row_length = plane->length / 2;
    for (int channel = 0; channel < channels; channel++) {
        const uint32_t *means = plane->means + channel * count, *end = means + count;
        uint32_t *out = plane->transposed_columns + (ptrdiff_t)channel * LANES;
        for (; means < end; means += LANES, out += channels * LANES * LANES) {
            pairs v[LANES];
            for (int row = 0; row < LANES; row++)
                v[row] = *(const pairs *)(means + row * row_length);
            transpose(v);
            for (int part = 0; part < LANES; part++)
                *(pairs *)(out + (ptrdiff_t)pair_order[part] * channels * LANES) = arranged(v[part]);
        }
    }
}

/// Filters `count` rows of a plane vertically, from target row `y` on.
INLINE void filter_rows(
    struct tile_plane *plane, int32_t y, int32_t count, const struct luma_scale *scale,
    const int channels, const int is_linear_light) {
    for (int32_t row = 0; row < count; row++)
        filter_vertically(
            plane, y + row - plane->rows->begin, plane->means + (ptrdiff_t)row * (plane->length / 2),
            scale, channels, is_linear_light);
    transpose_rows(plane, channels);
}

/// Adds a pair of columns to the sums of each channel.
INLINE void add_pair(sums *out, const pairs *values, uint32_t weights, const int channels) {
    pairs weight = (pairs){0} + weights;
    for (int channel = 0; channel < channels; channel++)
        out[channel] = add_products(out[channel], values[channel], weight);
}

/// The next target column to filter horizontally.
struct column {
    /// Its first source column, and its weights.
    const int32_t *first;
    const int16_t *weights;
    /// Number of pairs of weights.
    int32_t pairs;
    /// Where results of the vertical filter for source column 0 would be.
    uintptr_t values;
};

INLINE struct column column_at(const struct tile_plane *plane, int32_t x, const int channels) {
    const struct cpainting_taps *columns = plane->columns;
    ptrdiff_t index = x - columns->begin;
    return (struct column){
        columns->first + index, columns->weights + index * columns->pairs * 2, columns->pairs,
        (uintptr_t)plane->transposed_columns
            - (uintptr_t)((ptrdiff_t)plane->first * channels * LANES * 2)};
}

/// The horizontal filter: `LANES` rows of a target column, for each channel. `column` is then the next one.
INLINE void filter_horizontally(struct column *column, sums *out, const int channels) {
    const int16_t *weights = column->weights;
    const pairs *values = (const pairs *)(column->values
                                          + (uintptr_t)((ptrdiff_t)*column->first * channels * LANES * 2));
    for (int channel = 0; channel < channels; channel++) out[channel] = (sums){0};
    // Three pairs without a loop, and then two at once, because there are few.
    for (int step = 0; step < least_pairs; step++)
        add_pair(out, values + step * channels, weights_at(weights, step), channels);
    int32_t count = column->pairs - least_pairs;
    weights += 2 * least_pairs;
    values += least_pairs * channels;
#pragma clang loop unroll(disable)
    for (; count > 1; count -= 2, weights += 4, values += 2 * channels)
        for (int step = 0; step < 2; step++)
            add_pair(out, values + step * channels, weights_at(weights, step), channels);
    if (count > 0) {
        add_pair(out, values, weights_at(weights, 0), channels);
        weights += 2;
    }
    column->weights = weights;
    column->first++;
}

/// How filtered luma and chroma become red, green and blue.
struct color_factors {
    numbers red, green_blue, green_red, blue;
};

INLINE struct color_factors color_factors_of(const struct cpainting_conversion *conversion) {
    // The factors of the conversion are in 1/8192.
    const float unit = 1.0f / (8192.0f * (1 << chroma_bits) * (1 << weight_bits));
    const numbers none = {0};
    return (struct color_factors){
        none + (float)conversion->red * unit, none + (float)conversion->green_blue * unit,
        none + (float)conversion->green_red * unit, none + (float)conversion->blue * unit};
}

/// `LANES` rows of a target column as pixels. `factors` is NULL for pixels.
INLINE pairs pixels_of_column(
    struct column *columns, const struct color_factors *factors, const int is_linear_light) {
    const float half = 0.5f;
    sums blue, green, red;
    if (factors == NULL) {
        sums all[3];
        filter_horizontally(&columns[0], all, 3);
        blue = __builtin_convertvector(encoded_of(all[0], half, is_linear_light), sums);
        green = __builtin_convertvector(encoded_of(all[1], half, is_linear_light), sums);
        red = __builtin_convertvector(encoded_of(all[2], half, is_linear_light), sums);
    } else {
        sums sum, both[2];
        filter_horizontally(&columns[0], &sum, 1);
        filter_horizontally(&columns[1], both, 2);
        numbers luma = encoded_of(sum, half, is_linear_light);
        numbers cb = __builtin_convertvector(both[0], numbers);
        numbers cr = __builtin_convertvector(both[1], numbers);
        blue = __builtin_convertvector(luma + factors->blue * cb, sums);
        green = __builtin_convertvector(
            luma - factors->green_blue * cb - factors->green_red * cr, sums);
        red = __builtin_convertvector(luma + factors->red * cr, sums);
    }
    return opaque_pixels(blue, green, red);
}

/// Filters up to `LANES` rows of the tile horizontally; `out` is the first row.
INLINE void paint_rows(
    const struct tile *tile, uint8_t *out, ptrdiff_t stride, int32_t count,
    const struct color_factors *factors, const int is_linear_light) {
    struct column columns[most_planes] = {column_at(&tile->planes[0], tile->x, factors ? 1 : 3)};
    if (factors) columns[1] = column_at(&tile->planes[1], tile->x, 2);
    for (int32_t x = tile->x; x < tile->end; x += LANES, out += LANES * 4) {
        pairs v[LANES] = {0};
        int32_t width = tile->end - x < LANES ? tile->end - x : LANES;
        for (int32_t part = 0; part < width; part++)
            v[part] = pixels_of_column(columns, factors, is_linear_light);
        transpose(v);
        if (count == LANES && width == LANES)
            for (int32_t row = 0; row < LANES; row++)
                memcpy(out + row * stride, &v[row], LANES * 4);
        else
            for (int32_t row = 0; row < count; row++)
                memcpy(out + row * stride, &v[row], (size_t)width * 4);
    }
}

INLINE void forget_rows(struct tile_plane *plane) {
    for (int32_t slot = 0; slot < plane->rows->pairs; slot++) plane->held[slot] = INT64_MIN;
}

INLINE int paint_tile(
    struct tile *tile, const struct cpainting_refinement *refinement, const int is_planar,
    const int is_linear_light) {
    struct luma_scale scale = {0};
    struct color_factors factors = {0};
    struct tile_plane *planes = tile->planes;
    forget_rows(&planes[0]);
    if (is_planar) {
        scale = luma_scale_of(tile->conversion);
        factors = color_factors_of(tile->conversion);
        forget_rows(&planes[1]);
    }
    ptrdiff_t stride = refinement->stride;
    for (int32_t y = refinement->top; y < refinement->bottom; y += LANES) {
        if (cpainting_is_raised(refinement->flag)) return 1;
        int32_t count = refinement->bottom - y < LANES ? refinement->bottom - y : LANES;
        filter_rows(&planes[0], y, count, &scale, is_planar ? 1 : 3, is_linear_light);
        if (is_planar) filter_rows(&planes[1], y, count, &scale, 2, is_linear_light);
        paint_rows(
            tile, refinement->target + y * stride + (ptrdiff_t)tile->x * 4, stride, count,
            is_planar ? &factors : NULL, is_linear_light);
    }
    return 0;
}

/// The entry point of a kernel. The last arguments are constants in each branch.
static int paint(struct tile *tile, const struct cpainting_refinement *refinement) {
    if (tile->conversion != NULL)
        return refinement->is_linear_light ? paint_tile(tile, refinement, 1, 1)
                                           : paint_tile(tile, refinement, 1, 0);
    return refinement->is_linear_light ? paint_tile(tile, refinement, 0, 1)
                                       : paint_tile(tile, refinement, 0, 0);
}
