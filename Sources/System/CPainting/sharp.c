#include "sharp.h"

#include <stdlib.h>

void cpainting_raise(int32_t *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

int cpainting_is_raised(const int32_t *flag) {
    return __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

int cpainting_sharp(
    const struct cpainting_source *source, const struct cpainting_taps *columns,
    const struct cpainting_taps *rows, int is_linear_light, uint8_t *target, ptrdiff_t stride,
    int32_t x, int32_t end, int32_t top, int32_t bottom, const int32_t *flag,
    enum cpainting_kernel kernel) {
    int (*paint)(struct tile *, uint8_t *, ptrdiff_t, int32_t, int32_t, const int32_t *, int) =
        sharp_paint_portable;
#if defined(__x86_64__)
    int has_all = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (kernel == CPAINTING_BEST && has_all) paint = sharp_paint_avx2;
#else
    (void)kernel;
#endif
    int result = 0;
    for (int32_t left = x; left < end && result == 0; left += tile_width) {
        struct tile tile = {.source = source, .columns = columns, .rows = rows};
        tile.x = left;
        tile.end = end < left + tile_width ? end : left + tile_width;
        tile.first = columns->first[left - columns->begin];
        int32_t last = columns->first[tile.end - 1 - columns->begin] + 2 * columns->pairs;
        tile.width = (last - tile.first + 15) & ~15;
        tile.length = (tile.width * 3 + sums_at_once - 1) & ~(sums_at_once - 1);
        size_t count = (size_t)rows->pairs, row = (size_t)tile.length * sizeof(uint32_t);
        void *memory = NULL;
        size_t bytes = row * (count + 4) + (size_t)tile.width / 2 * 3 * sizeof(eight_pairs);
        if (posix_memalign(&memory, 64, bytes) != 0) return -1;
        memset(memory, 0, bytes);
        tile.ring = memory;
        tile.means = tile.ring + (size_t)tile.length * count;
        tile.transposed_columns = (eight_pairs *)(tile.means + (size_t)tile.length * 4);
        tile.held = malloc(count * sizeof *tile.held);
        tile.lines = malloc(count * sizeof *tile.lines);
        result = tile.held == NULL || tile.lines == NULL
            ? -1
            : paint(&tile, target, stride, top, bottom, flag, is_linear_light);
        free(tile.lines);
        free(tile.held);
        free(memory);
    }
    return result;
}
