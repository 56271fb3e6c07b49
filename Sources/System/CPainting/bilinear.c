#include "bilinear.h"

#include <stdlib.h>
#include <string.h>

#include "sets.h"
#include "simd.h"

// Positions are the same on every processor: no product is added without rounding.
#pragma clang fp contract(off)

static const struct bilinear_kernel *kernel_of(enum cpainting_kernel set) {
    switch (set) {
#if defined(__x86_64__)
    case CPAINTING_AVX2: return &bilinear_avx2;
#endif
#if HAS_SIMD
    case CPAINTING_SIMD: return &bilinear_simd;
#endif
    default: return &bilinear_portable;
    }
}

/// The centre of target pixel `index` from the centre of the first source pixel, clamped to the
/// source, as a fixed-point number with `units` units a source pixel.
static int64_t position(struct cpainting_axis axis, int32_t index, int32_t length, double units) {
    // Computed from the axis for each pixel: no error accumulates over a wide frame, and a pixel
    // does not depend on where painting begins.
    double place = (axis.origin + (index + 0.5) * axis.step - 0.5) * units + 0.5;
    double last = (length - 1) * units;
    // NaN is not greater either.
    if (!(place > 0)) return 0;
    return place < last ? (int64_t)place : (int64_t)last;
}

struct cpainting_spacing cpainting_columns_fill(
    int32_t *left, uint16_t *weights, int32_t first, int32_t count, int32_t used, int32_t used_end,
    struct cpainting_axis axis, int32_t width) {
    struct cpainting_spacing spacing = {1, 0};
    for (int32_t index = 0; index < count; index++) {
        int32_t column = first + index;
        int64_t place = position(axis, column, width, 128);
        int32_t share = (int32_t)(place & 127);
        left[index] = (int32_t)(place >> 7);
        weights[index] = (uint16_t)((128 - share) | share << 8);
        if (column < used || column >= used_end) continue;
        if (share != 0 || (column > used && left[index] != left[index - 1] + 1)) spacing.is_copy = 0;
    }
    for (int32_t index = 0; index < count; index += 8) {
        int32_t span = left[index + 7] - left[index];
        if (span < 0) span = INT32_MAX;
        if (span > spacing.span) spacing.span = span;
    }
    return spacing;
}

/// The position of a target row in the source: two source rows, and the weight of the lower one in
/// 1/32768.
struct row_place {
    int64_t upper, lower;
    int16_t weight;
};

static struct row_place place_of_row(
    const struct cpainting_source *source, struct cpainting_axis rows, int32_t y) {
    int64_t place = position(rows, y, source->height, 32768);
    int16_t weight = (int16_t)(place & 32767);
    // The last row has no row below it; the weight is 0 then.
    return (struct row_place){place >> 15, (place >> 15) + (weight != 0), weight};
}

/// The state of painting one image, with two horizontally interpolated source rows that are kept
/// from one target row to the next.
struct painting {
    const struct cpainting_source *source;
    const struct cpainting_columns *columns;
    const struct bilinear_kernel *kernel;
    /// Whether the image is shrunk, so that few source rows are used twice.
    int is_shrunk;
    /// NULL if the pixels replace those of the target.
    const struct cpainting_blending *blending;
    enum cpainting_kernel choice;
    int16_t *interpolated[2];
    int64_t rows[2];
};

/// Columns that are interpolated before they are blended: few enough for the innermost cache of a
/// processor.
enum { BLENDED_AT_ONCE = 128 };

static const uint8_t *source_row(const struct cpainting_source *source, int64_t row) {
    return source->pixels + row * source->stride;
}

/// The horizontally interpolated source row `row`, for columns `from` to `to`. The kept row `other`
/// is not overwritten.
static const int16_t *interpolated_row(
    struct painting *painting, int64_t row, int64_t other, int32_t from, int32_t to) {
    for (int slot = 0; slot < 2; slot++)
        if (painting->rows[slot] == row) return painting->interpolated[slot];
    int slot = painting->rows[0] == other ? 1 : 0;
    const struct cpainting_source *source = painting->source;
    painting->kernel->across(
        source_row(source, row), 2 * source->stride, source->width, painting->columns, from, to,
        painting->interpolated[slot]);
    painting->rows[slot] = row;
    return painting->interpolated[slot];
}

/// A target row, which is painted in groups of 8 columns.
struct target_row {
    struct painting *painting;
    struct row_place place;
    /// Row to blend over; NULL blends over the target's pixels.
    const uint8_t *below;
    /// The interpolated source rows, if the image is not shrunk.
    const int16_t *upper, *lower;
};

