// The kernel for vectors of 16 bytes.
#include "rotated.h"
#include "simd.h"

#if HAS_SIMD

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
    ptrdiff_t stride, uint32_t *offsets, const int is_wide) {
    for (int32_t column = row.begin; column < row.end; column += 4, offsets += 4) {
        struct places places = places_of(rotated, patch, row.row, column);
        simd_store(
            offsets, (simd_bytes)simd_offsets(
                         (simd_ints)(places.rows >> UNIT_BITS),
                         (simd_ints)(places.columns >> UNIT_BITS), stride, is_wide));
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

SIMD_INLINE void paint(
    const struct rotated *rotated, const struct patch *patch, uint8_t *out, ptrdiff_t out_stride,
    const int streams, const int is_wide) {
    const ptrdiff_t stride = rotated->source->stride / 4;
    const uint32_t *origin = patch->origin, *lower = origin + stride;
    // Offsets are found a row ahead, so that no group waits for its own.
    uint32_t offsets[2][TILE_COLUMNS] __attribute__((aligned(16)));
    struct block_row row = first_block_row(rotated, patch);
    find_offsets(rotated, patch, row, stride, offsets[0], is_wide);
    for (int turn = 0; row.row < patch->height; turn = !turn) {
        struct block_row next = next_block_row(rotated, patch, row);
        if (next.row < patch->height)
            find_offsets(rotated, patch, next, stride, offsets[!turn], is_wide);
        const uint32_t *at = offsets[turn];
        const ptrdiff_t *ahead = patch->ahead[row.row];
        uint8_t *pixel = out + row.row * out_stride + (ptrdiff_t)(row.begin - patch->begin) * 4;
        for (int32_t column = row.begin; column < row.end;
             column += GROUP, at += GROUP, pixel += GROUP * 4) {
            prefetch_places(origin + at[0], ahead);
            for (int part = 0; part < GROUP; part += 4) {
                simd_bytes pixels = four_pixels(
                    origin, lower, at + part,
                    places_of(rotated, patch, row.row, column + part));
                if (streams)
                    simd_stream(pixel + (ptrdiff_t)part * 4, pixels);
                else
                    simd_store(pixel + (ptrdiff_t)part * 4, pixels);
            }
        }
        row = next;
    }
}

SIMD_TARGET void rotated_paint_simd(
    const struct rotated *rotated, const struct patch *patch, uint8_t *out, ptrdiff_t stride,
    int streams) {
    // Each call has a loop of its own.
    if (streams && rotated->source->stride < widest_stride)
        paint(rotated, patch, out, stride, 1, 0);
    else if (streams)
        paint(rotated, patch, out, stride, 1, 1);
    else
        paint(rotated, patch, out, stride, 0, 1);
}

#endif
