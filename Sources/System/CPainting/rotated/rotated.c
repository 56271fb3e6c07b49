// Bilinear interpolation of images at any angle. Pixels outside an image are transparent, so that
// its edges are smooth. All sets of instructions give the same pixels.
#include "rotated.h"

#include <string.h>

#include "sets.h"
#include "simd.h"
#include "vectors.h"

// Positions are the same on every processor: no product is added without rounding.
#pragma clang fp contract(off)

/// Target rows from a group to the pixels that are prefetched with that group. Hardware prefetching does not help
/// across so many memory pages.
enum { ROWS_AHEAD = 16 };

/// Source pixels per target pixel are less than this number, so that the columns of a tile are less than 2^40
/// units apart.
static const double largest_step = 1 << 17;

/// Converts source pixels to units. Values out of range become positions from which no column of a tile is inside
/// a source.
static int64_t fixed(double place) {
    const int64_t most = 1LL << 42;
    double units = place * (1 << UNIT_BITS);
    // NaN is not greater either.
    if (!(units > (double)-most)) return -most;
    return units < (double)most ? (int64_t)(units < 0 ? units - 0.5 : units + 0.5) : most;
}

/// The source position of the target pixel in column `x` of row `y`, computed from the matrix: no
/// error accumulates over a frame.
static struct place place_of(const struct rotated *rotated, int32_t x, int32_t y) {
    const struct cpainting_affine *matrix = &rotated->matrix;
    return (struct place){
        fixed(matrix->xx * (x + 0.5) + matrix->xy * (y + 0.5) + matrix->x0 - 0.5),
        fixed(matrix->yx * (x + 0.5) + matrix->yy * (y + 0.5) + matrix->y0 - 0.5)};
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

/// The position of a column of a tile.
static struct place place_at(
    const struct rotated *rotated, struct place tile, int32_t column) {
    struct place step = rotated->steps[column];
    return (struct place){tile.column + step.column, tile.row + step.row};
}

/// The reach of columns `begin` to before `end` of a tile's row. Positions ascend or descend along a row.
static enum reach reach_of(
    const struct rotated *rotated, struct place tile, int32_t begin, int32_t end) {
    struct place first = place_at(rotated, tile, begin), last = place_at(rotated, tile, end - 1);
    int64_t width = units(rotated->source->width), height = units(rotated->source->height);
    if (is_beyond(first.column, last.column, -units(1), width) ||
        is_beyond(first.row, last.row, -units(1), height))
        return OUTSIDE;
    return is_between(first.column, last.column, 0, width - units(1)) &&
                   is_between(first.row, last.row, 0, height - units(1))
               ? INSIDE
               : EDGE;
}

/// Paints the group from column `first` of a tile on. `is_inside` says that all source pixels that the group
/// needs are inside the source.
static void paint_group(
    const struct rotated *rotated, struct place tile, int32_t first, int is_inside,
    uint8_t *out) {
    const struct cpainting_source *source = rotated->source;
    for (int index = 0; index < GROUP; index += 2) {
        struct place at[2];
        bytes8 upper[2], lower[2];
        for (int side = 0; side < 2; side++) {
            at[side] = place_at(rotated, tile, first + index + side);
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

/// A part of a tile that is painted: rows `y` to `bottom` of the target, and columns `begin` to `end` of the tile.
/// `out` is the pixel of the tile's first column in row `y`.
struct part {
    int32_t tile, y, bottom, begin, end;
    uint8_t *out;
    ptrdiff_t stride;
};

/// Makes a patch of columns `begin` to `end` of the rows of a part, all of which are inside the source. Returns
/// 0 if they are too far apart.
static int make_patch(
    const struct rotated *rotated, const struct part *part, int32_t begin, int32_t end,
    struct patch *patch) {
    const struct cpainting_source *source = rotated->source;
    int32_t height = part->bottom - part->y;
    struct place rows[TILE_ROWS];
    for (int32_t row = 0; row < height; row++)
        rows[row] = place_of(rotated, part->tile, part->y + row);
    // Positions ascend or descend along a row, and along a column.
    struct place low = place_at(rotated, rows[0], begin), high = low;
    for (int corner = 1; corner < 4; corner++) {
        struct place place =
            place_at(rotated, rows[corner & 1 ? height - 1 : 0], corner & 2 ? end - 1 : begin);
        if (place.column < low.column) low.column = place.column;
        if (place.column > high.column) high.column = place.column;
        if (place.row < low.row) low.row = place.row;
        if (place.row > high.row) high.row = place.row;
    }
    int64_t column = low.column >> UNIT_BITS, row = low.row >> UNIT_BITS;
    int64_t across = (high.column >> UNIT_BITS) - column, down = (high.row >> UNIT_BITS) - row;
    // Each pixel needs one more column and row.
    if (across >= 0x7fff || down >= 0x7fff || source->stride < 0 || source->stride % 4 != 0 ||
        (uintptr_t)source->pixels % 4 != 0 ||
        (down + 1) * source->stride + (across + 2) * 4 > INT32_MAX)
        return 0;
    patch->origin = (const uint32_t *)source->pixels + row * (source->stride / 4) + column;
    patch->height = height;
    patch->begin = begin;
    patch->end = end;
    for (int32_t index = 0; index < height; index++) {
        int32_t y = part->y + index;
        patch->columns[index] = (uint32_t)(rows[index].column - units((int32_t)column));
        patch->rows[index] = (uint32_t)(rows[index].row - units((int32_t)row));
        // If even and odd pixels took turns regularly, then some rows of the source would never be prefetched
        // at some angles, for example at 45° with as many pixels in the source.
        patch->ahead[index] = rotated->ahead[y + rotated->rows_ahead >= rotated->bottom]
                                            [__builtin_popcount((uint32_t)y) & 1];
    }
    return 1;
}

/// Blends the pixels of columns `begin` to `end` of a row over the target, or replaces those of the target.
static void write_row(
    const struct rotated *rotated, enum reach reach, const uint8_t *pixels, uint8_t *target,
    int32_t begin, int32_t end) {
    if (reach == INSIDE && rotated->replaces)
        memcpy(target, pixels, (size_t)(end - begin) * 4);
    else
        cpainting_over(
            target, target, pixels, (size_t)(end - begin), rotated->opacity, 0, rotated->kernel);
}

/// The pixels of a tile before they are blended over the target.
typedef uint8_t tile_pixels[TILE_ROWS][TILE_COLUMNS * 4];

/// Paints columns `begin` to `end` of a part without a kernel.
static void paint_groups(
    const struct rotated *rotated, const struct part *part, int is_inside, int32_t begin,
    int32_t end, tile_pixels pixels) {
    for (int32_t y = part->y; y < part->bottom; y++) {
        struct place tile = place_of(rotated, part->tile, y);
        for (int32_t column = begin; column < end; column += GROUP)
            paint_group(
                rotated, tile, column, is_inside,
                pixels[y - part->y] + (ptrdiff_t)column * 4);
    }
}

/// Paints columns `begin` to `end` of the rows of a part, which all have the same reach. The columns are multiples
/// of `GROUP`; those outside the part are not written.
static void paint_columns(
    const struct rotated *rotated, const struct part *part, enum reach reach, int32_t begin,
    int32_t end) {
    if (reach == OUTSIDE) return;
    int32_t from = begin > part->begin ? begin : part->begin;
    int32_t to = end < part->end ? end : part->end;
    tile_pixels pixels __attribute__((aligned(32)));
    struct patch patch;
    if (reach == INSIDE && rotated->paint_patch != NULL &&
        make_patch(rotated, part, begin, end, &patch)) {
        if (rotated->replaces && from == begin && to == end &&
            (((uintptr_t)part->out | (uintptr_t)part->stride) & 31) == 0) {
            rotated->paint_patch(
                rotated, &patch, part->out + (ptrdiff_t)begin * 4, part->stride, 1);
            return;
        }
        rotated->paint_patch(
            rotated, &patch, pixels[0] + (ptrdiff_t)begin * 4, sizeof pixels[0], 0);
    } else {
        paint_groups(rotated, part, reach == INSIDE, begin, end, pixels);
    }
    for (int32_t row = 0; row < part->bottom - part->y; row++)
        write_row(
            rotated, reach, pixels[row] + (ptrdiff_t)from * 4,
            part->out + row * part->stride + (ptrdiff_t)from * 4, from, to);
}

/// Paints a part whose pixels have more than one reach, row by row.
static void paint_rows(const struct rotated *rotated, const struct part *part) {
    int32_t begin = part->begin / GROUP * GROUP;
    for (int32_t y = part->y; y < part->bottom; y++) {
        struct part row = *part;
        row.y = y;
        row.bottom = y + 1;
        row.out += (y - part->y) * part->stride;
        struct place tile = place_of(rotated, part->tile, y);
        for (int32_t column = begin; column < part->end;) {
            int32_t first = column;
            enum reach reach = reach_of(rotated, tile, column, column + GROUP);
            do column += GROUP;
            while (column < part->end &&
                   reach_of(rotated, tile, column, column + GROUP) == reach);
            paint_columns(rotated, &row, reach, first, column);
        }
    }
}

static void paint_part(const struct rotated *rotated, const struct part *part) {
    int32_t begin = part->begin / GROUP * GROUP;
    int32_t end = (part->end + GROUP - 1) / GROUP * GROUP;
    // Pixels between others that are inside are inside as well.
    if (reach_of(rotated, place_of(rotated, part->tile, part->y), begin, end) == INSIDE &&
        reach_of(rotated, place_of(rotated, part->tile, part->bottom - 1), begin, end) == INSIDE)
        paint_columns(rotated, part, INSIDE, begin, end);
    else
        paint_rows(rotated, part);
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

/// The columns of a block: as many as have few enough source rows, but not fewer than `BLOCK_COLUMNS`.
static int32_t block_columns(struct cpainting_affine matrix) {
    const double most_rows = 48;
    double slope = matrix.yx < 0 ? -matrix.yx : matrix.yx;
    int32_t columns = BLOCK_COLUMNS;
    while (columns < TILE_COLUMNS && columns * 2 * slope <= most_rows) columns *= 2;
    return columns;
}

static void fill_steps(struct rotated *rotated) {
    const struct cpainting_affine *matrix = &rotated->matrix;
    for (int32_t column = 0; column < TILE_COLUMNS; column++) {
        struct place step = {fixed(matrix->xx * column), fixed(matrix->yx * column)};
        rotated->steps[column] = step;
        rotated->column_steps[column] = (uint32_t)step.column;
        rotated->row_steps[column] = (uint32_t)step.row;
    }
    rotated->block = block_columns(*matrix);
}

/// Fills the distances to prefetch in tiles of `height` rows before `bottom`.
static void fill_ahead(struct rotated *rotated, int32_t height, int32_t bottom) {
    rotated->bottom = bottom;
    rotated->rows_ahead = ROWS_AHEAD < height ? ROWS_AHEAD : height;
    for (int index = 0; index < GROUP; index++) {
        rotated->ahead[0][index % 2][index / 2] =
            bytes_between(rotated, index, rotated->rows_ahead);
        rotated->ahead[1][index % 2][index / 2] =
            bytes_between(rotated, index + TILE_COLUMNS, rotated->rows_ahead - height);
    }
}

/// Whether a coefficient of a matrix is a number that is small enough.
static int is_usable(double coefficient) {
    return coefficient > -largest_step && coefficient < largest_step;
}

void cpainting_rotated(
    const struct cpainting_source *source, struct cpainting_affine matrix, int is_opaque,
    uint8_t *target, ptrdiff_t stride, int32_t x, int32_t end, int32_t top, int32_t bottom,
    uint32_t opacity, enum cpainting_kernel kernel) {
    // A picture with so many pixels in one of the target is not visible.
    if (!is_usable(matrix.xx) || !is_usable(matrix.yx)) return;
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
    case CPAINTING_AVX2: rotated.paint_patch = rotated_paint_avx2; break;
#endif
#if HAS_SIMD
    case CPAINTING_SIMD: rotated.paint_patch = rotated_paint_simd; break;
#endif
    default: break;
    }
    fill_steps(&rotated);
    // Tiles begin at multiples of their size in every region, so that a pixel does not depend on the region.
    for (int32_t y = top; y < bottom;) {
        int32_t next = (y & ~(TILE_ROWS - 1)) + TILE_ROWS;
        if (next > bottom) next = bottom;
        fill_ahead(&rotated, next - y, next);
        for (int32_t tile = x & ~(TILE_COLUMNS - 1); tile < end; tile += TILE_COLUMNS) {
            struct part part = {
                tile, y, next, x > tile ? x - tile : 0,
                end - tile < TILE_COLUMNS ? end - tile : TILE_COLUMNS,
                target + (y - top) * stride + (ptrdiff_t)tile * 4, stride};
            paint_part(&rotated, &part);
        }
        y = next;
    }
#if HAS_SIMD
    // Make the stores that bypass the caches visible to other threads.
    if (rotated.paint_patch != NULL) simd_fence();
#endif
}
