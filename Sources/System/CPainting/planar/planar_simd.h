// The conversion of samples to pixels in vectors of 16 bytes.
#ifndef PLANAR_SIMD_H
#define PLANAR_SIMD_H

#include "cpainting_planar.h"
#include "simd.h"

#if HAS_SIMD

SIMD_INLINE simd_shorts repeated(int16_t value) { return (simd_shorts){0} + value; }

/// The numbers of `cpainting_conversion`, each in all lanes. The factors have the sign of the samples.
struct conversion {
    simd_shorts luma_scale, luma_offset, red, green_blue, green_red, blue;
};

SIMD_INLINE struct conversion constants_of(const struct cpainting_conversion *conversion) {
    return (struct conversion){
        repeated(conversion->luma_scale) * SIMD_SIGN, repeated(conversion->luma_offset),
        repeated(conversion->red) * SIMD_SIGN, repeated(conversion->green_blue) * SIMD_SIGN,
        repeated(conversion->green_red) * SIMD_SIGN, repeated(conversion->blue) * SIMD_SIGN};
}

/// Converts eight results of `simd_mixed` to pixels, and writes these. No sum exceeds 16 bits.
SIMD_INLINE void write_converted(
    uint8_t *out, simd_shorts luma, simd_shorts cb, simd_shorts cr,
    const struct conversion *by, const int streams) {
    luma = simd_product(luma, by->luma_scale) + by->luma_offset;
    simd_write_pixels(
        out, (luma + simd_product(cb, by->blue)) >> 5,
        (luma - simd_product(cb, by->green_blue) - simd_product(cr, by->green_red)) >> 5,
        (luma + simd_product(cr, by->red)) >> 5, streams);
}

#endif
#endif