static void interpolate(
    const struct target_row *row, int32_t from, int32_t to, uint8_t *out, int streams) {
    const struct painting *painting = row->painting;
    const struct cpainting_source *source = painting->source;
    if (painting->is_shrunk)
        painting->kernel->both(
            source_row(source, row->place.upper), source_row(source, row->place.lower),
            2 * source->stride, source->width, painting->columns, row->place.weight, from, to, out,
            streams);
    else
        painting->kernel->blend(
            row->upper, row->lower, row->place.weight, from, to, out, streams);
}

/// Blends `count` pixels over those from column `from` on; `out` is the pixel of the table's first
/// column.
static void blend_over(
    const struct target_row *row, const uint8_t *pixels, int32_t from, int32_t count,
    uint8_t *out) {
    const struct painting *painting = row->painting;
    uint8_t *target = out + (ptrdiff_t)from * 4;
    cpainting_over(
        target,
        row->below ? row->below + ((ptrdiff_t)painting->columns->first + from) * 4 : target,
        pixels, (size_t)count, painting->blending->opacity, painting->choice);
}

/// Paints whole groups; `out` is the pixel of the table's first column.
static void paint_groups(const struct target_row *row, int32_t from, int32_t to, uint8_t *out) {
    if (!row->painting->blending) {
        interpolate(row, from, to, out + (ptrdiff_t)from * 4, 1);
        return;
    }
    uint8_t pixels[BLENDED_AT_ONCE * 4] __attribute__((aligned(32)));
    for (; from < to; from += BLENDED_AT_ONCE) {
        int32_t count = to - from < BLENDED_AT_ONCE ? to - from : BLENDED_AT_ONCE;
        interpolate(row, from, from + count, pixels, 0);
        blend_over(row, pixels, from, count, out);
    }
}

/// Paints columns `begin` to `end` of one group.
static void paint_part(
    const struct target_row *row, int32_t group, int32_t begin, int32_t end, uint8_t *out) {
    uint8_t pixels[32] __attribute__((aligned(32)));
    interpolate(row, group, group + 8, pixels, 0);
    const uint8_t *first = pixels + (ptrdiff_t)(begin - group) * 4;
    if (row->painting->blending)
        blend_over(row, first, begin, end - begin, out);
    else
        memcpy(out + (ptrdiff_t)begin * 4, first, (size_t)(end - begin) * 4);
}

/// Paints columns `begin` to `end`; `out` is the pixel of the table's first column.
static void paint_row(const struct target_row *row, int32_t begin, int32_t end, uint8_t *out) {
    int32_t from = begin & ~7, to = end & ~7;
    if (from == to) {
        paint_part(row, from, begin, end, out);
        return;
    }
    if (from < begin) {
        paint_part(row, from, begin, from + 8, out);
        from += 8;
    }
    if (from < to) paint_groups(row, from, to, out);
    if (to < end) paint_part(row, to, to, end, out);
}

int cpainting_bilinear(
    const struct cpainting_source *source, const struct cpainting_columns *columns,
    struct cpainting_axis rows, uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end,
    int32_t top, int32_t bottom, const struct cpainting_blending *blending,
    enum cpainting_kernel choice) {
    choice = supported_set(choice);
    const struct bilinear_kernel *kernel = kernel_of(choice);
    if (x >= end) return 0;
    // A shrunk image uses each source row about once.
    struct painting painting = {
        source, columns, kernel, kernel->both != NULL && rows.step > 1.2, blending, choice,
        {NULL, NULL}, {-1, -1}};
    size_t bytes = ((size_t)columns->count * 8 + 63) & ~(size_t)63;
    char *memory = NULL;
    if (posix_memalign((void **)&memory, 64, bytes * 2) != 0) return -1;
    painting.interpolated[0] = (int16_t *)memory;
    painting.interpolated[1] = (int16_t *)(memory + bytes);
    int32_t begin = x - columns->first, stop = end - columns->first;
    for (int32_t y = top; y < bottom; y++) {
        uint8_t *out = target + (y - top) * stride + (ptrdiff_t)columns->first * 4;
        struct target_row row = {
            &painting, place_of_row(source, rows, y),
            blending && blending->below ? blending->below[y - top] : NULL, NULL, NULL};
        if (columns->spacing.is_copy && row.place.weight == 0) {
            const uint8_t *pixels =
                source_row(source, row.place.upper) + (ptrdiff_t)columns->left[begin] * 4;
            if (blending)
                blend_over(&row, pixels, begin, stop - begin, out);
            else
                kernel->copy(
                    out + (ptrdiff_t)begin * 4, pixels, (size_t)(stop - begin) * 4,
                    2 * source->stride);
            continue;
        }
        if (!painting.is_shrunk) {
            int32_t from = begin & ~7, to = (stop + 7) & ~7;
            row.upper =
                interpolated_row(&painting, row.place.upper, row.place.lower, from, to);
            row.lower =
                interpolated_row(&painting, row.place.lower, row.place.upper, from, to);
        }
        paint_row(&row, begin, stop, out);
    }
    kernel->fence();
    free(memory);
    return 0;
}
