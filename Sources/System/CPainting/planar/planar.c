#include "planar.h"

#include <stdlib.h>

#include "positions.h"
#include "sets.h"
#include "simd.h"
#include "target_row.h"

/// Bytes that the kernels with vectors load at once.
enum { LOADED = 16 };

static const struct planar_kernel *kernel_of(enum cpainting_kernel set) {
    switch (set) {
#if defined(__x86_64__)
    case CPAINTING_AVX2: return &planar_avx2;
#endif
#if HAS_SIMD
    case CPAINTING_SIMD: return &planar_simd;
#endif
    default: return &planar_portable;
    }
}

// MARK: Columns

static void fill_axis(
    struct planar_axis *columns, struct cpainting_axis axis, int32_t first, int32_t count) {
    for (int32_t index = 0; index < count; index++) {
        int64_t place = position_on(axis, first + index, columns->width, 128);
        columns->left[index] = (int32_t)(place >> 7);
        columns->shares[index] = (uint8_t)(place & 127);
    }
}

static int32_t exact_columns(const struct planar_axis *axis, ptrdiff_t stride, int32_t count) {
    int32_t first = axis->left[0], index = 0;
    while (index < count && axis->shares[index] == 0 && axis->left[index] == first + index) index++;
    return first + count <= stride ? index : 0;
}

#if HAS_SIMD

/// The place of a part's places and weights. AVX2 needs those of chroma in the order 0, 2, 1, 3.
static ptrdiff_t place_of_part(int32_t part, int is_chroma, enum cpainting_kernel set) {
    int swaps = is_chroma && set == CPAINTING_AVX2;
    return (swaps ? (part & ~3) | (part & 1) << 1 | (part >> 1 & 1) : part) * LOADED;
}

/// Makes the parts of a plane. Returns 0 if the samples of a part are too far apart to be loaded at once.
static int fill_parts(
    struct planar_axis *axis, ptrdiff_t stride, int32_t count, int is_chroma,
    enum cpainting_kernel set) {
    int step = is_chroma ? 2 : 1, length = PLANAR_GROUP / step;
    for (int32_t index = 0, part = 0; index < count; index += length, part++) {
        ptrdiff_t base = (ptrdiff_t)axis->left[index] * step;
        // At the end of a row, bytes before the part are loaded with it.
        if (base > stride - LOADED) base = stride - LOADED;
        uint8_t lefts[PLANAR_GROUP];
        for (int column = 0; column < length; column++) {
            ptrdiff_t place = (ptrdiff_t)axis->left[index + column] * step - base;
            // The last sample of a row has no right neighbour; its weight is 0 then.
            ptrdiff_t end = place + (axis->shares[index + column] ? 2 : 1) * step;
            if (place < 0 || end > LOADED) return 0;
            lefts[column] = (uint8_t)place;
        }
        axis->parts.bases[part] = (int32_t)base;
        ptrdiff_t place = place_of_part(part, is_chroma, set);
        planar_simd_set_part(
            axis->parts.order + place, axis->parts.weights + place, lefts, axis->shares + index,
            is_chroma);
    }
    return 1;
}

#endif

/// Kernels process up to 16 columns at once.
static int32_t rounded(int32_t count) { return (count + 15) & ~15; }

static struct cpainting_planar_columns *allocate_columns(int32_t count) {
    struct cpainting_planar_columns *columns = calloc(1, sizeof *columns);
    if (!columns) return NULL;
    size_t unit = (size_t)rounded(count);
    // Per column: places and weights of two bytes for luma and of four for chroma, left columns, shares,
    // and bases of parts of eight and of four columns.
    size_t bytes = unit * (2 * 2 + 2 * 4 + 2 * 4 + 2) + unit / 8 * 4 + unit / 4 * 4;
    if (posix_memalign(&columns->memory, 64, bytes + 64) != 0) {
        free(columns);
        return NULL;
    }
    char *next = columns->memory;
    columns->luma.parts.order = (uint8_t *)next, next += unit * 2;
    columns->luma.parts.weights = (uint8_t *)next, next += unit * 2;
    columns->chroma.parts.order = (uint8_t *)next, next += unit * 4;
    columns->chroma.parts.weights = (uint8_t *)next, next += unit * 4;
    columns->luma.left = (int32_t *)next, next += unit * 4;
    columns->chroma.left = (int32_t *)next, next += unit * 4;
    columns->luma.parts.bases = (int32_t *)next, next += unit / 8 * 4;
    columns->chroma.parts.bases = (int32_t *)next, next += unit / 4 * 4;
    columns->luma.shares = (uint8_t *)next, next += unit;
    columns->chroma.shares = (uint8_t *)next;
    return columns;
}

