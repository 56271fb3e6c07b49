#include "ccodecs_lcms.h"

#if __has_include(<lcms2.h>)

#include <lcms2.h>
#include <stdlib.h>

#include "cloader.h"

#define LCMS(F)                                                                                    \
    F(cmsOpenProfileFromMem)                                                                       \
    F(cmsCreate_sRGBProfile)                                                                       \
    F(cmsCreateRGBProfile)                                                                         \
    F(cmsBuildParametricToneCurve)                                                                 \
    F(cmsFreeToneCurve)                                                                            \
    F(cmsGetColorSpace)                                                                            \
    F(cmsCreateTransform)                                                                          \
    F(cmsDoTransform)                                                                              \
    F(cmsDeleteTransform)                                                                          \
    F(cmsCloseProfile)
CLOADER_LIBRARY(lcms, "liblcms2.so.2", LCMS)

/// How pixels of one space become those that a profile of the other space describes: sample `places[i]`
/// of each pixel is taken as sample i. `bytes` is the size of a sample, `step` the samples of a pixel.
struct adaptation {
    cmsUInt32Number bytes, step, taken, places[3];
};

struct ccodecs_transform {
    cmsHTRANSFORM handle;
    /// No samples are taken where the profile has the space of the pixels.
    struct adaptation adaptation;
    size_t output_samples;
};

static const struct kind {
    cmsColorSpaceSignature space;
    cmsUInt32Number type, has_alpha;
} kinds[] = {
    [CCODECS_GRAY8] = {cmsSigGrayData, TYPE_GRAY_8, 0},
    [CCODECS_RGB8] = {cmsSigRgbData, TYPE_RGB_8, 0},
    [CCODECS_RGBA8] = {cmsSigRgbData, TYPE_RGBA_8, 1},
    [CCODECS_RGBX8] = {cmsSigRgbData, TYPE_RGBA_8, 0},
    [CCODECS_CMYK8] = {cmsSigCmykData, TYPE_CMYK_8, 0},
    [CCODECS_GRAY16] = {cmsSigGrayData, TYPE_GRAY_16, 0},
    [CCODECS_RGB16] = {cmsSigRgbData, TYPE_RGB_16, 0},
    [CCODECS_RGBA16] = {cmsSigRgbData, TYPE_RGBA_16, 1},
    [CCODECS_RGBX16] = {cmsSigRgbData, TYPE_RGBA_16, 0},
    [CCODECS_BGRX8] = {cmsSigRgbData, TYPE_BGRA_8, 0},
};

/// `cmsFLAGS_COPY_ALPHA`, which the headers of some versions lack.
#define COPY_ALPHA 0x04000000

/// Pixels that are adapted at once.
#define CHUNK ((size_t)256)

/// Grey, with alpha if there is an extra sample.
static cmsUInt32Number gray_type(cmsUInt32Number extra, cmsUInt32Number bytes) {
    return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(extra) | CHANNELS_SH(1) | BYTES_SH(bytes);
}

static cmsUInt32Number rgb_type(cmsUInt32Number bytes) {
    return COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | BYTES_SH(bytes);
}

/// The samples for a profile of `space`, and how they are taken from those of `kind`. Returns 0 if the
/// profile does not describe them: a profile of greys says nothing about colours.
static cmsUInt32Number adapt(
    struct kind kind, int is_gray, cmsColorSpaceSignature space, struct adaptation *adaptation) {
    cmsUInt32Number bytes = T_BYTES(kind.type);
    cmsUInt32Number step = T_CHANNELS(kind.type) + T_EXTRA(kind.type);
    if (space == kind.space) return kind.type;
    if (space == cmsSigRgbData && kind.space == cmsSigGrayData) {
        *adaptation = (struct adaptation){bytes, step, 3, {0, 0, 0}};
        return rgb_type(bytes);
    }
    if (space == cmsSigGrayData && kind.space == cmsSigRgbData && is_gray) {
        // Green, which is the second sample of RGB and BGR, and alpha.
        *adaptation = (struct adaptation){bytes, step, 1 + kind.has_alpha, {1, 3, 0}};
        return gray_type(kind.has_alpha, bytes);
    }
    return 0;
}

