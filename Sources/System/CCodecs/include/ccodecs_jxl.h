// JPEG XL by libjxl.
#ifndef CCODECS_JXL_H
#define CCODECS_JXL_H

#include <stddef.h>
#include <stdint.h>

/// Whether the libraries are there.
int ccodecs_jxl_is_available(void);

/// What comes before the pixels.
typedef struct {
    /// Once it is turned as the file says.
    int width, height;
    int bits, is_float, is_gray, has_alpha;
    /// Whether its colours are coded as they are.
    int is_lossless;
    /// Whether there may be more frames than one.
    int is_animated;
    /// How often they are shown; 0 for ever.
    int loops;
    /// The colours: numbers as ITU-T H.273 has them, 0 where the profile says it.
    int transfer;
    /// light = number ^ (1 / gamma), where it is not 0.
    double gamma;
    /// x and y of white, red, green and blue.
    double chromaticities[8];
} ccodecs_jxl_info;

enum ccodecs_jxl_status {
    CCODECS_JXL_FINE,
    CCODECS_JXL_CUT_SHORT,
    CCODECS_JXL_DAMAGED,
    CCODECS_JXL_NO_MEMORY,
    /// There are no more frames.
    CCODECS_JXL_OVER,
};

enum ccodecs_jxl_samples { CCODECS_JXL_8, CCODECS_JXL_16, CCODECS_JXL_FLOAT };

/// A file in memory, which has to outlive it.
typedef struct ccodecs_jxl ccodecs_jxl;

/// Starts on a file; NULL when there is no memory. Frees with `ccodecs_jxl_destroy`.
ccodecs_jxl *ccodecs_jxl_create(const uint8_t *bytes, size_t length);
void ccodecs_jxl_destroy(ccodecs_jxl *jxl);

/// Reads what comes before the pixels: first of all.
enum ccodecs_jxl_status ccodecs_jxl_read_info(ccodecs_jxl *jxl, ccodecs_jxl_info *info);

/// The ICC profile of the pixels that come, to `target`, where it is not NULL; how many bytes it has,
/// 0 where there is none.
size_t ccodecs_jxl_profile(const ccodecs_jxl *jxl, uint8_t *target);

/// Decodes the next frame to `pixels`, rows without gaps of `channels` samples a pixel (1, 3 or 4,
/// straight alpha), `size` bytes in all. When it is cut short, what there is of it is there all the
/// same if `*is_begun`. `*duration` in milliseconds.
enum ccodecs_jxl_status ccodecs_jxl_decode(
    ccodecs_jxl *jxl, enum ccodecs_jxl_samples samples, int channels, void *pixels, size_t size,
    int *is_begun, double *duration);

/// The same to words 0xFFRRGGBB, whatever alpha there is, in rows that are `stride` bytes apart: on the
/// library's threads, as they become ready. What never came is left as it was.
enum ccodecs_jxl_status ccodecs_jxl_decode_words(
    ccodecs_jxl *jxl, void *base, size_t stride, int *is_begun);

/// Begins anew.
void ccodecs_jxl_rewind(ccodecs_jxl *jxl);

#endif