/// The mapping to the chroma plane that belongs to one to the luma plane.
static struct cpainting_axis chroma_axis(struct cpainting_axis luma, double scale, double edge) {
    return (struct cpainting_axis){luma.step * scale, luma.origin * scale - edge};
}

static void fill_columns(
    struct cpainting_planar_columns *columns, const struct cpainting_planes *planes,
    struct cpainting_axis axis, int32_t first, int32_t count, enum cpainting_kernel set) {
    count = rounded(count);
    columns->first = first;
    columns->count = count;
    columns->luma.width = planes->luma.width;
    columns->chroma.width = planes->chroma.width;
    fill_axis(&columns->luma, axis, first, count);
    const struct cpainting_siting *siting = &planes->siting;
    fill_axis(
        &columns->chroma, chroma_axis(axis, siting->column_scale, siting->column_edge), first,
        count);
    columns->set = set;
    columns->exact_count = exact_columns(&columns->luma, planes->luma.stride, count);
#if HAS_SIMD
    if (set != CPAINTING_PORTABLE &&
        !(fill_parts(&columns->luma, planes->luma.stride, count, 0, set) &&
          fill_parts(&columns->chroma, planes->chroma.stride, count, 1, set)))
        columns->set = CPAINTING_PORTABLE;
#endif
    columns->kernel = kernel_of(columns->set);
}

struct cpainting_planar_columns *cpainting_planar_columns_create(
    const struct cpainting_planes *planes, struct cpainting_axis axis, int32_t first, int32_t count,
    enum cpainting_kernel kernel) {
    struct cpainting_planar_columns *columns = allocate_columns(count);
    if (columns) fill_columns(columns, planes, axis, first, count, supported_set(kernel));
    return columns;
}

void cpainting_planar_columns_destroy(struct cpainting_planar_columns *columns) {
    if (!columns) return;
    free(columns->memory);
    free(columns);
}

// MARK: Rows

/// Interpolates a row of a plane.
typedef void across(
    const uint8_t *row, ptrdiff_t ahead, const struct planar_axis *axis, int32_t from, int32_t to,
    int16_t *out);

/// Two horizontally interpolated rows of a plane, which are kept from one target row to the next.
struct kept_rows {
    const struct cpainting_plane *plane;
    const struct planar_axis *axis;
    across *across;
    int16_t *values[2];
    int64_t rows[2];
};

/// The interpolated row `row`, for columns `from` to `to`. The kept row `other` is not overwritten.
static const int16_t *kept_row(
    struct kept_rows *kept, int64_t row, int64_t other, int32_t from, int32_t to) {
    for (int slot = 0; slot < 2; slot++)
        if (kept->rows[slot] == row) return kept->values[slot];
    int slot = kept->rows[0] == other ? 1 : 0;
    const struct cpainting_plane *plane = kept->plane;
    kept->across(
        plane->samples + row * plane->stride, 2 * plane->stride, kept->axis, from, to,
        kept->values[slot]);
    kept->rows[slot] = row;
    return kept->values[slot];
}

/// A plane is shrunk if its rows are further apart than this: few of them are used twice. The chroma of a row
/// takes longer than its luma.
static const double shrinking_step = 1.2, shrinking_step_of_chroma = 1.35;

