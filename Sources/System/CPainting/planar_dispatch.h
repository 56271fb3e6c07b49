// The entry point of a kernel that interpolates planes: chooses the loop for the rows of a target row.
// The file that includes this one defines TARGET, what functions of its set are declared with;
// ALIGNMENT, that of stores that bypass the caches; and the inline function
// `blend_groups`, whose last three parameters are constants.

/// Each call has a loop of its own.
TARGET static void blend(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, const struct cpainting_conversion *by, int32_t from,
    int32_t to, uint8_t *out, int streams) {
    enum luma_kind kind = luma->exact ? EXACT : luma->values[0] ? KEPT : SAMPLES;
    if (!streams || ((uintptr_t)out & (ALIGNMENT - 1)) != 0) {
        if (kind == EXACT)
            blend_groups(columns, luma, chroma, by, from, to, out, 0, EXACT, 1);
        else if (kind == KEPT)
            blend_groups(columns, luma, chroma, by, from, to, out, 0, KEPT, 1);
        else if (chroma->values[0])
            blend_groups(columns, luma, chroma, by, from, to, out, 0, SAMPLES, 1);
        else
            blend_groups(columns, luma, chroma, by, from, to, out, 0, SAMPLES, 0);
    } else if (kind == EXACT) {
        blend_groups(columns, luma, chroma, by, from, to, out, 1, EXACT, 1);
    } else if (kind == KEPT) {
        blend_groups(columns, luma, chroma, by, from, to, out, 1, KEPT, 1);
    } else if (chroma->values[0]) {
        blend_groups(columns, luma, chroma, by, from, to, out, 1, SAMPLES, 1);
    } else {
        blend_groups(columns, luma, chroma, by, from, to, out, 1, SAMPLES, 0);
    }
}
