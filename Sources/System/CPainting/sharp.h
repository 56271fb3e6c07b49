// A part of a frame at rest, as the kernels paint it.
#ifndef SHARP_H
#define SHARP_H

#include "cpainting_sharp.h"

#include <stddef.h>
#include <string.h>

typedef float eight __attribute__((vector_size(32)));
typedef int32_t eight_sums __attribute__((vector_size(32)));
/// Each two numbers of 16 bits, the first one in the lower half.
typedef uint32_t eight_pairs __attribute__((vector_size(32)));

enum {
    /// So wide that what a tile is made of stays in the cache nearest to a processor.
    tile_width = 96,
    /// Source rows are asked for so long before they are wanted: each lies in a page of its own, which
    /// no processor foresees.
    rows_ahead = 4,
    /// Sums of a row that are made in one go, and stay in registers meanwhile.
    sums_at_once = 64,
    /// What the sum of weights is a power of two by.
    weight_bits = 14,
    /// What stands for white, and for all light: sharpening goes up to 1.3 times as far, which is still a number of 16
    /// bits with a sign.
    white = 96 * 256,
};

/// A part of a target that is painted in one go, and the source that it is made of.
struct tile {
    const struct cpainting_source *source;
    const struct cpainting_taps *columns, *rows;
    /// Target columns.
    int32_t x, end;
    /// The first source column, an even one, and how many there are, a multiple of 16.
    int32_t first, width;
    /// Numbers of one such row: three times the width, and more that are not looked at.
    int32_t length;
    /// Pairs of source rows as light, pair p in place p modulo `rows->pairs`; and which each is. Of each
    /// all blue, then all green, then all red.
    uint32_t *ring;
    int64_t *held;
    /// The pairs that one target row is made of.
    const uint32_t **lines;
    /// Means down: eight target rows of pairs of columns, in the order of `pair_order`; and the same by
    /// pairs of columns, in their own.
    uint32_t *means;
    eight_pairs *columns_up;
};

/// Paints its columns of some rows. Returns 1 when the flag was raised meanwhile.
int sharp_paint_portable(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, int is_light);
int sharp_paint_avx2(
    struct tile *tile, uint8_t *target, ptrdiff_t stride, int32_t top, int32_t bottom,
    const int32_t *flag, int is_light);

#endif
