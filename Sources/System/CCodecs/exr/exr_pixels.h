// Selection of OpenEXR channels, and conversion of their samples to pixels.
#ifndef CCODECS_EXR_PIXELS_H
#define CCODECS_EXR_PIXELS_H

#include <OpenEXR/openexr.h>
#include <stddef.h>
#include <stdint.h>

enum ccodecs_exr_kind { CCODECS_EXR_RGB, CCODECS_EXR_GRAY, CCODECS_EXR_LUMA_CHROMA };

/// The channels of a file that are shown.
typedef struct ccodecs_exr_picks {
    enum ccodecs_exr_kind kind;
    /// Floats a pixel: 3, or 4 with alpha.
    int samples;
    /// Channel numbers of red, green and blue (or of grey; or of luminance and the differences of
    /// red and blue from it), and of alpha; -1 if there is no such channel.
    int channels[4];
    /// Distance between samples in pixels, by channel.
    int x_sampling[4], y_sampling[4];
} ccodecs_exr_picks;

/// Where the samples of a chunk are written to.
typedef struct ccodecs_exr_target {
    const ccodecs_exr_picks *picks;
    /// The pixels of the whole mip level.
    float *pixels;
    int width, height;
    /// Position of the chunk in the mip level, in pixels, and its number of rows.
    int x, y, rows;
    /// Added to a row number to get the row in the file's coordinates, which decide whether a
    /// subsampled channel has the row.
    int origin_y;
} ccodecs_exr_target;

/// Selects the first of: red, green and blue; luminance; the same of a layer; any channel. Returns
/// 0 if there is no channel, or if its sampling is invalid.
int ccodecs_exr_pick(const exr_attr_chlist_t *channels, ccodecs_exr_picks *picks);

/// Writes the samples of a chunk, decompressed and in file order, to the target. Returns 0 if
/// samples are missing.
int ccodecs_exr_put(
    const ccodecs_exr_target *target, const exr_coding_channel_info_t *channels, int count,
    const uint8_t *samples, uint64_t length);

/// Converts all pixels to RGB. `weights` are the shares of red, green and blue in the luminance.
void ccodecs_exr_make_colors(
    const ccodecs_exr_picks *picks, const double *weights, float *pixels, size_t width,
    size_t height);

#endif
