// Enlargement by a whole factor: each pixel becomes a block of equal pixels, which is the fastest
// kind of enlargement.
#include "cpainting.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef uint32_t pixels4 __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) void put(uint8_t *out, pixels4 pixels, int streams) {
    // Bypass the caches: a frame is larger than the caches, and is not read soon.
    if (streams)
        __builtin_nontemporal_store(pixels, (pixels4 *)out);
    else
        memcpy(out, &pixels, sizeof pixels);
}

/// The target of a row of blocks.
struct target {
    uint8_t *pixels;
    ptrdiff_t stride;
    int32_t rows;
};

/// Enlarges `fours` groups of four pixels. All rows of a block are written at once, so that no
/// pixel is read twice.
static inline __attribute__((always_inline)) void enlarge_fours(
    const uint8_t *from, int32_t fours, struct target to, int side, int streams) {
    uint8_t *out = to.pixels;
    for (int32_t four = 0; four < fours; four++, from += 16, out += 16 * side) {
        pixels4 p, parts[4];
        memcpy(&p, from, sizeof p);
        if (side == 2) {
            parts[0] = __builtin_shufflevector(p, p, 0, 0, 1, 1);
            parts[1] = __builtin_shufflevector(p, p, 2, 2, 3, 3);
        } else if (side == 3) {
            parts[0] = __builtin_shufflevector(p, p, 0, 0, 0, 1);
            parts[1] = __builtin_shufflevector(p, p, 1, 1, 2, 2);
            parts[2] = __builtin_shufflevector(p, p, 2, 3, 3, 3);
        } else {
            parts[0] = __builtin_shufflevector(p, p, 0, 0, 0, 0);
            parts[1] = __builtin_shufflevector(p, p, 1, 1, 1, 1);
            parts[2] = __builtin_shufflevector(p, p, 2, 2, 2, 2);
            parts[3] = __builtin_shufflevector(p, p, 3, 3, 3, 3);
        }
        uint8_t *row = out;
        for (int32_t y = 0; y < to.rows; y++, row += to.stride)
            for (int part = 0; part < side; part++)
                put(row + (ptrdiff_t)part * 16, parts[part], streams);
    }
}

static void enlarge_whole_blocks(
    const uint8_t *from, int32_t fours, struct target to, int32_t side, int streams) {
    // Each call has a loop of its own with a constant side.
    if (side == 2 && streams)
        enlarge_fours(from, fours, to, 2, 1);
    else if (side == 2)
        enlarge_fours(from, fours, to, 2, 0);
    else if (side == 3 && streams)
        enlarge_fours(from, fours, to, 3, 1);
    else if (side == 3)
        enlarge_fours(from, fours, to, 3, 0);
    else if (side == 4 && streams)
        enlarge_fours(from, fours, to, 4, 1);
    else if (side == 4)
        enlarge_fours(from, fours, to, 4, 0);
}

/// Enlarges pixels to target columns from `x` to `end`, for any number of columns and any side.
static void enlarge_pixels(
    const uint8_t *from, int32_t x, int32_t end, struct target to, int32_t side) {
    for (int32_t y = 0; y < to.rows; y++) {
        uint8_t *row = to.pixels + y * to.stride;
        for (int32_t column = x; column < end; column++)
            memcpy(row + (ptrdiff_t)column * 4, from + (ptrdiff_t)(column / side) * 4, 4);
    }
}

/// Number of blocks before the first one that begins at a multiple of 16 bytes; -1 if there is
/// none.
static int32_t blocks_before_aligned(const uint8_t *target, ptrdiff_t stride, int32_t side) {
    if (stride % 16 != 0) return -1;
    for (int32_t block = 0; block < 4; block++)
        if (((uintptr_t)target + (uintptr_t)block * (uintptr_t)side * 4) % 16 == 0) return block;
    return -1;
}

void cpainting_enlarge(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *target, ptrdiff_t stride, int32_t side,
    int32_t width, int32_t height) {
    int32_t before = blocks_before_aligned(target, stride, side);
    int streams = before >= 0;
    int32_t blocks = width / side, first = before > 0 ? before : 0;
    if (first > blocks) first = blocks;
    int32_t fours = side >= 2 && side <= 4 ? (blocks - first) / 4 : 0;
    int32_t begin = first * side, end = begin + fours * 4 * side;
    for (int32_t y = 0; y < height; y += side, source += source_stride) {
        uint8_t *out = target + y * stride;
        struct target to = {out, stride, height - y < side ? height - y : side};
        enlarge_pixels(source, 0, begin, to, side);
        struct target middle = {out + (ptrdiff_t)begin * 4, stride, to.rows};
        enlarge_whole_blocks(source + (ptrdiff_t)first * 4, fours, middle, side, streams);
        enlarge_pixels(source, end, width, to, side);
    }
#if defined(__SSE2__)
    // Make the stores that bypass the caches visible to other threads.
    if (streams) _mm_sfence();
#endif
}
