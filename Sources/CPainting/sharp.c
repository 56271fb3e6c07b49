// Rows first, then columns, in tiles that stay in a processor's own cache: a source row of a tile is
// turned into light once, kept as long as target rows are made of it, and forgotten.
#include "cpainting_sharp.h"

#include <stdlib.h>
#include <string.h>

void cpainting_raise(int32_t *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

int cpainting_is_raised(const int32_t *flag) {
    return __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

typedef float eight __attribute__((vector_size(32)));
typedef int32_t eight_words __attribute__((vector_size(32)));

enum {
    /// So wide that what a tile is made of stays in the cache nearest to a processor.
    tile_width = 96,
    /// Source rows are asked for so long before they are wanted: each lies in a page of its own, which
    /// no processor foresees.
    rows_ahead = 4,
    /// Numbers of a row that are made in one go, and whose sums stay in registers meanwhile.
    numbers_at_once = 64,
};

/// A part of a target that is painted in one go, and the source that it is made of.
struct tile {
    const struct cpainting_source *source;
    const struct cpainting_taps *columns, *rows;
    /// Target columns.
    int32_t x, end;
    /// The first source column, and how many there are, a multiple of eight.
    int32_t first, width;
    /// Numbers of one such row: three times the width, and more that are not looked at.
    int32_t length;
    /// Source rows as light, row r in place r modulo `rows->taps`; and which each is. Of each all blue,
    /// then all green, then all red.
    float *ring;
    int64_t *held;
    /// The rows that one target row is made of.
    const float **lines;
    /// Means down: eight target rows like those of the source, and the same by columns.
    float *means;
    eight *columns_up;
};

// Such vectors are only passed to functions that are always inlined.
#pragma clang diagnostic ignored "-Wpsabi"
#define INLINE static inline __attribute__((always_inline))

INLINE int64_t clamped(int64_t value, int64_t length) {
    return value < 0 ? 0 : value >= length ? length - 1 : value;
}

/// What numbers stand for. sRGB's curve (IEC 61966-2-1) is the square of a parabola here, and
/// 0.0005 more, which a mean does not mind: never more than 1.2 of the 255 steps beside it.
///
/// Light is from 0 to 1, and numbers that stay such from 0 to 255.
INLINE eight light_of(eight_words numbers, const int is_light) {
    const float step = 1 / 255.0f;
    eight value = __builtin_convertvector(numbers, eight);
    if (!is_light) return value;
    eight root =
        (value * (0.22288226f * step * step) + 0.75545911f * step) * value + 0.02699402f;
    return root * root;
}

/// The opposite, to 0.02 of a step: numbers from 0 to 255.
INLINE eight_words numbers_of(eight light, const int is_light) {
    const float most = 255.0f, half = 0.5f;
    const eight none = {0}, all = none + most;
    // Sharpening goes beyond black and white.
    eight value = __builtin_elementwise_max(light, none);
    if (is_light) {
        eight root = __builtin_elementwise_sqrt(value);
        value = (root * (-0.06512564f * most) + 0.24349995f * most) * root - 0.49226878f * most;
        value = (value * root + 1.3452783f * most) * root - (0.03588616f * most - half);
        value = __builtin_elementwise_max(value, none);
    } else {
        value += half;
    }
    return __builtin_convertvector(__builtin_elementwise_min(value, all), eight_words);
}

/// A source row as light, which is kept at `place`; rows and columns outside of the source are its
/// outermost ones.
INLINE const float *row_of_light(
    struct tile *tile, int64_t row, int32_t place, const int is_light) {
    ptrdiff_t width = tile->width;
    float *out = tile->ring + (ptrdiff_t)place * tile->length;
    if (tile->held[place] == row) return out;
    tile->held[place] = row;
    const struct cpainting_source *source = tile->source;
    const uint8_t *pixels = source->pixels + clamped(row, source->height) * source->stride;
    const uint8_t *ahead = source->pixels
        + clamped(row + rows_ahead, source->height) * source->stride
        + clamped(tile->first, source->width) * 4;
    for (ptrdiff_t part = 0; part < width * 4; part += 64) __builtin_prefetch(ahead + part);
    for (ptrdiff_t index = 0; index < width; index += 8) {
        int64_t column = (int64_t)tile->first + index;
        eight_words words;
        if (column >= 0 && column + 8 <= source->width) {
            memcpy(&words, pixels + column * 4, sizeof words);
        } else {
            for (int part = 0; part < 8; part++)
                memcpy(
                    (uint8_t *)&words + part * 4,
                    pixels + clamped(column + part, source->width) * 4, 4);
        }
        for (int channel = 0; channel < 3; channel++) {
            eight light = light_of(words >> channel * 8 & 255, is_light);
            memcpy(out + channel * width + index, &light, sizeof light);
        }
    }
    return out;
}

/// Makes of source rows what target row `row` of the tables has in each source column.
INLINE void mean_down(struct tile *tile, int32_t row, const int is_light, float *out) {
    int32_t taps = tile->rows->taps;
    int64_t first = tile->rows->first[row];
    const float *weights = tile->rows->weights + (ptrdiff_t)row * taps;
    int32_t place = (int32_t)((first % taps + taps) % taps);
    for (int32_t tap = 0; tap < taps; tap++) {
        tile->lines[tap] = row_of_light(tile, first + tap, place, is_light);
        if (++place == taps) place = 0;
    }
    for (int32_t index = 0; index < tile->length; index += numbers_at_once) {
        eight sums[numbers_at_once / 8] = {{0}};
        for (int32_t tap = 0; tap < taps; tap++) {
            const eight *light = (const eight *)(tile->lines[tap] + index);
            for (int32_t part = 0; part < numbers_at_once / 8; part++)
                sums[part] += light[part] * weights[tap];
        }
        memcpy(out + index, sums, sizeof sums);
    }
}

/// Exchanges rows and columns.
INLINE void transpose(eight v[8]) {
    eight t[8];
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

/// Lays out the means of eight rows by columns: blue, green and red, each of the eight rows.
INLINE void stand_up(struct tile *tile) {
    ptrdiff_t width = tile->width;
    for (int channel = 0; channel < 3; channel++)
        for (ptrdiff_t column = 0; column < width; column += 8) {
            const float *means = tile->means + channel * width + column;
            eight v[8];
            for (int row = 0; row < 8; row++)
                v[row] = *(const eight *)(means + (ptrdiff_t)row * tile->length);
            transpose(v);
            for (int part = 0; part < 8; part++)
                tile->columns_up[(column + part) * 3 + channel] = v[part];
        }
}

/// Target column `column` of the tables, eight rows of it as words.
INLINE eight_words mean_across(const struct tile *tile, int32_t column, const int is_light) {
    int32_t taps = tile->columns->taps;
    const float *weights = tile->columns->weights + (ptrdiff_t)column * taps;
    ptrdiff_t from = tile->columns->first[column] - tile->first;
    const eight *light = tile->columns_up + from * 3;
    eight blue = {0}, green = {0}, red = {0};
    for (int32_t tap = 0; tap < taps; tap++, light += 3) {
        blue += light[0] * weights[tap];
        green += light[1] * weights[tap];
        red += light[2] * weights[tap];
    }
    return numbers_of(blue, is_light) | numbers_of(green, is_light) << 8
        | numbers_of(red, is_light) << 16 | (int32_t)0xff000000;
}

/// Paints up to eight rows of the tile, the first one at `out`.
INLINE void rows_across(
    const struct tile *tile, uint8_t *out, ptrdiff_t stride, int32_t count, const int is_light) {
    for (int32_t x = tile->x; x < tile->end; x += 8, out += 32) {
        eight v[8];
        int32_t last = tile->end - 1;
        for (int32_t part = 0; part < 8; part++) {
            int32_t column = (x + part < last ? x + part : last) - tile->columns->begin;
            eight_words words = mean_across(tile, column, is_light);
            memcpy(&v[part], &words, sizeof words);
        }
        transpose(v);
        size_t length = x + 8 <= tile->end ? 32 : (size_t)(tile->end - x) * 4;
        for (int32_t row = 0; row < count; row++) memcpy(out + row * stride, &v[row], length);
    }
}

INLINE int paint_tile(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, const int is_light) {
    for (int32_t place = 0; place < tile->rows->taps; place++) tile->held[place] = INT64_MIN;
    for (int32_t y = top; y < bottom; y += 8) {
        if (cpainting_is_raised(flag)) return 1;
        int32_t count = bottom - y < 8 ? bottom - y : 8;
        for (int32_t row = 0; row < count; row++)
            mean_down(
                tile, y + row - tile->rows->begin, is_light,
                tile->means + (ptrdiff_t)row * tile->length);
        stand_up(tile);
        rows_across(
            tile, target + y * stride + (ptrdiff_t)tile->x * 4, stride, count, is_light);
    }
    return 0;
}

static int paint_portable(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, int is_light) {
    return is_light ? paint_tile(tile, target, stride, top, bottom, flag, 1)
                    : paint_tile(tile, target, stride, top, bottom, flag, 0);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static int paint_avx2(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, int is_light) {
    return is_light ? paint_tile(tile, target, stride, top, bottom, flag, 1)
                    : paint_tile(tile, target, stride, top, bottom, flag, 0);
}
#endif

int cpainting_sharp(
    const struct cpainting_source *source, const struct cpainting_taps *columns,
    const struct cpainting_taps *rows, int is_light, uint8_t *target, ptrdiff_t stride,
    int32_t x, int32_t end, int32_t top, int32_t bottom, const int32_t *flag) {
    int (*paint)(struct tile *, uint8_t *, ptrdiff_t, int32_t, int32_t, const int32_t *, int) =
        paint_portable;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) paint = paint_avx2;
#endif
    int result = 0;
    for (int32_t left = x; left < end && result == 0; left += tile_width) {
        struct tile tile = {.source = source, .columns = columns, .rows = rows};
        tile.x = left;
        tile.end = end < left + tile_width ? end : left + tile_width;
        tile.first = columns->first[left - columns->begin];
        int32_t last = columns->first[tile.end - 1 - columns->begin] + columns->taps;
        tile.width = (last - tile.first + 7) & ~7;
        tile.length = (tile.width * 3 + numbers_at_once - 1) & ~(numbers_at_once - 1);
        size_t count = (size_t)rows->taps, row = (size_t)tile.length * sizeof(float);
        void *memory = NULL;
        size_t bytes = row * (count + 8) + (size_t)tile.width * 3 * sizeof(eight);
        if (posix_memalign(&memory, 64, bytes) != 0) return -1;
        memset(memory, 0, bytes);
        tile.ring = memory;
        tile.means = tile.ring + (size_t)tile.length * count;
        tile.columns_up = (eight *)(tile.means + (size_t)tile.length * 8);
        tile.held = malloc(count * sizeof *tile.held);
        tile.lines = malloc(count * sizeof *tile.lines);
        result = tile.held == NULL || tile.lines == NULL
            ? -1
            : paint(&tile, target, stride, top, bottom, flag, is_light);
        free(tile.lines);
        free(tile.held);
        free(memory);
    }
    return result;
}
