// AVIF image sequences by libavif. Still AVIF images are decoded by libheif.
#ifndef CCODECS_AVIF_H
#define CCODECS_AVIF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The header of a sequence.
typedef struct {
    /// Size of a frame in pixels: cropped as the file says, before rotation.
    int width, height;
    int bits, has_alpha;
    /// Whether there is a second frame, stored completely within the file.
    int has_second;
    /// How often the sequence is played; 0 repeats forever.
    int loops;
    /// Counterclockwise quarter turns that make the image upright, and the mirroring to apply after
    /// them: 1 swaps top and bottom, 2 swaps left and right, 0 is none.
    int quarters, mirroring;
    /// The code points of ITU-T H.273 for primaries and transfer function.
    int primaries, transfer;
} ccodecs_avif_info;

enum ccodecs_avif_status {
    CCODECS_AVIF_FINE,
    CCODECS_AVIF_CUT_SHORT,
    CCODECS_AVIF_DAMAGED,
    /// There are no more frames.
    CCODECS_AVIF_NO_MORE_FRAMES,
};

/// Pixel formats: 32-bit values 0xFFRRGGBB; R, G, B, A of 8 bits, straight; R, G, B or R, G, B, A
/// of 16 bits, straight.
enum ccodecs_avif_samples {
    CCODECS_AVIF_BGRX8,
    CCODECS_AVIF_RGBA8,
    CCODECS_AVIF_RGB16,
    CCODECS_AVIF_RGBA16,
};

/// A decoder of a sequence in memory. The memory has to outlive the decoder.
typedef struct ccodecs_avif ccodecs_avif;

/// The functions of this header.
typedef struct {
    /// Reads the header. NULL if the bytes are not a sequence, if the header is invalid, or if it
    /// declares more than `most_pixels` pixels. Free with `destroy`.
    ccodecs_avif *_Nullable (*_Nonnull create)(
        const uint8_t *_Nullable bytes, size_t length, size_t most_pixels, ccodecs_avif_info *info);
    void (*_Nonnull destroy)(ccodecs_avif *_Nullable avif);

    /// The ICC profile, owned by the decoder; NULL if there is none.
    const uint8_t *_Nullable (*_Nonnull profile)(const ccodecs_avif *avif, size_t *length);

    /// Decodes a frame to `pixels`: rows without gaps of the size that `info` has. Only the frame
    /// after the last one decoded, and the first frame, decode quickly. `duration` is in
    /// milliseconds.
    enum ccodecs_avif_status (*_Nonnull decode)(
        ccodecs_avif *avif, int frame, enum ccodecs_avif_samples samples, void *pixels,
        double *duration);
} ccodecs_avif_library;

/// Opens libavif on the first call. NULL where the headers were missing when this was built, or the
/// library is missing now, and where libavif has no decoder of AV1.
const ccodecs_avif_library *_Nullable ccodecs_open_avif(void);

#pragma clang assume_nonnull end

#endif
