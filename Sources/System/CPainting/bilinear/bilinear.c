#include "bilinear.h"

#include <stdlib.h>
#include <string.h>

#include "positions.h"
#include "sets.h"
#include "simd.h"
#include "target_row.h"

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

struct cpainting_spacing cpainting_columns_fill(
    int32_t *left, uint16_t *weights, int32_t first, int32_t count, int32_t used, int32_t used_end,
    struct cpainting_axis axis, int32_t width) {
    struct cpainting_spacing spacing = {1, 0};
    for (int32_t index = 0; index < count; index++) {
        int32_t column = first + index;
        int64_t place = position_on(axis, column, width, 128);
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

/// The state of painting one image, with two horizontally interpolated source rows that are kept
/// from one target row to the next.
struct painting {
    const struct cpainting_source *source;
    const struct cpainting_columns *columns;
    const struct bilinear_kernel *kernel;
    /// Whether the image is shrunk, so that few source rows are used twice.
    int is_shrunk;
    int16_t *interpolated[2];
    int64_t rows[2];
};

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

/// The source rows of a target row.
struct source_rows {
    const struct painting *painting;
    struct row_place place;
    /// The rows, interpolated, if the image is not shrunk.
    const int16_t *upper, *lower;
};

static void interpolate(
    const void *context, int32_t from, int32_t to, uint8_t *out, int streams) {
    const struct source_rows *rows = context;
    const struct painting *painting = rows->painting;
    const struct cpainting_source *source = painting->source;
    if (painting->is_shrunk)
        painting->kernel->both(
            source_row(source, rows->place.upper), source_row(source, rows->place.lower),
            2 * source->stride, source->width, painting->columns, rows->place.weight, from, to, out,
            streams);
    else
        painting->kernel->blend(
            rows->upper, rows->lower, rows->place.weight, from, to, out, streams);
}

int cpainting_bilinear(
    const struct cpainting_source *source, const struct cpainting_columns *columns,
    struct cpainting_axis rows, uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end,
    int32_t top, int32_t bottom, const struct cpainting_blending *blending, int streams,
    enum cpainting_kernel choice) {
    choice = supported_set(choice);
    const struct bilinear_kernel *kernel = kernel_of(choice);
    if (x >= end) return 0;
    // A shrunk image uses each source row about once.
    struct painting painting = {
        source, columns, kernel, kernel->both != NULL && rows.step > 1.2, {NULL, NULL}, {-1, -1}};
    size_t bytes = ((size_t)columns->count * 8 + 63) & ~(size_t)63;
    char *memory = NULL;
    if (posix_memalign((void **)&memory, 64, bytes * 2) != 0) return -1;
    painting.interpolated[0] = (int16_t *)memory;
    painting.interpolated[1] = (int16_t *)(memory + bytes);
    int32_t begin = x - columns->first, stop = end - columns->first;
    for (int32_t y = top; y < bottom; y++) {
        uint8_t *out = target + (y - top) * stride + (ptrdiff_t)columns->first * 4;
        struct source_rows source_rows = {
            &painting, row_place_on(rows, y, source->height), NULL, NULL};
        struct target_row row = {
            interpolate, &source_rows, blending,
            blending && blending->below
                ? blending->below[y - top] + (ptrdiff_t)columns->first * 4 : NULL,
            streams, choice};
        struct row_place place = source_rows.place;
        if (columns->spacing.is_copy && place.weight == 0) {
            const uint8_t *pixels =
                source_row(source, place.upper) + (ptrdiff_t)columns->left[begin] * 4;
            if (blending)
                target_row_blend(&row, pixels, begin, stop - begin, out);
            else if (!streams)
                memcpy(out + (ptrdiff_t)begin * 4, pixels, (size_t)(stop - begin) * 4);
            else
                kernel->copy(
                    out + (ptrdiff_t)begin * 4, pixels, (size_t)(stop - begin) * 4,
                    2 * source->stride);
            continue;
        }
        if (!painting.is_shrunk) {
            int32_t from = begin & ~7, to = (stop + 7) & ~7;
            source_rows.upper = interpolated_row(&painting, place.upper, place.lower, from, to);
            source_rows.lower = interpolated_row(&painting, place.lower, place.upper, from, to);
        }
        target_row_paint(&row, begin, stop, out);
    }
    kernel->fence();
    free(memory);
    return 0;
}
