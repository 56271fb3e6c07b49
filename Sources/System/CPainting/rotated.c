// Bilinear interpolation of images at any angle. Pixels outside an image are transparent, so that
// its edges are smooth. All sets of instructions give the same
// pixels.
#include "rotated.h"

#include <string.h>

#include "sets.h"
#include "simd.h"
#include "vectors.h"

// Positions are the same on every processor: no product is added without rounding.
#pragma clang fp contract(off)

/// Source pixels are prefetched `ROWS_AHEAD` source rows ahead, within these bounds in target rows.
/// Hardware prefetching does not help across so many memory pages.
enum { ROWS_AHEAD = 16, FEWEST_AHEAD = 4, MOST_AHEAD = 16 };

/// Converts source pixels to units. Values out of range become positions outside every source.
static int64_t fixed(double place) {
    const double most = (double)(1LL << 40);
    double units = place * (1 << UNIT_BITS);
    // NaN is not greater either.
    if (!(units > -most)) return -(1LL << 40);
    return units < most ? (int64_t)(units < 0 ? units - 0.5 : units + 0.5) : 1LL << 40;
}

/// The source position of the target pixel in column `x` of row `y`, computed from the matrix: no
/// error accumulates over a frame.
static struct place place_of(const struct rotated *rotated, int32_t x, int32_t y) {
    const struct cpainting_affine *matrix = &rotated->matrix;
    return (struct place){
        fixed(matrix->xx * (x + 0.5) + matrix->xy * (y + 0.5) + matrix->x0 - 0.5),
        fixed(matrix->yx * (x + 0.5) + matrix->yy * (y + 0.5) + matrix->y0 - 0.5)};
}

static struct place place_of_group(
    const struct rotated *rotated, struct place tile, int32_t group) {
    struct place step = rotated->groups[group];
    return (struct place){tile.column + step.column, tile.row + step.row};
}

/// A pixel of the source; transparent outside the source.
static uint32_t pixel_at(const struct cpainting_source *source, int64_t column, int64_t row) {
    uint32_t pixel = 0;
    if (column >= 0 && column < source->width && row >= 0 && row < source->height)
        memcpy(&pixel, source->pixels + row * source->stride + column * 4, 4);
    return pixel;
}

/// Interpolates two pixels, each from the four pixels around its position: an upper pair and a
/// lower pair.
static bytes8 mixed_pixels(const bytes8 upper[2], const bytes8 lower[2], const struct place at[2]) {
    shorts4 rows[2][2];
    int16_t down[2];
    for (int index = 0; index < 2; index++) {
        int16_t across = (int16_t)(at[index].column >> (UNIT_BITS - 7) & 127);
        rows[0][index] = mixed_across(upper[index], across);
        rows[1][index] = mixed_across(lower[index], across);
        down[index] = (int16_t)(at[index].row & ((1 << UNIT_BITS) - 1));
    }
    int16_t a = down[0], b = down[1];
    return mixed_down(
        __builtin_shufflevector(rows[0][0], rows[0][1], 0, 1, 2, 3, 4, 5, 6, 7),
        __builtin_shufflevector(rows[1][0], rows[1][1], 0, 1, 2, 3, 4, 5, 6, 7),
        (shorts8){a, a, a, a, b, b, b, b});
}

/// A pixel and its right neighbour; each is transparent outside the source.
static bytes8 pair_at(const struct cpainting_source *source, int64_t column, int64_t row) {
    uint32_t pixels[2] = {pixel_at(source, column, row), pixel_at(source, column + 1, row)};
    bytes8 pair;
    memcpy(&pair, pixels, sizeof pair);
    return pair;
}

/// Whether all of a run of positions, whose ends are `a` and `b`, is between `low` and `high`, or
/// outside of them.
static int is_between(int64_t a, int64_t b, int64_t low, int64_t high) {
    return a >= low && b >= low && a < high && b < high;
}
static int is_beyond(int64_t a, int64_t b, int64_t low, int64_t high) {
    return (a <= low && b <= low) || (a >= high && b >= high);
}

static int64_t units(int32_t pixels) { return (int64_t)pixels << UNIT_BITS; }

/// Where a group is: outside the source, across its edge with pixels that may be transparent, or
/// completely inside.
enum reach { OUTSIDE, EDGE, INSIDE };

