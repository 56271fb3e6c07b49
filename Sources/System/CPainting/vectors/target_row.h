// A target row, which is interpolated in groups of 8 columns and written to the target or blended over
// it.
#ifndef TARGET_ROW_H
#define TARGET_ROW_H

#include "cpainting.h"

struct target_row {
    /// Interpolates columns `from` to before `to`, both multiples of 8; `out` is the pixel of column
    /// `from`. With `streams`, stores bypass the caches where they can: a frame is larger than the
    /// caches, and is not read soon.
    void (*interpolate)(
        const void *context, int32_t from, int32_t to, uint8_t *out, int streams);
    const void *context;
    /// NULL if the pixels replace those of the target.
    const struct cpainting_blending *blending;
    /// The pixel of column 0 in the row to blend over; NULL blends over the target's pixels.
    const uint8_t *below;
    /// Whether pixels that replace those of the target bypass the caches.
    int streams;
    /// The set of instructions that blends.
    enum cpainting_kernel choice;
};

/// Blends `count` pixels over those from column `from` on; `out` is the pixel of column 0.
void target_row_blend(
    const struct target_row *row, const uint8_t *pixels, int32_t from, int32_t count, uint8_t *out);

/// Paints columns `begin` to before `end`; `out` is the pixel of column 0.
void target_row_paint(const struct target_row *row, int32_t begin, int32_t end, uint8_t *out);

#endif
