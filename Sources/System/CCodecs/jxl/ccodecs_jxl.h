// JPEG XL by libjxl.
#ifndef CCODECS_JXL_H
#define CCODECS_JXL_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The header of a file.
typedef struct {
    /// Size in pixels after the orientation in the file is applied.
    int width, height;
    int bits, is_float, is_gray, has_alpha;
    /// Whether the colours are coded in the original colour space, as lossless coding needs it.
    int is_lossless;
    /// Whether there may be more than one frame.
    int is_animated;
    /// How often the animation is played; 0 repeats forever.
    int loops;
    /// The transfer function, numbered as in ITU-T H.273; 0 if only the ICC profile defines it.
    int transfer;
    /// Linear light = value ^ (1 / gamma), if it is not 0.
    double gamma;
    /// CIE x and y of white, red, green and blue.
    double chromaticities[8];
} ccodecs_jxl_info;

enum ccodecs_jxl_status {
    CCODECS_JXL_FINE,
    CCODECS_JXL_CUT_SHORT,
    CCODECS_JXL_DAMAGED,
    CCODECS_JXL_NO_MEMORY,
    /// There are no more frames.
    CCODECS_JXL_NO_MORE_FRAMES,
};

enum ccodecs_jxl_samples { CCODECS_JXL_8, CCODECS_JXL_16, CCODECS_JXL_FLOAT };

/// A decoder of a file in memory. The memory has to outlive the decoder.
typedef struct ccodecs_jxl ccodecs_jxl;

/// The functions of this header.
typedef struct {
    /// Creates a decoder; NULL without memory. Free with `destroy`.
    ccodecs_jxl *_Nullable (*_Nonnull create)(const uint8_t *_Nullable bytes, size_t length);
    void (*_Nonnull destroy)(ccodecs_jxl *_Nullable jxl);

    /// Reads the header. Call it before all other functions.
    enum ccodecs_jxl_status (*_Nonnull read_info)(ccodecs_jxl *jxl, ccodecs_jxl_info *info);

    /// Copies the ICC profile of the decoded pixels to `target`, if `target` is not NULL. Returns
    /// its length in bytes, 0 if there is none.
    size_t (*_Nonnull profile)(const ccodecs_jxl *jxl, uint8_t *_Nullable target);

    /// Decodes the next frame to `pixels`: rows without gaps of `channels` samples a pixel (1, 3 or
    /// 4, straight alpha), `size` bytes in all. If the file is truncated and `is_begun` receives 1,
    /// `pixels` has the part that was decoded. `duration` is in milliseconds.
    enum ccodecs_jxl_status (*_Nonnull decode)(
        ccodecs_jxl *jxl, enum ccodecs_jxl_samples samples, int channels, void *pixels, size_t size,
        int *is_begun, double *duration);

    /// Decodes the next frame to 32-bit values 0xFFRRGGBB and ignores alpha. Rows are `stride`
    /// bytes apart. The library's threads write pixels as soon as they are decoded. Pixels that are
    /// missing from the file are not written.
    enum ccodecs_jxl_status (*_Nonnull decode_bgrx8)(
        ccodecs_jxl *jxl, void *base, size_t stride, int *is_begun);

    /// Restarts decoding at the first frame.
    void (*_Nonnull rewind)(ccodecs_jxl *jxl);

    /// Unpacks the content of a brob box, which is compressed by Brotli. `body` has the type of the
    /// content and the compressed data. Returns the length of the content in bytes, 0 if the box is
    /// damaged or cut short, has more than `limit` bytes, or if the library was built without Brotli.
    size_t (*_Nonnull unpack)(
        const uint8_t *_Nullable body, size_t length, uint8_t *target, size_t limit);
} ccodecs_jxl_library;

/// Opens libjxl and libjxl_threads on the first call. NULL where the headers were missing when this
/// was built, or the library is missing now.
const ccodecs_jxl_library *_Nullable ccodecs_open_jxl(void);

#pragma clang assume_nonnull end

#endif
