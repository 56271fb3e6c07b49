// OpenEXR images by OpenEXRCore: floating-point samples in linear light.
#ifndef CCODECS_EXR_H
#define CCODECS_EXR_H

#include <stddef.h>
#include <stdint.h>

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

/// Whether OpenEXRCore is available.
int ccodecs_has_exr(void);

/// Reads the header of the first part that has flat pixels (not deep ones); NULL without memory. On
/// failure `ccodecs_exr_message` is not empty. Free with `ccodecs_exr_destroy`.
ccodecs_exr *ccodecs_exr_create(const uint8_t *bytes, size_t length, ccodecs_exr_info *info);
void ccodecs_exr_destroy(ccodecs_exr *exr);

/// Why the file cannot be read; empty if it can be.
const char *ccodecs_exr_message(const ccodecs_exr *exr);

/// Size of the data window at a mip level, in pixels; level 0 is the full size. Returns 0 if the
/// file has no such level.
int ccodecs_exr_level_size(const ccodecs_exr *exr, int mip_level, int *width, int *height);

/// Number of chunks that a mip level is stored in.
int ccodecs_exr_chunks(const ccodecs_exr *exr, int mip_level);

/// Decodes the chunks from `first` to before `end` into `pixels`, the pixels of the whole mip
/// level, which are zero at first: rows of three floats a pixel, or four with alpha, where colours
/// are premultiplied. Returns the number of chunks that are missing or corrupt. Several threads may
/// call it at once, each with its own chunks.
int ccodecs_exr_decode(ccodecs_exr *exr, int mip_level, int first, int end, float *pixels);

/// Whether chunks were missing because this version of the library cannot decompress them.
int ccodecs_exr_is_compression_unsupported(const ccodecs_exr *exr);

/// Converts the decoded pixels to RGB where they are grey or luminance and chroma. `weights` are
/// the shares of red, green and blue in the luminance.
void ccodecs_exr_finish(
    const ccodecs_exr *exr, int mip_level, const double *weights, float *pixels);

#endif
