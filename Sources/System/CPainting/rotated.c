// Bilinear interpolation of images at any angle. Pixels outside an image are transparent, so that
// its edges are smooth. The portable code and the AVX2 code give the same pixels.
#include "cpainting.h"

#include <string.h>

#include "vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))
#endif

/// Adjacent pixels whose positions are computed from that of the first one.
enum { GROUP = 8 };
/// Rows of a tile, and bounds of its columns. At small angles a row of a tile covers about `TILE`
/// source rows: the source pixels of a tile are close together in memory, and yet in few runs.
enum { TILE = 32, SHORTEST_TILE = 256, LONGEST_TILE = 1024 };
/// Limit for the vector code: source rows from one target column to the next.
#define STEEPEST 1024
/// Source pixels are prefetched `ROWS_AHEAD` source rows ahead, within these bounds in target rows.
/// Hardware prefetching does not help across so many memory pages.
enum { ROWS_AHEAD = 10, FEWEST_AHEAD = 4, MOST_AHEAD = 16 };
/// Prefetches of a group: for every second pixel. The next target row prefetches for the pixels
/// between. At large angles each pixel is in a source row of its own.
enum { PLACES_AHEAD = GROUP / 2 };
/// Positions are fixed-point numbers with this many fractional bits.
enum { UNIT_BITS = 15 };

/// A position in the source, in units of 1/2^`UNIT_BITS` source pixels from the centre of its first
/// pixel.
struct place {
    int64_t column, row;
};

struct rotated {
    const struct cpainting_source *source;
    struct cpainting_affine matrix;
    /// Offsets of the pixels of a group from its first pixel, and of the groups of a tile from its
    /// first group.
    struct place steps[GROUP], groups[LONGEST_TILE / GROUP];
    uint32_t opacity;
    enum cpainting_kernel kernel;
    /// Whether the image is opaque, so that its pixels replace those of the target.
    int replaces;
    int is_vector;
    /// Distances in bytes from a group to the source pixels to prefetch, in even target rows and in
    /// odd ones.
    ptrdiff_t ahead[2][PLACES_AHEAD];
};

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

#if defined(__x86_64__)

/// Repeats the lower two bytes of each 32-bit number four times: numbers 0 and 1 in the lower
/// half, 2 and 3 in the upper half.
AVX2 static inline __m256i repeated_four_times(__m128i numbers) {
    return _mm256_shuffle_epi8(
        _mm256_permute4x64_epi64(_mm256_castsi128_si256(numbers), 0x50),
        _mm256_setr_epi8(
            0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5, 0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5,
            4, 5));
}

/// Two adjacent pixels at each of two addresses.
AVX2 static inline __m128i pair(const uint8_t *low, const uint8_t *high) {
    return _mm_castpd_si128(_mm_loadh_pd(
        _mm_castsi128_pd(_mm_loadl_epi64((const __m128i *)low)), (const double *)high));
}

/// Interpolates four pixels with their right neighbours horizontally.
AVX2 static inline __m256i across4(const uint8_t *pixels, __m128i offsets, __m256i weights) {
    const __m256i order = _mm256_setr_epi8(
        0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13,
        10, 14, 11, 15);
    // Four loads, because a gather instruction takes longer.
    __m128i first = pair(pixels + _mm_extract_epi32(offsets, 0), pixels + _mm_extract_epi32(offsets, 1));
    __m128i last = pair(pixels + _mm_extract_epi32(offsets, 2), pixels + _mm_extract_epi32(offsets, 3));
    __m256i pairs = _mm256_inserti128_si256(_mm256_castsi128_si256(first), last, 1);
    pairs = _mm256_xor_si256(_mm256_shuffle_epi8(pairs, order), _mm256_set1_epi8((char)0x80));
    return _mm256_maddubs_epi16(weights, pairs);
}

/// Interpolates four pixels whose neighbours are all inside the source; results are from -128 to
/// 127. `offsets` are bytes from `pixels`.
AVX2 static inline __m256i four(
    const uint8_t *pixels, ptrdiff_t stride, __m128i offsets, __m128i across, __m128i down) {
    // The weight of the left pixel, and of the right pixel in the byte above.
    __m256i weights = repeated_four_times(_mm_add_epi32(
        _mm_sub_epi32(_mm_set1_epi32(128), across), _mm_slli_epi32(across, 8)));
    __m256i share = repeated_four_times(down);
    __m256i upper = across4(pixels, offsets, weights);
    __m256i lower = across4(pixels + stride, offsets, weights);
    __m256i sum =
        _mm256_add_epi16(upper, _mm256_mulhrs_epi16(_mm256_sub_epi16(lower, upper), share));
    return _mm256_srai_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(64)), 7);
}

