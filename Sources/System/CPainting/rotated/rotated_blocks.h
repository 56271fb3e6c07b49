// The entry point of a kernel of rotated images: paints the rows of the blocks of a patch one after the other.
// The file that includes this one defines TARGET and INLINE_TARGET, what functions and inline functions of its
// set are declared with; NAME, the name of the entry point; and these, where `is_wide` and `streams` are constants:
// - `struct constants`, with the pixel `origin` of the patch, and `constants_of`, which makes them for a patch.
// - `find_offsets`, which stores the offsets of the pixels of a row of a block, from its first column on.
// - `paint_group`, which interpolates the group at column `column` of a row of the patch, whose offsets are at
//   `at`, and stores its pixels at `out`.

INLINE_TARGET void paint(
    const struct rotated *rotated, const struct patch *patch, uint8_t *out, ptrdiff_t stride,
    const int streams, const int is_wide) {
    const struct constants constants = constants_of(rotated, patch);
    // Offsets are found a row ahead: a group that waited for its own would take half as long again.
    uint32_t offsets[2][TILE_COLUMNS] __attribute__((aligned(32)));
    struct block_row row = first_block_row(rotated, patch);
    find_offsets(rotated, patch, row, &constants, offsets[0], is_wide);
    for (int turn = 0; row.row < patch->height; turn = !turn) {
        struct block_row next = next_block_row(rotated, patch, row);
        if (next.row < patch->height)
            find_offsets(rotated, patch, next, &constants, offsets[!turn], is_wide);
        const uint32_t *at = offsets[turn];
        const ptrdiff_t *ahead = patch->ahead[row.row];
        uint8_t *pixels = out + row.row * stride + (ptrdiff_t)(row.begin - patch->begin) * 4;
        for (int32_t column = row.begin; column < row.end;
             column += GROUP, at += GROUP, pixels += GROUP * 4) {
            prefetch_places(constants.origin + at[0], ahead);
            paint_group(rotated, patch, row.row, column, &constants, at, pixels, streams);
        }
        row = next;
    }
}

TARGET void NAME(
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
