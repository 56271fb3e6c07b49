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

struct ccodecs_transform {
    cmsHTRANSFORM handle;
};

static const struct {
    cmsColorSpaceSignature space;
    cmsUInt32Number type;
    int has_alpha;
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

static ccodecs_transform *make(cmsHPROFILE source, enum ccodecs_samples samples, cmsHPROFILE target) {
    ccodecs_transform *transform = NULL;
    if (source && target && lcms.cmsGetColorSpace(source) == kinds[samples].space &&
        lcms.cmsGetColorSpace(target) == cmsSigRgbData) {
        transform = calloc(1, sizeof *transform);
        cmsUInt32Number flags = cmsFLAGS_NOCACHE;
        if (kinds[samples].has_alpha) flags |= COPY_ALPHA;
        if (transform)
            transform->handle = lcms.cmsCreateTransform(
                source, kinds[samples].type, target,
                kinds[samples].has_alpha ? TYPE_RGBA_16 : TYPE_RGB_16, INTENT_PERCEPTUAL, flags);
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
    const uint8_t *profile, size_t length, enum ccodecs_samples samples, const uint8_t *target,
    size_t target_length) {
    if (length > UINT32_MAX) return NULL;
    cmsHPROFILE source =
        length > 0 ? lcms.cmsOpenProfileFromMem(profile, (cmsUInt32Number)length)
                   : lcms.cmsCreate_sRGBProfile();
    return make(source, samples, target_profile(target, target_length));
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
    return make(source, samples, target_profile(target, target_length));
}

static void ccodecs_transform_run(
    const ccodecs_transform *transform, const void *source, uint16_t *target, size_t pixels) {
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
