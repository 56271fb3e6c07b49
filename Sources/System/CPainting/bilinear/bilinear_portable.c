// The kernel in the compiler's portable vectors.
#include "bilinear.h"

#include <string.h>

#include "vectors.h"

static void across(
    const uint8_t *row, ptrdiff_t ahead, int32_t width, const struct cpainting_columns *columns,
    int32_t from, int32_t to, int16_t *out) {
    (void)ahead;
    for (int32_t index = from; index < to; index++) {
        int16_t share = (int16_t)(columns->weights[index] >> 8);
        int32_t left = columns->left[index];
        bytes8 pair;
        // The last column has no column to its right; the weight is 0 then.
        if (left + 1 < width) {
            memcpy(&pair, row + (ptrdiff_t)left * 4, sizeof pair);
        } else {
            memcpy(&pair, row + (ptrdiff_t)left * 4, 4);
            memcpy((char *)&pair + 4, &pair, 4);
        }
        shorts4 value = mixed_across(pair, share);
        memcpy(out + (ptrdiff_t)index * 4, &value, sizeof value);
    }
}

static void blend(
    const int16_t *upper, const int16_t *lower, int16_t weight, int32_t from, int32_t to,
    uint8_t *out, int streams) {
    (void)streams;
    shorts8 share = {weight, weight, weight, weight, weight, weight, weight, weight};
    for (int32_t index = from; index < to; index += 2, out += 8) {
        shorts8 a, b;
        memcpy(&a, upper + (ptrdiff_t)index * 4, sizeof a);
        memcpy(&b, lower + (ptrdiff_t)index * 4, sizeof b);
        bytes8 pixels = mixed_down(a, b, share);
        memcpy(out, &pixels, sizeof pixels);
    }
}

static void copy(uint8_t *out, const uint8_t *from, size_t length, ptrdiff_t ahead) {
    (void)ahead;
    memcpy(out, from, length);
}

static void fence(void) {}

const struct bilinear_kernel bilinear_portable = {across, blend, NULL, copy, fence};