/// The rows of a plane for target row `y`. `are_exact` says that its columns are not interpolated.
static struct planar_pair pair_of_rows(
    struct kept_rows *kept, struct cpainting_axis rows, int32_t y, int keeps, int are_exact,
    int32_t from, int32_t to) {
    const struct cpainting_plane *plane = kept->plane;
    struct row_place place = row_place_on(rows, y, plane->height);
    struct planar_pair pair = {.weight = place.weight, .ahead = 2 * plane->stride};
    if (are_exact && place.weight == 0) {
        pair.exact = plane->samples + place.upper * plane->stride + kept->axis->left[0];
    } else if (keeps) {
        pair.values[0] = kept_row(kept, place.upper, place.lower, from, to);
        pair.values[1] = kept_row(kept, place.lower, place.upper, from, to);
    } else {
        pair.samples[0] = plane->samples + place.upper * plane->stride;
        pair.samples[1] = plane->samples + place.lower * plane->stride;
    }
    return pair;
}

/// What a target row is made of.
struct source_rows {
    const struct cpainting_planar_columns *columns;
    struct planar_pair luma, chroma;
    const struct cpainting_conversion *conversion;
};

/// A picture whose rows are interpolated from the top down.
struct planar_source {
    const struct cpainting_planar_columns *columns;
    const struct cpainting_conversion *conversion;
    struct cpainting_axis luma_axis, chroma_axis;
    struct kept_rows luma, chroma;
    int keeps_luma, keeps_chroma, are_exact;
    /// The columns to interpolate: multiples of 8.
    int32_t from, to;
    /// Two rows of luma values, and two rows of twice as many chroma values.
    int16_t *memory;
};

/// Begins to interpolate columns `begin` to `end` of `columns`. Returns 0 without memory.
static int begin_source(
    struct planar_source *source, const struct cpainting_planes *planes,
    const struct cpainting_planar_columns *columns, struct cpainting_axis rows, int32_t begin,
    int32_t end) {
    const struct planar_kernel *kernel = columns->kernel;
    const struct cpainting_siting *siting = &planes->siting;
    int16_t *memory = NULL, *values[3];
    size_t row_bytes = (size_t)columns->count * sizeof *memory;
    if (posix_memalign((void **)&memory, 64, row_bytes * 6) != 0) return 0;
    for (int index = 0; index < 3; index++)
        values[index] = memory + (ptrdiff_t)2 * index * columns->count;
    *source = (struct planar_source){
        .columns = columns,
        .conversion = &planes->conversion,
        .luma_axis = rows,
        .chroma_axis = chroma_axis(rows, siting->row_scale, siting->row_edge),
        .luma = {
            &planes->luma, &columns->luma, kernel->luma_across,
            {values[0], values[0] + columns->count}, {-1, -1}},
        .chroma = {
            &planes->chroma, &columns->chroma, kernel->chroma_across, {values[1], values[2]},
            {-1, -1}},
        .from = begin & ~7,
        .to = (end + 7) & ~7,
        .memory = memory,
    };
    source->keeps_luma = !kernel->takes_samples || rows.step <= shrinking_step;
    source->keeps_chroma =
        source->keeps_luma || source->chroma_axis.step <= shrinking_step_of_chroma;
    source->are_exact =
        kernel->takes_samples && source->keeps_luma && end <= columns->exact_count;
    return 1;
}

static struct source_rows rows_of(struct planar_source *source, int32_t y) {
    return (struct source_rows){
        source->columns,
        pair_of_rows(
            &source->luma, source->luma_axis, y, source->keeps_luma, source->are_exact,
            source->from, source->to),
        pair_of_rows(
            &source->chroma, source->chroma_axis, y, source->keeps_chroma, 0, source->from,
            source->to),
        source->conversion};
}

static void interpolate(
    const void *context, int32_t from, int32_t to, uint8_t *out, int streams) {
    const struct source_rows *source = context;
    source->columns->kernel->blend(
        source->columns, &source->luma, &source->chroma, source->conversion, NULL, from, to, out,
        streams);
}

static void end_stores(void) {
#if HAS_SIMD
    // Make the stores that bypass the caches visible to other threads.
    simd_fence();
#endif
}

