// WebP by libwebp, and its animations by libwebpdemux.
#ifndef CCODECS_WEBP_H
#define CCODECS_WEBP_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    int width, height;
    int has_alpha, is_animated;
    /// Whether the picture is known to be stored as luma and chroma.
    int is_lossy;
} ccodecs_webp_info;

enum ccodecs_webp_status {
    CCODECS_WEBP_FINE,
    /// The file is truncated.
    CCODECS_WEBP_CUT_SHORT,
    CCODECS_WEBP_DAMAGED,
    CCODECS_WEBP_NO_MEMORY,
};

/// Pixel formats of four bytes a pixel, in memory order, and planes.
enum ccodecs_webp_pixels {
    /// B, G, R, A.
    CCODECS_WEBP_BGRA,
    /// B, G, R, A, premultiplied.
    CCODECS_WEBP_PREMULTIPLIED_BGRA,
    /// R, G, B, A.
    CCODECS_WEBP_RGBA,
    /// A plane of luma, and two planes with a quarter of its samples, Cb and Cr, without alpha.
    CCODECS_WEBP_PLANES,
};

/// A decoder of a still image in memory. The memory has to outlive the decoder.
typedef struct ccodecs_webp ccodecs_webp;

/// A decoder of an animation in memory. The memory has to outlive the decoder.
typedef struct ccodecs_webp_frames ccodecs_webp_frames;

/// The functions of this header.
typedef struct {
    /// Reads the header.
    enum ccodecs_webp_status (*_Nonnull read_info)(
        const uint8_t *_Nullable bytes, size_t length, ccodecs_webp_info *info);

    /// Creates a decoder of a still image of `info`'s size, any other one is damaged; NULL without
    /// memory. The decoder writes pixels to `target`, which has rows of `stride` bytes, `size` bytes
    /// in all, and has to outlive the decoder; if `target` is NULL the decoder allocates the memory.
    /// Free with `destroy`.
    ccodecs_webp *_Nullable (*_Nonnull create)(
        const uint8_t *_Nullable bytes, size_t length, ccodecs_webp_info info,
        enum ccodecs_webp_pixels pixels, uint8_t *_Nullable target, int stride, size_t size);
    void (*_Nonnull destroy)(ccodecs_webp *_Nullable webp);

    /// Starts decoding; 0 if no pixels can be decoded.
    int (*_Nonnull begin)(ccodecs_webp *webp);

    /// Decodes until `wanted` rows are complete or no more rows can be decoded. Returns the number
    /// of complete rows.
    int (*_Nonnull decode)(ccodecs_webp *webp, int wanted);

    /// A complete row of pixels.
    const uint8_t *_Nullable (*_Nonnull row)(const ccodecs_webp *webp, int y);

    /// Copies row `y` of luma, which is complete.
    void (*_Nonnull copy_luma)(const ccodecs_webp *webp, int y, uint8_t *target);

    /// Copies row `y` of chroma as pairs of Cb and Cr; luma rows 2 `y` and 2 `y` + 1 are complete.
    void (*_Nonnull copy_chroma)(const ccodecs_webp *webp, int y, uint8_t *target);

    /// Why decoding ended; `CCODECS_WEBP_FINE` as long as it has not.
    enum ccodecs_webp_status (*_Nonnull status)(const ccodecs_webp *webp);

    /// Opens an animation; NULL if the file is truncated or damaged. Free with
    /// `frames_destroy`.
    ccodecs_webp_frames *_Nullable (*_Nonnull frames_create)(
        const uint8_t *_Nullable bytes, size_t length, enum ccodecs_webp_pixels pixels, int *loops);
    void (*_Nonnull frames_destroy)(ccodecs_webp_frames *_Nullable frames);

    /// The next frame, composed on the whole canvas: rows without gaps, valid until the next call.
    /// `end` receives the time when the frame ends, in milliseconds since the start of the
    /// animation. NULL after the last frame.
    const uint8_t *_Nullable (*_Nonnull frames_next)(ccodecs_webp_frames *frames, int *end);

    /// Whether there is another frame.
    int (*_Nonnull frames_has_more)(const ccodecs_webp_frames *frames);
    void (*_Nonnull frames_rewind)(ccodecs_webp_frames *frames);
} ccodecs_webp_library;

/// Opens libwebp and libwebpdemux on the first call. NULL where the headers were missing when this
/// was built, or the library is missing now.
const ccodecs_webp_library *_Nullable ccodecs_open_webp(void);

#pragma clang assume_nonnull end

#endif
