#include "target_row.h"

#include <string.h>

/// Columns that are interpolated before they are blended: few enough for the innermost cache of a
/// processor.
enum { BLENDED_AT_ONCE = 128 };

void target_row_blend(
    const struct target_row *row, const uint8_t *pixels, int32_t from, int32_t count,
    uint8_t *out) {
    uint8_t *target = out + (ptrdiff_t)from * 4;
    cpainting_over(
        target, row->below ? row->below + (ptrdiff_t)from * 4 : target, pixels, (size_t)count,
        row->blending->opacity, row->blending->is_opaque, row->choice);
}

static void paint_groups(const struct target_row *row, int32_t from, int32_t to, uint8_t *out) {
    if (!row->blending) {
        row->interpolate(row->context, from, to, out + (ptrdiff_t)from * 4, row->streams);
        return;
    }
    uint8_t pixels[BLENDED_AT_ONCE * 4] __attribute__((aligned(32)));
    for (; from < to; from += BLENDED_AT_ONCE) {
        int32_t count = to - from < BLENDED_AT_ONCE ? to - from : BLENDED_AT_ONCE;
        row->interpolate(row->context, from, from + count, pixels, 0);
        target_row_blend(row, pixels, from, count, out);
    }
}

/// Paints columns `begin` to `end` of one group.
static void paint_part(
    const struct target_row *row, int32_t group, int32_t begin, int32_t end, uint8_t *out) {
    uint8_t pixels[32] __attribute__((aligned(32)));
    row->interpolate(row->context, group, group + 8, pixels, 0);
    const uint8_t *first = pixels + (ptrdiff_t)(begin - group) * 4;
    if (row->blending)
        target_row_blend(row, first, begin, end - begin, out);
    else
        memcpy(out + (ptrdiff_t)begin * 4, first, (size_t)(end - begin) * 4);
}

void target_row_paint(const struct target_row *row, int32_t begin, int32_t end, uint8_t *out) {
    int32_t from = begin & ~7, to = end & ~7;
    if (from == to) {
        paint_part(row, from, begin, end, out);
        return;
    }
    if (from < begin) {
        paint_part(row, from, begin, from + 8, out);
        from += 8;
    }
    if (from < to) paint_groups(row, from, to, out);
    if (to < end) paint_part(row, to, to, end, out);
}
