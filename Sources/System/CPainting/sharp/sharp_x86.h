// Functions of a refinement kernel (see sharp_tile.h) in SSSE3 and in AVX2, whose instructions have the
// same names and work alike on each 16 bytes. The file that includes it defines the types of vectors,
// `VECTOR`, `OPERATION(name)` for an instruction, and `EACH_HALF(vector)`, which repeats 16 bytes.

INLINE sums add_products(sums sum, pairs values, pairs weights) {
    return sum + (sums)OPERATION(madd_epi16)((VECTOR)values, (VECTOR)weights);
}

INLINE pairs rounded_products(pairs first, pairs second) {
    return (pairs)OPERATION(mulhrs_epi16)((VECTOR)first, (VECTOR)second);
}

/// Moves the first bytes of four numbers to the front, then the second, third and fourth bytes; also
/// the reverse, because the order is that of a transposed 4 × 4 matrix.
INLINE VECTOR transposed_bytes(VECTOR numbers) {
    const __m128i order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return OPERATION(shuffle_epi8)(numbers, EACH_HALF(order));
}

INLINE VECTOR transposed_pixels(const uint8_t *pixels) {
    VECTOR loaded;
    memcpy(&loaded, pixels, sizeof loaded);
    return transposed_bytes(loaded);
}

INLINE void pairs_of_rows(const uint8_t *upper, const uint8_t *lower, pairs out[3]) {
    VECTOR u = transposed_pixels(upper), l = transposed_pixels(lower);
    VECTOR first = OPERATION(unpacklo_epi8)(u, l), last = OPERATION(unpackhi_epi8)(u, l);
    const VECTOR none = OPERATION(set1_epi32)(0);
    out[0] = (pairs)OPERATION(unpacklo_epi8)(first, none);
    out[1] = (pairs)OPERATION(unpackhi_epi8)(first, none);
    out[2] = (pairs)OPERATION(unpacklo_epi8)(last, none);
}

INLINE pairs pairs_of_sums(sums first, sums second, const int bits) {
    return (pairs)OPERATION(packs_epi32)((VECTOR)(first >> bits), (VECTOR)(second >> bits));
}

INLINE pairs arranged(pairs values) { return values; }

INLINE pairs opaque_pixels(sums blue, sums green, sums red) {
    VECTOR first = OPERATION(packs_epi32)((VECTOR)blue, (VECTOR)green);
    VECTOR second = OPERATION(packs_epi32)((VECTOR)red, OPERATION(set1_epi32)(255));
    return (pairs)transposed_bytes(OPERATION(packus_epi16)(first, second));
}
