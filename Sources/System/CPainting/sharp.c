#include "sharp.h"

#include <stdlib.h>

#include "sets.h"
#include "simd.h"

void cpainting_raise(int32_t *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

int cpainting_is_raised(const int32_t *flag) {
    return __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

static sharp_kernel *kernel_of(enum cpainting_kernel set) {
    switch (set) {
#if defined(__x86_64__)
    case CPAINTING_AVX2: return sharp_paint_avx2;
#endif
#if HAS_SIMD
    case CPAINTING_SIMD: return sharp_paint_simd;
#endif
    default: return sharp_paint_portable;
    }
}

/// A tile from target column `x` to before `end`, without its memory.
static struct tile tile_at(
    const struct cpainting_source *source, const struct cpainting_taps *columns,
    const struct cpainting_taps *rows, int32_t x, int32_t end) {
    struct tile tile = {.source = source, .columns = columns, .rows = rows, .x = x, .end = end};
    tile.first = columns->first[x - columns->begin];
    int32_t last = columns->first[end - 1 - columns->begin] + 2 * columns->pairs;
    tile.width = (last - tile.first + 15) & ~15;
    tile.length = (tile.width * 3 + most_sums - 1) & ~(most_sums - 1);
    return tile;
}

/// The parts of a tile's memory in bytes, each a multiple of 64.
struct parts {
    size_t ring, means, columns;
};

static struct parts parts_of(const struct tile *tile) {
    size_t row = (size_t)tile->length * sizeof(uint32_t);
    return (struct parts){
        row * (size_t)tile->rows->pairs, row / 2 * most_rows,
        (size_t)tile->width / 2 * 3 * most_rows * sizeof(uint32_t)};
}

/// Paints the tiles, one after another, in the same memory.
static int paint_tiles(
    const struct cpainting_source *source, const struct cpainting_taps *columns,
    const struct cpainting_taps *rows, int is_linear_light, uint8_t *target, ptrdiff_t stride,
    int32_t x, int32_t end, int32_t top, int32_t bottom, const int32_t *flag,
    sharp_kernel *paint, void *memory, int64_t *held, const uint32_t **lines) {
    for (int32_t left = x; left < end; left += tile_width) {
        struct tile tile = tile_at(
            source, columns, rows, left, end < left + tile_width ? end : left + tile_width);
        struct parts parts = parts_of(&tile);
        tile.ring = memory;
        tile.means = tile.ring + parts.ring / sizeof(uint32_t);
        tile.transposed_columns = tile.means + parts.means / sizeof(uint32_t);
        tile.held = held;
        tile.lines = lines;
        int result = paint(&tile, target, stride, top, bottom, flag, is_linear_light);
        if (result != 0) return result;
    }
    return 0;
}

int cpainting_sharp(
    const struct cpainting_source *source, const struct cpainting_taps *columns,
    const struct cpainting_taps *rows, int is_linear_light, uint8_t *target, ptrdiff_t stride,
    int32_t x, int32_t end, int32_t top, int32_t bottom, const int32_t *flag,
    enum cpainting_kernel kernel) {
    if (x >= end) return 0;
    size_t bytes = 0;
    for (int32_t left = x; left < end; left += tile_width) {
        struct tile tile = tile_at(
            source, columns, rows, left, end < left + tile_width ? end : left + tile_width);
        struct parts parts = parts_of(&tile);
        size_t needed = parts.ring + parts.means + parts.columns;
        if (needed > bytes) bytes = needed;
    }
    void *memory = NULL;
    if (posix_memalign(&memory, 64, bytes) != 0) return -1;
    memset(memory, 0, bytes);
    int64_t *held = malloc((size_t)rows->pairs * sizeof *held);
    const uint32_t **lines = malloc((size_t)rows->pairs * sizeof *lines);
    int result = held == NULL || lines == NULL
        ? -1
        : paint_tiles(
              source, columns, rows, is_linear_light, target, stride, x, end, top, bottom, flag,
              kernel_of(supported_set(kernel)), memory, held, lines);
    free(lines);
    free(held);
    free(memory);
    return result;
}
