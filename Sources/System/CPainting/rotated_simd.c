// The kernel for vectors of 16 bytes.
#include "rotated.h"
#include "simd.h"

#if HAS_SIMD

/// Four pixels at positions from `origin` on. `ahead` is NULL, or distances to prefetch.
SIMD_INLINE simd_bytes four_pixels(
    const uint32_t *origin, ptrdiff_t stride, simd_ints columns, simd_ints rows,
    const ptrdiff_t *ahead, const int is_wide) {
    uint32_t at[4];
    simd_store(
        at, (simd_bytes)simd_offsets(
                (simd_ints)((simd_uints)rows >> UNIT_BITS),
                (simd_ints)((simd_uints)columns >> UNIT_BITS), stride, is_wide));
    // Reading the offsets back takes fewer instructions than extracting them, which compilers would
    // do instead.
    __asm__("" : "+m"(at));
    for (int index = 0; ahead != NULL && index < PLACES_AHEAD; index++)
        __builtin_prefetch((const uint8_t *)(origin + at[0]) + ahead[index]);
    struct simd_weights weights =
        simd_weights_of((simd_ints)((simd_uints)columns >> (UNIT_BITS - 7)) & 127);
    const uint32_t *lower = origin + stride;
    return simd_down(
        simd_across(
            simd_pairs(origin + at[0], origin + at[1]), simd_pairs(origin + at[2], origin + at[3]),
            weights),
        simd_across(
            simd_pairs(lower + at[0], lower + at[1]), simd_pairs(lower + at[2], lower + at[3]),
            weights),
        simd_repeated(rows & ((1 << UNIT_BITS) - 1)));
}

SIMD_INLINE void paint(
    const struct rotated *rotated, const struct run *run, uint8_t *out, const int streams,
    const int is_wide) {
    const ptrdiff_t stride = rotated->source->stride / 4;
    simd_ints columns[2], rows[2];
    for (int index = 0; index < GROUP; index++) {
        columns[index / 4][index % 4] = (int32_t)(run->column + (uint32_t)rotated->steps[index].column);
        rows[index / 4][index % 4] = (int32_t)(run->row + (uint32_t)rotated->steps[index].row);
    }
    const uint32_t *origin = run->origin;
    const ptrdiff_t *ahead = run->ahead;
    const ptrdiff_t places[PLACES_AHEAD] = {ahead[0], ahead[1], ahead[2], ahead[3]};
    const struct place *group = rotated->groups + run->begin;
    for (int32_t count = run->end - run->begin; count > 0; count--, group++, out += 32) {
        int32_t column = (int32_t)group->column, row = (int32_t)group->row;
        for (int part = 0; part < 2; part++) {
            simd_bytes pixels = four_pixels(
                origin, stride, columns[part] + column, rows[part] + row, part ? NULL : places,
                is_wide);
            if (streams)
                simd_stream(out + (ptrdiff_t)part * 16, pixels);
            else
                simd_store(out + (ptrdiff_t)part * 16, pixels);
        }
    }
}

SIMD_TARGET void rotated_paint_simd(
    const struct rotated *rotated, const struct run *run, uint8_t *out, int streams) {
    // Each call has a loop of its own.
    if (streams && rotated->source->stride < widest_stride)
        paint(rotated, run, out, 1, 0);
    else if (streams)
        paint(rotated, run, out, 1, 1);
    else
        paint(rotated, run, out, 0, 1);
}

#endif
