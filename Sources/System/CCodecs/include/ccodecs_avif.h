// Sequences of pictures in AVIF by libavif; what stands still is libheif's.
#ifndef CCODECS_AVIF_H
#define CCODECS_AVIF_H

#include <stddef.h>
#include <stdint.h>

/// Whether the library is there and has something that decodes AV1.
int ccodecs_avif_is_available(void);

/// What comes before the pixels.
typedef struct {
    /// A frame's, cropped as the file says, but not yet turned.
    int width, height;
    int bits, has_alpha;
    /// Whether there is a second frame, all of it within the file.
    int has_second;
    /// How often they are shown; 0 for ever.
    int loops;
    /// Quarter turns against the clock that make it upright, and what is done after them: 1 where top
    /// and bottom change places, 2 where left and right do, 0 for neither.
    int quarters, mirroring;
    /// The code points of ITU-T H.273 for primaries and transfer function.
    int primaries, transfer;
} ccodecs_avif_info;

enum ccodecs_avif_status {
    CCODECS_AVIF_FINE,
    CCODECS_AVIF_CUT_SHORT,
    CCODECS_AVIF_DAMAGED,
    /// There are no more frames.
    CCODECS_AVIF_OVER,
};

/// What pixels are made of: words 0xFFRRGGBB; R, G, B, A of 8 bits, straight; R, G, B or R, G, B, A of
/// 16 bits.
enum ccodecs_avif_samples {
    CCODECS_AVIF_WORDS,
    CCODECS_AVIF_RGBA8,
    CCODECS_AVIF_RGB16,
    CCODECS_AVIF_RGBA16,
};

/// A sequence in memory, which has to outlive it.
typedef struct ccodecs_avif ccodecs_avif;

/// Reads what comes before the pixels; NULL where that is no sequence, makes no sense, or says that it
/// has more than `most_pixels`. Frees with `ccodecs_avif_destroy`.
ccodecs_avif *ccodecs_avif_create(
    const uint8_t *bytes, size_t length, size_t most_pixels, ccodecs_avif_info *info);
void ccodecs_avif_destroy(ccodecs_avif *avif);

/// The ICC profile, which belongs to the sequence; NULL where there is none.
const uint8_t *ccodecs_avif_profile(const ccodecs_avif *avif, size_t *length);

/// Decodes a frame to `pixels`, rows without gaps of as many pixels as `info` said; quick only for the
/// frame after the last one and for the first. `*duration` in milliseconds.
enum ccodecs_avif_status ccodecs_avif_decode(
    ccodecs_avif *avif, int frame, enum ccodecs_avif_samples samples, void *pixels,
    double *duration);

#endif