/// Paints groups `group` to before `end` of a tile in row `y`. All source pixels that they need are
/// inside the source. `out` is aligned to 32 bytes; with `streams`, the stores bypass the caches.
AVX2 static void paint_inner(
    const struct rotated *rotated, struct place tile, int32_t y, int32_t group, int32_t end,
    uint8_t *out, int streams) {
    const struct cpainting_source *source = rotated->source;
    int32_t steps[2][GROUP];
    for (int index = 0; index < GROUP; index++) {
        steps[0][index] = (int32_t)rotated->steps[index].column;
        steps[1][index] = (int32_t)rotated->steps[index].row;
    }
    const __m256i column_steps = _mm256_loadu_si256((const __m256i *)steps[0]);
    const __m256i row_steps = _mm256_loadu_si256((const __m256i *)steps[1]);
    const __m256i stride = _mm256_set1_epi32((int32_t)source->stride);
    const ptrdiff_t *places = rotated->ahead[y & 1];
    for (; group < end; group++, out += GROUP * 4) {
        struct place first = place_of_group(rotated, tile, group);
        __m256i columns = _mm256_add_epi32(
            _mm256_set1_epi32((int32_t)first.column), column_steps);
        __m256i rows = _mm256_add_epi32(_mm256_set1_epi32((int32_t)first.row), row_steps);
        // Offsets from the row of the first pixel fit into 32 bits, however large the image is.
        int32_t row = (int32_t)(first.row >> UNIT_BITS);
        __m256i offsets = _mm256_add_epi32(
            _mm256_mullo_epi32(
                _mm256_sub_epi32(_mm256_srli_epi32(rows, UNIT_BITS), _mm256_set1_epi32(row)),
                stride),
            _mm256_slli_epi32(_mm256_srli_epi32(columns, UNIT_BITS), 2));
        __m256i across = _mm256_and_si256(
            _mm256_srli_epi32(columns, UNIT_BITS - 7), _mm256_set1_epi32(127));
        __m256i down = _mm256_and_si256(rows, _mm256_set1_epi32((1 << UNIT_BITS) - 1));
        const uint8_t *pixels = source->pixels + row * source->stride;
        const char *ahead = (const char *)pixels + (first.column >> UNIT_BITS) * 4;
        for (int index = 0; index < PLACES_AHEAD; index++)
            _mm_prefetch(ahead + places[index], _MM_HINT_T0);
        __m256i low = four(
            pixels, source->stride, _mm256_castsi256_si128(offsets),
            _mm256_castsi256_si128(across), _mm256_castsi256_si128(down));
        __m256i high = four(
            pixels, source->stride, _mm256_extracti128_si256(offsets, 1),
            _mm256_extracti128_si256(across, 1), _mm256_extracti128_si256(down, 1));
        __m256i blended = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
        blended = _mm256_xor_si256(blended, _mm256_set1_epi8((char)0x80));
        if (streams)
            _mm256_stream_si256((__m256i *)out, blended);
        else
            _mm256_store_si256((__m256i *)out, blended);
    }
}

#else

static void paint_inner(
    const struct rotated *rotated, struct place tile, int32_t y, int32_t group, int32_t end,
    uint8_t *out, int streams) {}

#endif

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

/// Paints groups `group` to before `end` of a tile's row, which all have the same reach.
static void paint_groups(
    const struct rotated *rotated, struct place tile, enum reach reach, int32_t group, int32_t end,
    const struct tile_row *row) {
    uint8_t pixels[LONGEST_TILE * 4] __attribute__((aligned(32)));
    if (reach == OUTSIDE) return;
    int32_t from = group * GROUP, to = end * GROUP;
    int is_inner = reach == INSIDE && rotated->is_vector;
    if (is_inner && rotated->replaces && from >= row->x && to <= row->end &&
        ((uintptr_t)row->out & 31) == 0) {
        paint_inner(rotated, tile, row->y, group, end, row->out + (ptrdiff_t)from * 4, 1);
        return;
    }
    if (is_inner)
        paint_inner(rotated, tile, row->y, group, end, pixels, 0);
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
            target, target, above, (size_t)(to - from), rotated->opacity, rotated->kernel);
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
    struct rotated rotated = {
        .source = source,
        .matrix = matrix,
        .opacity = opacity,
        .replaces = is_opaque && opacity >= 255,
        .kernel = kernel,
    };
#if defined(__x86_64__)
    // Offsets of the pixels of a group have 32 bits.
    int is_steep = !(matrix.yx > -STEEPEST && matrix.yx < STEEPEST);
    rotated.is_vector =
        kernel == CPAINTING_BEST && !is_steep && __builtin_cpu_supports("avx2");
#endif
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
#if defined(__x86_64__)
    // Make the stores that bypass the caches visible to other threads.
    _mm_sfence();
#endif
}
