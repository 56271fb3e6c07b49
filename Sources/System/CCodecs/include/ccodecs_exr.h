// Pictures of light as studios keep it, by OpenEXRCore.
#ifndef CCODECS_EXR_H
#define CCODECS_EXR_H

#include <stddef.h>
#include <stdint.h>

/// An OpenEXR file in memory, which has to outlive it.
typedef struct ccodecs_exr ccodecs_exr;

/// What a file has of its picture; places are pixels, of which the first of the display is anywhere.
typedef struct ccodecs_exr_info {
    /// The frame that is to be seen, and the pixels that there are, which need not be the same.
    int display_x, display_y, display_width, display_height;
    int data_x, data_y, data_width, data_height;
    int has_alpha;
    /// CIE xy of red, green, blue and white; all 0 where the file does not tell.
    float chromaticities[8];
} ccodecs_exr_info;

/// Whether OpenEXRCore is there.
int ccodecs_has_exr(void);

/// Reads what comes before the pixels of the first part that is flat; NULL without memory. Where that
/// fails there is a message. Free with `ccodecs_exr_destroy`.
ccodecs_exr *ccodecs_exr_create(const uint8_t *bytes, size_t length, ccodecs_exr_info *info);
void ccodecs_exr_destroy(ccodecs_exr *exr);

/// Why it cannot be read; empty where it can.
const char *ccodecs_exr_message(const ccodecs_exr *exr);

/// The data's size at a level, 0 being all of it; 0 where there is no such level.
int ccodecs_exr_level_size(const ccodecs_exr *exr, int level, int *width, int *height);

/// How many pieces the pixels of a level come in.
int ccodecs_exr_chunks(const ccodecs_exr *exr, int level);

/// Decodes the pieces from `first` to before `end` into all of a level's pixels, which are zeros at
/// first: rows of three floats a pixel, four with alpha, which the light is multiplied with. How many
/// pieces are missing. Several threads may do so at a time, each with pieces of its own.
int ccodecs_exr_decode(ccodecs_exr *exr, int level, int first, int end, float *pixels);

/// Whether pieces were missing because this version of the library cannot unpack them.
int ccodecs_exr_is_unknown(const ccodecs_exr *exr);

/// Makes colours of what was decoded where that is grey, or luminance and differences from it;
/// `weights` are what red, green and blue have of the luminance.
void ccodecs_exr_finish(
    const ccodecs_exr *exr, int level, const double *weights, float *pixels);

#endif
