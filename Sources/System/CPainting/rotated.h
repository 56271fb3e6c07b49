// The interface of the kernels of rotated images.
#ifndef ROTATED_H
#define ROTATED_H

#include "cpainting.h"

/// Adjacent pixels whose positions are computed from that of the first one.
enum { GROUP = 8 };
/// Rows of a tile, and bounds of its columns. At small angles a row of a tile covers about `TILE`
/// source rows: the source pixels of a tile are close together in memory, and yet in few runs.
enum { TILE = 32, SHORTEST_TILE = 256, LONGEST_TILE = 1024 };
/// Prefetches of a group: for every second pixel. The next target row prefetches for the pixels
/// between. At large angles each pixel is in a source row of its own.
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

struct run;

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
    /// Paints a run; NULL in the portable set.
    void (*paint_run)(const struct rotated *, const struct run *, uint8_t *, int);
    /// Distances in bytes from a group to the source pixels to prefetch, in even target rows and in
    /// odd ones.
    ptrdiff_t ahead[2][PLACES_AHEAD];
};

/// Groups of a tile's row. All source pixels that they need are inside the source, and near each
/// other: positions from `origin` on are less than 2^30 units, and their offsets are less than 2^31
/// bytes. Rows are whole pixels apart, and pixels are aligned.
struct run {
    /// The pixel with the lowest column and the lowest row.
    const uint32_t *origin;
    /// The position of the tile's first group, from `origin` on, modulo 2^32.
    uint32_t column, row;
    /// Groups `begin` to before `end`.
    int32_t begin, end;
    /// Distances to prefetch.
    const ptrdiff_t *ahead;
};

/// Paint a run. `out` is aligned to 32 bytes; with `streams`, the stores bypass the caches.
void rotated_paint_simd(
    const struct rotated *rotated, const struct run *run, uint8_t *out, int streams);
void rotated_paint_avx2(
    const struct rotated *rotated, const struct run *run, uint8_t *out, int streams);

#endif
