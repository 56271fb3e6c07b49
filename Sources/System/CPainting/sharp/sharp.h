// A tile of a refined frame, as the kernels paint it.
#ifndef SHARP_H
#define SHARP_H

#include "cpainting_sharp.h"

#include <stddef.h>
#include <string.h>

enum {
    /// Columns of a tile: few enough for the data of a tile to stay in the innermost cache of a
    /// processor.
    tile_width = 96,
    /// Source rows are prefetched this many rows ahead. Each row is in a memory page of its own,
    /// where hardware prefetching does not help.
    rows_ahead = 4,
    /// Target rows that are computed at once, at most.
    most_rows = 8,
    /// A filter has at least this many pairs of weights.
    least_pairs = 3,
    /// The sum of weights is 2 to this power.
    weight_bits = 14,
    /// Values of chroma are 1/2 to this power.
    chroma_bits = 7,
    /// The value of white in linear light. Sharpening overshoots up to 1.3 times as far, which still
    /// fits into a signed number of 16 bits.
    white = 96 * 256,
    /// Encoded values are in steps of 8-bit samples. They have this many bits of fraction: luma from its
    /// conversion on, pixels from the vertical filter on.
    encoded_bits = 6,
};

/// The samples that a tile is computed from: of a plane of pixels, of luma or of chroma, which have three,
/// one and two channels.
struct tile_plane {
    const uint8_t *samples;
    ptrdiff_t stride;
    /// The size of the plane in samples.
    int32_t source_width, source_height;
    const struct cpainting_taps *columns, *rows;
    /// The first source column, which is even, and the number of source columns, a multiple of 16.
    int32_t first, width;
    /// Number of elements in a row of `ring`: the width times the number of channels.
    int32_t length;
    /// A ring buffer of converted pairs of source rows, and the number of the pair that each slot
    /// holds. Pair p is in slot p modulo `rows->pairs`: the values of one channel after those of another,
    /// in the order blue, green, red, or Cb, Cr.
    uint32_t *ring;
    int64_t *held;
    /// The pairs of source rows that one target row is computed from.
    const uint32_t **lines;
    /// Results of the vertical filter: some target rows of pairs of columns, in the order of
    /// `pair_order`; and the same transposed, with the pairs of columns in ascending order.
    uint32_t *means, *transposed_columns;
};

enum { most_planes = 2 };

/// A part of a target that is painted in one pass, and its source: a plane of pixels, or planes of luma and
/// of chroma.
struct tile {
    /// Target columns.
    int32_t x, end;
    /// How luma and chroma become red, green and blue; NULL for pixels.
    const struct cpainting_conversion *conversion;
    struct tile_plane planes[most_planes];
};

/// Paints the rows of a tile. Returns 1 if the flag was raised meanwhile.
typedef int sharp_kernel(struct tile *tile, const struct cpainting_refinement *refinement);

sharp_kernel sharp_paint_portable, sharp_paint_simd, sharp_paint_avx2;

#endif
