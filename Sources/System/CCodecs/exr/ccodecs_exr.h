// OpenEXR images by OpenEXRCore: floating-point samples in linear light.
#ifndef CCODECS_EXR_H
#define CCODECS_EXR_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder of an OpenEXR file in memory. The memory has to outlive the decoder.
typedef struct ccodecs_exr ccodecs_exr;

/// The header of a file. Positions are in pixels; the origin of the display window can be anywhere.
typedef struct ccodecs_exr_info {
    /// The display window, which is shown, and the data window, which has pixels. The two may
    /// differ.
    int display_x, display_y, display_width, display_height;
    int data_x, data_y, data_width, data_height;
    int has_alpha;
    /// CIE x and y of red, green, blue and white; all 0 if the file has none.
    float chromaticities[8];
} ccodecs_exr_info;

/// The functions of this header.
typedef struct {
    /// Reads the header of the first part that has flat pixels (not deep ones); NULL without
    /// memory. On failure `message` is not empty. Free with `destroy`.
    ccodecs_exr *_Nullable (*_Nonnull create)(
        const uint8_t *_Nullable bytes, size_t length, ccodecs_exr_info *info);
    void (*_Nonnull destroy)(ccodecs_exr *_Nullable exr);

    /// Why the file cannot be read; empty if it can be.
    const char *_Nonnull (*_Nonnull message)(const ccodecs_exr *exr);

    /// Size of the data window at a mip level, in pixels; level 0 is the full size. Returns 0 if
    /// the file has no such level.
    int (*_Nonnull level_size)(const ccodecs_exr *exr, int mip_level, int *width, int *height);

    /// Number of chunks that a mip level is stored in.
    int (*_Nonnull chunks)(const ccodecs_exr *exr, int mip_level);

    /// Decodes the chunks from `first` to before `end` into `pixels`, the pixels of the whole mip
    /// level, which are zero at first: rows of three floats a pixel, or four with alpha, where
    /// colours are premultiplied. Returns the number of chunks that are missing or corrupt. Several
    /// threads may call it at once, each with its own chunks.
    int (*_Nonnull decode)(ccodecs_exr *exr, int mip_level, int first, int end, float *pixels);

    /// Whether chunks were missing because this version of the library cannot decompress them.
    int (*_Nonnull is_compression_unsupported)(const ccodecs_exr *exr);

    /// Converts the decoded pixels to RGB where they are grey or luminance and chroma. `weights`
    /// are the shares of red, green and blue in the luminance.
    void (*_Nonnull finish)(
        const ccodecs_exr *exr, int mip_level, const double *weights, float *pixels);
} ccodecs_exr_library;

/// Opens OpenEXRCore on the first call. NULL where the headers were missing when this was built, or
/// the library is missing now.
const ccodecs_exr_library *_Nullable ccodecs_open_exr(void);

#pragma clang assume_nonnull end

#endif
