// Fills a rectangle with one pixel value.
#include "cpainting.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef uint32_t four __attribute__((vector_size(16)));

/// Fills one row. Whole cache lines bypass the caches.
static void fill_row(uint8_t *row, int32_t width, uint32_t pixel) {
    int32_t x = 0;
    for (; x < width && ((uintptr_t)(row + (ptrdiff_t)x * 4) & 63) != 0; x++)
        memcpy(row + (ptrdiff_t)x * 4, &pixel, 4);
    const four pixels = {pixel, pixel, pixel, pixel};
    for (; x + 16 <= width; x += 16)
        for (int part = 0; part < 4; part++)
            __builtin_nontemporal_store(pixels, (four *)(void *)(row + (ptrdiff_t)x * 4) + part);
    for (; x < width; x++) memcpy(row + (ptrdiff_t)x * 4, &pixel, 4);
}

void cpainting_fill(
    uint8_t *target, ptrdiff_t stride, int32_t width, int32_t height, uint32_t pixel) {
    for (int32_t y = 0; y < height; y++) fill_row(target + y * stride, width, pixel);
#if defined(__SSE2__)
    // Make the stores that bypass the caches visible to other threads.
    _mm_sfence();
#endif
}