static enum reach reach_of(const struct rotated *rotated, struct place first) {
    struct place last = {
        first.column + rotated->steps[GROUP - 1].column, first.row + rotated->steps[GROUP - 1].row};
    int64_t width = units(rotated->source->width), height = units(rotated->source->height);
    if (is_beyond(first.column, last.column, -units(1), width) ||
        is_beyond(first.row, last.row, -units(1), height))
        return OUTSIDE;
    return is_between(first.column, last.column, 0, width - units(1)) &&
                   is_between(first.row, last.row, 0, height - units(1))
               ? INSIDE
               : EDGE;
}

/// Paints a group. `is_inside` says that all source pixels that the group needs are inside the
/// source.
static void paint_group(
    const struct rotated *rotated, struct place first, int is_inside, uint8_t *out) {
    const struct cpainting_source *source = rotated->source;
    for (int index = 0; index < GROUP; index += 2) {
        struct place at[2];
        bytes8 upper[2], lower[2];
        for (int side = 0; side < 2; side++) {
            struct place step = rotated->steps[index + side];
            at[side] = (struct place){first.column + step.column, first.row + step.row};
            int64_t column = at[side].column >> UNIT_BITS, row = at[side].row >> UNIT_BITS;
            if (is_inside) {
                const uint8_t *place = source->pixels + row * source->stride + column * 4;
                memcpy(upper + side, place, sizeof *upper);
                memcpy(lower + side, place + source->stride, sizeof *lower);
            } else {
                upper[side] = pair_at(source, column, row);
                lower[side] = pair_at(source, column, row + 1);
            }
        }
        bytes8 pixels = mixed_pixels(upper, lower, at);
        memcpy(out + index * 4, &pixels, sizeof pixels);
    }
}

/// The part of a tile's row that is painted, in columns of the tile; `out` is the pixel of the
/// tile's first column.
struct tile_row {
    int32_t y, x, end;
    uint8_t *out;
};

/// Makes a run of groups that are inside the source. Returns 0 if they are too far apart.
static int make_run(
    const struct rotated *rotated, struct place tile, int32_t y, int32_t group, int32_t end,
    struct run *run) {
    const struct cpainting_source *source = rotated->source;
    // Positions ascend or descend along a row.
    struct place first = place_of_group(rotated, tile, group);
    struct place last = place_of_group(rotated, tile, end - 1);
    last.column += rotated->steps[GROUP - 1].column;
    last.row += rotated->steps[GROUP - 1].row;
    struct place low = {
        first.column < last.column ? first.column : last.column,
        first.row < last.row ? first.row : last.row};
    int64_t columns = (first.column + last.column - 2 * low.column) >> UNIT_BITS;
    int64_t rows = (first.row + last.row - 2 * low.row) >> UNIT_BITS;
    // One more column and row, since `low` is rounded down.
    if (columns >= 0x7ffe || rows >= 0x7ffe || source->stride < 0 || source->stride % 4 != 0 ||
        (uintptr_t)source->pixels % 4 != 0 ||
        (rows + 2) * source->stride + (columns + 2) * 4 > INT32_MAX)
        return 0;
    int64_t column = low.column >> UNIT_BITS, row = low.row >> UNIT_BITS;
    *run = (struct run){
        (const uint32_t *)source->pixels + row * (source->stride / 4) + column,
        (uint32_t)(tile.column - column * (1 << UNIT_BITS)),
        (uint32_t)(tile.row - row * (1 << UNIT_BITS)), group, end, rotated->ahead[y & 1]};
    return 1;
}

/// Paints groups `group` to before `end` of a tile's row, which all have the same reach.
static void paint_groups(
    const struct rotated *rotated, struct place tile, enum reach reach, int32_t group, int32_t end,
    const struct tile_row *row) {
    uint8_t pixels[LONGEST_TILE * 4] __attribute__((aligned(32)));
    if (reach == OUTSIDE) return;
    int32_t from = group * GROUP, to = end * GROUP;
    struct run run;
    int is_run = reach == INSIDE && rotated->paint_run != NULL
        && make_run(rotated, tile, row->y, group, end, &run);
    if (is_run && rotated->replaces && from >= row->x && to <= row->end &&
        ((uintptr_t)row->out & 31) == 0) {
        rotated->paint_run(rotated, &run, row->out + (ptrdiff_t)from * 4, 1);
        return;
    }
    if (is_run)
        rotated->paint_run(rotated, &run, pixels, 0);
    else
        for (int32_t index = group; index < end; index++)
            paint_group(
                rotated, place_of_group(rotated, tile, index), reach == INSIDE,
                pixels + (ptrdiff_t)(index - group) * GROUP * 4);
    if (from < row->x) from = row->x;
    if (to > row->end) to = row->end;
    uint8_t *target = row->out + (ptrdiff_t)from * 4;
    const uint8_t *above = pixels + (ptrdiff_t)(from - group * GROUP) * 4;
    if (reach == INSIDE && rotated->replaces)
        memcpy(target, above, (size_t)(to - from) * 4);
    else
        cpainting_over(
            target, target, above, (size_t)(to - from), rotated->opacity, 0, rotated->kernel);
}

