// Colour transforms by lcms2.
#ifndef CCODECS_LCMS_H
#define CCODECS_LCMS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Sample formats: 8 or 16 bits, straight alpha, CMYK with 255 for full coverage. `CCODECS_BGRX8` is B,
/// G, R and 0xff in memory.
enum ccodecs_samples {
    CCODECS_GRAY8,
    CCODECS_RGB8,
    CCODECS_RGBA8,
    /// The fourth sample is ignored.
    CCODECS_RGBX8,
    CCODECS_CMYK8,
    CCODECS_GRAY16,
    CCODECS_RGB16,
    CCODECS_RGBA16,
    CCODECS_RGBX16,
    CCODECS_BGRX8,
};

/// A conversion from one colour space to another. Several threads may run the same transform at
/// once.
typedef struct ccodecs_transform ccodecs_transform;

/// The functions of this header.
typedef struct {
    /// Makes a transform from an ICC profile to another; sRGB where the length is 0. A profile of RGB
    /// fits grey samples, and with `is_gray` (all pixels are grey) a profile of greys fits RGB samples.
    /// NULL if a profile is invalid or does not fit the samples, or if lcms2 is missing. Free with
    /// `destroy`.
    ccodecs_transform *_Nullable (*_Nonnull create)(
        const uint8_t *_Nullable profile, size_t length, enum ccodecs_samples samples, int is_gray,
        const uint8_t *_Nullable target, size_t target_length);

    /// Makes a transform from CIE x and y of white, red, green and blue, and a transfer function:
    /// linear light = value ^ gamma, or sRGB's curve when `gamma` is 0.
    ccodecs_transform *_Nullable (*_Nonnull create_rgb)(
        const double *chromaticities, double gamma, enum ccodecs_samples samples,
        const uint8_t *_Nullable target, size_t target_length);

    /// Converts `pixels` pixels to R, G and B of 16 bits, and A where the samples have alpha.
    void (*_Nonnull run)(
        const ccodecs_transform *transform, const void *source, uint16_t *target, size_t pixels);
    void (*_Nonnull destroy)(ccodecs_transform *_Nullable transform);
} ccodecs_lcms_library;

/// Opens lcms2 on the first call. NULL where the headers were missing when this was built, or the
/// library is missing now.
const ccodecs_lcms_library *_Nullable ccodecs_open_lcms(void);

#pragma clang assume_nonnull end

#endif
