// The interface of the kernels of rotated images.
#ifndef ROTATED_H
#define ROTATED_H

#include "cpainting.h"

/// Adjacent pixels that are interpolated together.
enum { GROUP = 8 };
/// A tile of the target.
enum { TILE_COLUMNS = 256, TILE_ROWS = 64 };
/// Rows of a block of a tile, and the fewest columns.
enum { BLOCK_ROWS = 4, BLOCK_COLUMNS = 32 };
/// Prefetches of a group: for every second pixel. Other target rows prefetch for the pixels between.
enum { PLACES_AHEAD = GROUP / 2 };
/// In a source with rows of fewer bytes, an offset in pixels is one sum of products of 16 bits.
enum { widest_stride = 4 << 15 };
/// Positions are fixed-point numbers with this many fractional bits.
enum { UNIT_BITS = 15 };

/// A position in the source, in units of 1/2^`UNIT_BITS` source pixels from the centre of its first
/// pixel.
struct place {
    int64_t column, row;
};

struct patch;

struct rotated {
    const struct cpainting_source *source;
    struct cpainting_affine matrix;
    /// Offsets of the columns of a tile from its first column.
    struct place steps[TILE_COLUMNS];
    /// The same offsets, modulo 2^32.
    uint32_t column_steps[TILE_COLUMNS] __attribute__((aligned(32)));
    uint32_t row_steps[TILE_COLUMNS] __attribute__((aligned(32)));
    uint32_t opacity;
    enum cpainting_kernel kernel;
    /// Columns of a block; a power of two.
    int32_t block;
    /// Whether the image is opaque, so that its pixels replace those of the target.
    int replaces;
    /// Paints a patch; NULL in the portable set.
    void (*paint_patch)(const struct rotated *, const struct patch *, uint8_t *, ptrdiff_t, int);
    /// The target row before which all rows are painted.
    int32_t bottom;
    /// Target rows from a group to the source pixels that are prefetched with that group.
    int32_t rows_ahead;
    /// Distances in bytes to these pixels, of even pixels and of odd ones: in the same tile, and in the next tile
    /// of a row of tiles.
    ptrdiff_t ahead[2][2][PLACES_AHEAD];
};

/// Groups of a tile, in one or more of its rows. All source pixels that they need are inside the source, and
/// near each other: positions from `origin` on are less than 2^30 units, and their offsets are less than
/// 2^31 bytes. Rows are whole pixels apart, and pixels are aligned.
///
/// A patch is painted in blocks: first all blocks in its first rows, from left to right. At large angles each
/// pixel of a row is in a source row of its own, and in a memory page of its own. The pages of a block are so
/// few that the processor finds them at once in all rows of the block.
struct patch {
    /// The pixel with the lowest column and the lowest row.
    const uint32_t *origin;
    /// For each target row, the position of the tile's first column, from `origin` on, modulo 2^32.
    uint32_t columns[TILE_ROWS], rows[TILE_ROWS];
    /// For each target row, distances to prefetch.
    const ptrdiff_t *ahead[TILE_ROWS];
    /// Target rows, and columns of the tile. Columns are multiples of `GROUP`.
    int32_t height, begin, end;
};

/// A row of a block: a row of the patch, and columns of the tile.
struct block_row {
    int32_t row, begin, end;
};

/// Blocks begin at multiples of their columns, so that no cache line of the target is in two blocks.
static inline struct block_row block_row_at(
    const struct rotated *rotated, const struct patch *patch, int32_t row, int32_t column) {
    int32_t end = (column / rotated->block + 1) * rotated->block;
    return (struct block_row){row, column, end < patch->end ? end : patch->end};
}

static inline struct block_row first_block_row(
    const struct rotated *rotated, const struct patch *patch) {
    return block_row_at(rotated, patch, 0, patch->begin);
}

/// The row that is painted after `last`. Its number is `height` after the last one.
static inline struct block_row next_block_row(
    const struct rotated *rotated, const struct patch *patch, struct block_row last) {
    int32_t row = last.row + 1;
    if (row % BLOCK_ROWS != 0 && row < patch->height)
        return block_row_at(rotated, patch, row, last.begin);
    if (last.end < patch->end)
        return block_row_at(rotated, patch, last.row / BLOCK_ROWS * BLOCK_ROWS, last.end);
    return block_row_at(rotated, patch, row, patch->begin);
}

/// Prefetches the pixels at distances from a group's first pixel. They may be outside the source.
static inline void prefetch_places(const uint32_t *first, const ptrdiff_t *ahead) {
    for (int index = 0; index < PLACES_AHEAD; index++)
        __builtin_prefetch((const void *)((uintptr_t)first + (uintptr_t)ahead[index]));
}

/// Paint a patch. `out` is the pixel of column `begin`, and aligned to 32 bytes, as is `stride`; with `streams`,
/// the stores bypass the caches.
void rotated_paint_simd(
    const struct rotated *rotated, const struct patch *patch, uint8_t *out, ptrdiff_t stride,
    int streams);
void rotated_paint_avx2(
    const struct rotated *rotated, const struct patch *patch, uint8_t *out, ptrdiff_t stride,
    int streams);

#endif