static ccodecs_transform *
make(cmsHPROFILE source, enum ccodecs_samples samples, int is_gray, cmsHPROFILE target) {
    ccodecs_transform *transform = NULL;
    struct kind kind = kinds[samples];
    struct adaptation adaptation = {0};
    cmsUInt32Number type =
        source ? adapt(kind, is_gray, lcms.cmsGetColorSpace(source), &adaptation) : 0;
    if (type && target && lcms.cmsGetColorSpace(target) == cmsSigRgbData) {
        transform = calloc(1, sizeof *transform);
        cmsUInt32Number flags = cmsFLAGS_NOCACHE;
        if (kind.has_alpha) flags |= COPY_ALPHA;
        if (transform) {
            transform->adaptation = adaptation;
            transform->output_samples = kind.has_alpha ? 4 : 3;
            transform->handle = lcms.cmsCreateTransform(
                source, type, target, kind.has_alpha ? TYPE_RGBA_16 : TYPE_RGB_16,
                INTENT_PERCEPTUAL, flags);
        }
        if (transform && !transform->handle) {
            free(transform);
            transform = NULL;
        }
    }
    if (source) lcms.cmsCloseProfile(source);
    if (target) lcms.cmsCloseProfile(target);
    return transform;
}

static cmsHPROFILE target_profile(const uint8_t *target, size_t length) {
    return length > 0 ? lcms.cmsOpenProfileFromMem(target, (cmsUInt32Number)length)
                      : lcms.cmsCreate_sRGBProfile();
}

static ccodecs_transform *ccodecs_transform_create(
    const uint8_t *profile, size_t length, enum ccodecs_samples samples, int is_gray,
    const uint8_t *target, size_t target_length) {
    if (length > UINT32_MAX) return NULL;
    cmsHPROFILE source =
        length > 0 ? lcms.cmsOpenProfileFromMem(profile, (cmsUInt32Number)length)
                   : lcms.cmsCreate_sRGBProfile();
    return make(source, samples, is_gray, target_profile(target, target_length));
}

static ccodecs_transform *ccodecs_transform_create_rgb(
    const double *chromaticities, double gamma, enum ccodecs_samples samples, const uint8_t *target,
    size_t target_length) {
    cmsCIExyY white = {chromaticities[0], chromaticities[1], 1};
    cmsCIExyYTRIPLE primaries = {
        {chromaticities[2], chromaticities[3], 1},
        {chromaticities[4], chromaticities[5], 1},
        {chromaticities[6], chromaticities[7], 1},
    };
    // IEC 61966-2-1: sRGB's curve.
    double srgb[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = gamma > 0 ? lcms.cmsBuildParametricToneCurve(NULL, 1, &gamma)
                                    : lcms.cmsBuildParametricToneCurve(NULL, 4, srgb);
    if (!curve) return NULL;
    cmsToneCurve *curves[3] = {curve, curve, curve};
    cmsHPROFILE source = lcms.cmsCreateRGBProfile(&white, &primaries, curves);
    lcms.cmsFreeToneCurve(curve);
    return make(source, samples, 0, target_profile(target, target_length));
}

static void take8(const struct adaptation *how, const uint8_t *source, uint8_t *target, size_t pixels) {
    for (; pixels > 0; pixels--, source += how->step)
        for (cmsUInt32Number sample = 0; sample < how->taken; sample++)
            *target++ = source[how->places[sample]];
}

static void
take16(const struct adaptation *how, const uint16_t *source, uint16_t *target, size_t pixels) {
    for (; pixels > 0; pixels--, source += how->step)
        for (cmsUInt32Number sample = 0; sample < how->taken; sample++)
            *target++ = source[how->places[sample]];
}

static void run_adapted(
    const ccodecs_transform *transform, const uint8_t *source, uint16_t *target, size_t pixels) {
    const struct adaptation *how = &transform->adaptation;
    uint16_t chunk[CHUNK * 3];
    while (pixels > 0) {
        size_t count = pixels < CHUNK ? pixels : CHUNK;
        if (how->bytes == 1)
            take8(how, source, (uint8_t *)chunk, count);
        else
            take16(how, (const uint16_t *)(const void *)source, chunk, count);
        lcms.cmsDoTransform(transform->handle, chunk, target, (cmsUInt32Number)count);
        source += count * how->step * how->bytes;
        target += count * transform->output_samples;
        pixels -= count;
    }
}

static void ccodecs_transform_run(
    const ccodecs_transform *transform, const void *source, uint16_t *target, size_t pixels) {
    if (transform->adaptation.taken > 0)
        run_adapted(transform, source, target, pixels);
    else
        lcms.cmsDoTransform(transform->handle, source, target, (cmsUInt32Number)pixels);
}

static void ccodecs_transform_destroy(ccodecs_transform *transform) {
    if (!transform) return;
    lcms.cmsDeleteTransform(transform->handle);
    free(transform);
}

static const ccodecs_lcms_library functions = {
    .create = ccodecs_transform_create,
    .create_rgb = ccodecs_transform_create_rgb,
    .run = ccodecs_transform_run,
    .destroy = ccodecs_transform_destroy,
};

const ccodecs_lcms_library *ccodecs_open_lcms(void) {
    return lcms_open() ? &functions : NULL;
}

#else

const ccodecs_lcms_library *ccodecs_open_lcms(void) { return NULL; }

#endif