int cpainting_planar(
    const struct cpainting_planes *planes, const struct cpainting_planar_columns *columns,
    struct cpainting_axis rows, uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end,
    int32_t top, int32_t bottom, const struct cpainting_blending *blending, int streams) {
    if (x >= end) return 0;
    int32_t begin = x - columns->first, stop = end - columns->first;
    struct planar_source picture;
    if (!begin_source(&picture, planes, columns, rows, begin, stop)) return -1;
    for (int32_t y = top; y < bottom; y++) {
        struct source_rows source = rows_of(&picture, y);
        uint8_t *out = target + (y - top) * stride + (ptrdiff_t)columns->first * 4;
        struct target_row row = {
            interpolate, &source, blending,
            blending && blending->below
                ? blending->below[y - top] + (ptrdiff_t)columns->first * 4 : NULL,
            streams, columns->set};
        target_row_paint(&row, begin, stop, out);
    }
    end_stores();
    free(picture.memory);
    return 0;
}

// MARK: Fades

/// What a target row of a fade is made of.
struct faded_rows {
    struct source_rows lower, upper;
    /// The weight of the upper picture in 1/32768.
    int16_t weight;
};

/// Negates the values of `count` columns.
static void negate(const struct planar_values *values, int32_t count) {
    for (int32_t index = 0; index < count; index++) {
        values->luma[index] = (int16_t)-values->luma[index];
        values->cb[index] = (int16_t)-values->cb[index];
        values->cr[index] = (int16_t)-values->cr[index];
    }
}

static void interpolate_fade(
    const void *context, int32_t from, int32_t to, uint8_t *out, int streams) {
    // Few enough columns for the innermost cache of a processor.
    enum { COLUMNS = 256 };
    const struct faded_rows *rows = context;
    const struct source_rows *lower = &rows->lower, *upper = &rows->upper;
    int16_t memory[3][COLUMNS + 2 * PLANAR_SLACK] __attribute__((aligned(64)));
    struct planar_values values = {
        memory[0] + PLANAR_SLACK, memory[1] + PLANAR_SLACK, memory[2] + PLANAR_SLACK,
        rows->weight};
    int32_t offset = upper->columns->first - lower->columns->first;
    for (; from < to; from += COLUMNS, out += COLUMNS * 4) {
        int32_t end = to - from < COLUMNS ? to : from + COLUMNS;
        lower->columns->kernel->make_values(
            lower->columns, &lower->luma, &lower->chroma, from + offset, end + offset, &values);
        // If the samples of a part are too far apart, the columns have the portable kernel, whose sign may
        // differ.
        if (lower->columns->kernel->sign != upper->columns->kernel->sign)
            negate(&values, end - from);
        upper->columns->kernel->blend(
            upper->columns, &upper->luma, &upper->chroma, upper->conversion, &values, from, end,
            out, streams);
    }
}

int cpainting_planar_fade(
    const struct cpainting_planar_layer *lower, const struct cpainting_planar_layer *upper,
    uint32_t opacity, uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end, int32_t top,
    int32_t bottom) {
    if (x >= end) return 0;
    int32_t begin = x - upper->columns->first, stop = end - upper->columns->first;
    int32_t offset = upper->columns->first - lower->columns->first;
    struct planar_source below, above;
    if (!begin_source(
            &below, lower->planes, lower->columns, lower->rows, begin + offset, stop + offset))
        return -1;
    if (!begin_source(&above, upper->planes, upper->columns, upper->rows, begin, stop)) {
        free(below.memory);
        return -1;
    }
    for (int32_t y = top; y < bottom; y++) {
        struct faded_rows rows = {
            rows_of(&below, y), rows_of(&above, y), (int16_t)((opacity * 32768 + 127) / 255)};
        struct target_row row = {interpolate_fade, &rows, NULL, NULL, 1, upper->columns->set};
        target_row_paint(
            &row, begin, stop,
            target + (y - top) * stride + (ptrdiff_t)upper->columns->first * 4);
    }
    end_stores();
    free(above.memory);
    free(below.memory);
    return 0;
}
