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

/// Sets the samples of a plane that target columns `x` to before `end` are computed from.
static void place(
    struct tile_plane *plane, const struct cpainting_taps *columns, int32_t channels, int32_t x,
    int32_t end) {
    plane->first = columns->first[x - columns->begin];
    int32_t last = columns->first[end - 1 - columns->begin] + 2 * columns->pairs;
    plane->width = (last - plane->first + 15) & ~15;
    plane->length = plane->width * channels;
}

/// The parts of a plane's memory in bytes, each a multiple of 64.
struct parts {
    size_t ring, means, columns;
};

static struct parts parts_of(const struct tile_plane *plane) {
    size_t row = (size_t)plane->length * sizeof(uint32_t);
    return (struct parts){
        row * (size_t)plane->rows->pairs, row / 2 * most_rows, row / 2 * most_rows};
}

/// The planes of a picture, with the number of channels of each.
struct picture {
    const struct cpainting_conversion *conversion;
    int count;
    struct tile_plane planes[most_planes];
    int32_t channels[most_planes];
};

/// Makes the tile from target column `left` on, whose data is from `memory` on; returns the size of that data in
/// bytes. If `memory` is NULL, the tile has no pointers to data.
static size_t make_tile(
    struct tile *tile, const struct picture *picture, const struct cpainting_refinement *refinement,
    int32_t left, uint32_t *memory) {
    int32_t end = refinement->end - left < tile_width ? refinement->end : left + tile_width;
    *tile = (struct tile){.x = left, .end = end, .conversion = picture->conversion};
    size_t bytes = 0;
    for (int index = 0; index < picture->count; index++) {
        struct tile_plane *plane = &tile->planes[index];
        *plane = picture->planes[index];
        place(plane, plane->columns, picture->channels[index], left, end);
        struct parts parts = parts_of(plane);
        if (memory != NULL) {
            plane->ring = memory + bytes / sizeof *memory;
            plane->means = plane->ring + parts.ring / sizeof *memory;
            plane->transposed_columns = plane->means + parts.means / sizeof *memory;
        }
        bytes += parts.ring + parts.means + parts.columns;
    }
    return bytes;
}

/// Paints the tiles, one after another, in the same memory.
static int paint_tiles(
    const struct picture *picture, const struct cpainting_refinement *refinement, uint32_t *memory) {
    sharp_kernel *kernel = kernel_of(supported_set(refinement->kernel));
    for (int32_t left = refinement->x; left < refinement->end; left += tile_width) {
        struct tile tile;
        make_tile(&tile, picture, refinement, left, memory);
        int result = kernel(&tile, refinement);
        if (result != 0) return result;
    }
    return 0;
}

static int paint_picture(struct picture *picture, const struct cpainting_refinement *refinement) {
    if (refinement->x >= refinement->end) return 0;
    size_t bytes = 0;
    for (int32_t left = refinement->x; left < refinement->end; left += tile_width) {
        struct tile tile;
        size_t needed = make_tile(&tile, picture, refinement, left, NULL);
        if (needed > bytes) bytes = needed;
    }
    size_t pairs = 0;
    for (int index = 0; index < picture->count; index++)
        pairs += (size_t)picture->planes[index].rows->pairs;
    void *memory = NULL;
    if (posix_memalign(&memory, 64, bytes) != 0) memory = NULL;
    int64_t *held = malloc(pairs * sizeof *held);
    const uint32_t **lines = malloc(pairs * sizeof *lines);
    int result = -1;
    if (memory != NULL && held != NULL && lines != NULL) {
        memset(memory, 0, bytes);
        size_t used = 0;
        for (int index = 0; index < picture->count; index++) {
            struct tile_plane *plane = &picture->planes[index];
            plane->held = held + used;
            plane->lines = lines + used;
            used += (size_t)plane->rows->pairs;
        }
        result = paint_tiles(picture, refinement, memory);
    }
    free(lines);
    free(held);
    free(memory);
    return result;
}

static struct tile_plane plane_of(
    const struct cpainting_plane *plane, const struct cpainting_filter *filter) {
    return (struct tile_plane){
        .samples = plane->samples,
        .stride = plane->stride,
        .source_width = plane->width,
        .source_height = plane->height,
        .columns = &filter->columns,
        .rows = &filter->rows,
    };
}

int cpainting_sharp(
    const struct cpainting_source *source, const struct cpainting_filter *filter,
    const struct cpainting_refinement *refinement) {
    const struct cpainting_plane plane = {
        source->pixels, source->stride, source->width, source->height};
    struct picture pixels = {
        .count = 1, .planes = {plane_of(&plane, filter)}, .channels = {3}};
    return paint_picture(&pixels, refinement);
}

int cpainting_sharp_planar(
    const struct cpainting_planes *planes, const struct cpainting_filter *luma,
    const struct cpainting_filter *chroma, const struct cpainting_refinement *refinement) {
    struct picture picture = {
        .conversion = &planes->conversion,
        .count = 2,
        .planes = {plane_of(&planes->luma, luma), plane_of(&planes->chroma, chroma)},
        .channels = {1, 2},
    };
    return paint_picture(&picture, refinement);
}
