// The kernel for vectors of 16 bytes.
#include "rotated.h"
#include "simd.h"

#if HAS_SIMD

/// What is the same for all pixels of a patch.
struct constants {
    /// A pixel, and the one below.
    const uint32_t *origin, *lower;
    /// Pixels from one row of the source to the next.
    ptrdiff_t stride;
};

SIMD_INLINE struct constants constants_of(
    const struct rotated *rotated, const struct patch *patch) {
    const ptrdiff_t stride = rotated->source->stride / 4;
    return (struct constants){patch->origin, patch->origin + stride, stride};
}

/// The positions of four columns of a row.
struct places {
    simd_uints columns, rows;
};

SIMD_INLINE struct places places_of(
    const struct rotated *rotated, const struct patch *patch, int32_t row, int32_t column) {
    return (struct places){
        (simd_uints)simd_load_aligned(rotated->column_steps + column) + patch->columns[row],
        (simd_uints)simd_load_aligned(rotated->row_steps + column) + patch->rows[row]};
}

/// The offsets of all pixels of a row of a block.
SIMD_INLINE void find_offsets(
    const struct rotated *rotated, const struct patch *patch, struct block_row row,
    const struct constants *by, uint32_t *offsets, const int is_wide) {
    for (int32_t column = row.begin; column < row.end; column += 4, offsets += 4) {
        struct places places = places_of(rotated, patch, row.row, column);
        simd_store(
            offsets, (simd_bytes)simd_offsets(
                         (simd_ints)(places.rows >> UNIT_BITS),
                         (simd_ints)(places.columns >> UNIT_BITS), by->stride, is_wide));
    }
}

/// Interpolates the four pixels at `at` and in the rows below.
SIMD_INLINE simd_bytes four_pixels(
    const uint32_t *origin, const uint32_t *lower, const uint32_t *at, struct places places) {
    struct simd_weights weights =
        simd_weights_of((simd_ints)(places.columns >> (UNIT_BITS - 7)) & 127);
    return simd_down(
        simd_across(
            simd_pairs(origin + at[0], origin + at[1]), simd_pairs(origin + at[2], origin + at[3]),
            weights),
        simd_across(
            simd_pairs(lower + at[0], lower + at[1]), simd_pairs(lower + at[2], lower + at[3]),
            weights),
        simd_repeated((simd_ints)places.rows & ((1 << UNIT_BITS) - 1)));
}

SIMD_INLINE void paint_group(
    const struct rotated *rotated, const struct patch *patch, int32_t row, int32_t column,
    const struct constants *by, const uint32_t *at, uint8_t *out, const int streams) {
    for (int part = 0; part < GROUP; part += 4, at += 4, out += 16) {
        simd_bytes pixels = four_pixels(
            by->origin, by->lower, at, places_of(rotated, patch, row, column + part));
        if (streams)
            simd_stream(out, pixels);
        else
            simd_store(out, pixels);
    }
}

#define TARGET SIMD_TARGET
#define INLINE_TARGET SIMD_INLINE
#define NAME rotated_paint_simd
#include "rotated_blocks.h"

#endif
