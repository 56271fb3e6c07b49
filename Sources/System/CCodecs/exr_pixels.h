// What OpenEXR's channels are to a picture, and their samples on the way to pixels.
#ifndef CCODECS_EXR_PIXELS_H
#define CCODECS_EXR_PIXELS_H

#include <OpenEXR/openexr.h>
#include <stddef.h>
#include <stdint.h>

enum ccodecs_exr_kind { CCODECS_EXR_RGB, CCODECS_EXR_GRAY, CCODECS_EXR_LUMA_CHROMA };

/// Which of a file's channels are shown.
typedef struct ccodecs_exr_picks {
    enum ccodecs_exr_kind kind;
    /// Floats a pixel: 3, and 4 with alpha.
    int samples;
    /// The numbers of the channels for red, green and blue (or grey; or luminance, and the
    /// differences of red and blue from it) and for alpha; -1 where there is none.
    int channels[4];
    /// Their samples lie so many pixels apart.
    int x_sampling[4], y_sampling[4];
} ccodecs_exr_picks;

/// Where a piece goes.
typedef struct ccodecs_exr_target {
    const ccodecs_exr_picks *picks;
    /// All of the level's.
    float *pixels;
    int width, height;
    /// The piece's place in it, and how many rows it has.
    int x, y, rows;
    /// What is to be added to rows, so that those of subsampled channels are known.
    int origin_y;
} ccodecs_exr_target;

/// Picks the first of: red, green and blue; luminance; the same of a layer; any channel. 0 where there
/// is none.
int ccodecs_exr_pick(const exr_attr_chlist_t *channels, ccodecs_exr_picks *picks);

/// Puts a piece's samples, which lie as the file has them, where they belong; 0 where some are missing.
int ccodecs_exr_put(
    const ccodecs_exr_target *target, const exr_coding_channel_info_t *channels, int count,
    const uint8_t *samples, uint64_t length);

/// Makes red, green and blue of all pixels.
void ccodecs_exr_make_colors(
    const ccodecs_exr_picks *picks, const double *weights, float *pixels, size_t width,
    size_t height);

#endif
