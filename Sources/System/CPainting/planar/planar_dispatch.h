// The entry points of a kernel that interpolates planes: they choose the loop for the rows of a target row.
// The file that includes this one defines TARGET and INLINE_TARGET, what functions and inline functions of
// its set are declared with; ALIGNMENT, that of stores that bypass the caches; and the inline functions
// `blend_groups` and `make_groups`, whose parameters from `kind` on are constants, as are `streams` and
// whether there is something below.

/// Each call has a loop of its own.
INLINE_TARGET void blend_rows(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, const struct cpainting_conversion *by,
    const struct planar_values *below, int32_t from, int32_t to, uint8_t *out,
    const int streams) {
    if (luma->exact)
        blend_groups(columns, luma, chroma, by, below, from, to, out, streams, EXACT, 1);
    else if (luma->values[0])
        blend_groups(columns, luma, chroma, by, below, from, to, out, streams, KEPT, 1);
    else if (chroma->values[0])
        blend_groups(columns, luma, chroma, by, below, from, to, out, streams, SAMPLES, 1);
    else
        blend_groups(columns, luma, chroma, by, below, from, to, out, streams, SAMPLES, 0);
}

TARGET static void blend(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, const struct cpainting_conversion *by,
    const struct planar_values *below, int32_t from, int32_t to, uint8_t *out, int streams) {
    if (((uintptr_t)out & (ALIGNMENT - 1)) != 0) streams = 0;
    if (below != NULL && streams)
        blend_rows(columns, luma, chroma, by, below, from, to, out, 1);
    else if (below != NULL)
        blend_rows(columns, luma, chroma, by, below, from, to, out, 0);
    else if (streams)
        blend_rows(columns, luma, chroma, by, NULL, from, to, out, 1);
    else
        blend_rows(columns, luma, chroma, by, NULL, from, to, out, 0);
}

TARGET static void make_values(
    const struct cpainting_planar_columns *columns, const struct planar_pair *luma,
    const struct planar_pair *chroma, int32_t from, int32_t to, const struct planar_values *out) {
    if (luma->exact)
        make_groups(columns, luma, chroma, from, to, out, EXACT, 1);
    else if (luma->values[0])
        make_groups(columns, luma, chroma, from, to, out, KEPT, 1);
    else if (chroma->values[0])
        make_groups(columns, luma, chroma, from, to, out, SAMPLES, 1);
    else
        make_groups(columns, luma, chroma, from, to, out, SAMPLES, 0);
}