static void paint_tile_row(
    const struct rotated *rotated, struct place tile, const struct tile_row *row) {
    int32_t group = row->x / GROUP, end = (row->end + GROUP - 1) / GROUP;
    // Groups between two groups that are inside are inside as well.
    if (reach_of(rotated, place_of_group(rotated, tile, group)) == INSIDE &&
        reach_of(rotated, place_of_group(rotated, tile, end - 1)) == INSIDE) {
        paint_groups(rotated, tile, INSIDE, group, end, row);
        return;
    }
    while (group < end) {
        int32_t begin = group;
        enum reach reach = reach_of(rotated, place_of_group(rotated, tile, group));
        do group++;
        while (group < end && reach_of(rotated, place_of_group(rotated, tile, group)) == reach);
        paint_groups(rotated, tile, reach, begin, group, row);
    }
}

/// The largest length at which a row of the tile covers few source rows, within the bounds.
static int32_t tile_length(struct cpainting_affine matrix) {
    double slope = matrix.yx < 0 ? -matrix.yx : matrix.yx;
    double wanted = TILE / (slope > 1e-6 ? slope : 1e-6);
    int32_t length = SHORTEST_TILE;
    while (length < LONGEST_TILE && length * 2 <= wanted) length *= 2;
    return length;
}

/// The distance in the source, in bytes, that belongs to a distance in target pixels.
static ptrdiff_t bytes_between(const struct rotated *rotated, int32_t columns, int32_t rows) {
    const struct cpainting_affine *matrix = &rotated->matrix;
    struct place delta = {
        fixed(matrix->xx * columns + matrix->xy * rows),
        fixed(matrix->yx * columns + matrix->yy * rows)};
    return (ptrdiff_t)(delta.row >> UNIT_BITS) * rotated->source->stride
        + (ptrdiff_t)(delta.column >> UNIT_BITS) * 4;
}

static int32_t rows_ahead(struct cpainting_affine matrix) {
    double step = matrix.yy < 0 ? -matrix.yy : matrix.yy;
    int32_t rows = FEWEST_AHEAD;
    while (rows < MOST_AHEAD && rows * step < ROWS_AHEAD) rows++;
    return rows;
}

void cpainting_rotated(
    const struct cpainting_source *source, struct cpainting_affine matrix, int is_opaque,
    uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end, int32_t top, int32_t bottom,
    uint32_t opacity, enum cpainting_kernel kernel) {
    kernel = supported_set(kernel);
    struct rotated rotated = {
        .source = source,
        .matrix = matrix,
        .opacity = opacity,
        .replaces = is_opaque && opacity >= 255,
        .kernel = kernel,
    };
    switch (kernel) {
#if defined(__x86_64__)
    case CPAINTING_AVX2: rotated.paint_run = rotated_paint_avx2; break;
#endif
#if HAS_SIMD
    case CPAINTING_SIMD: rotated.paint_run = rotated_paint_simd; break;
#endif
    default: break;
    }
    for (int index = 0; index < GROUP; index++)
        rotated.steps[index] = (struct place){fixed(matrix.xx * index), fixed(matrix.yx * index)};
    for (int index = 0; index < GROUP; index++)
        rotated.ahead[index % 2][index / 2] = bytes_between(&rotated, index, rows_ahead(matrix));
    int32_t length = tile_length(matrix);
    for (int32_t group = 0; group < length / GROUP; group++)
        rotated.groups[group] = (struct place){
            fixed(matrix.xx * group * GROUP), fixed(matrix.yx * group * GROUP)};
    for (int32_t tile = x & ~(length - 1); tile < end; tile += length)
        for (int32_t row = top; row < bottom; row += TILE)
            for (int32_t y = row; y < bottom && y < row + TILE; y++) {
                struct tile_row part = {
                    y, x > tile ? x - tile : 0, end - tile < length ? end - tile : length,
                    target + (y - top) * stride + (ptrdiff_t)tile * 4};
                paint_tile_row(&rotated, place_of(&rotated, tile, y), &part);
            }
#if HAS_SIMD
    // Make the stores that bypass the caches visible to other threads.
    if (rotated.paint_run != NULL) simd_fence();
#endif
}
