// WebP by libwebp, and its animations by libwebpdemux.
#ifndef CCODECS_WEBP_H
#define CCODECS_WEBP_H

#include <stddef.h>
#include <stdint.h>

/// Whether libwebp and libwebpdemux are available.
int ccodecs_webp_is_available(void);

typedef struct {
    int width, height;
    int has_alpha, is_animated;
} ccodecs_webp_info;

enum ccodecs_webp_status {
    CCODECS_WEBP_FINE,
    /// The file is truncated.
    CCODECS_WEBP_CUT_SHORT,
    CCODECS_WEBP_DAMAGED,
    CCODECS_WEBP_NO_MEMORY,
};

/// Reads the header.
enum ccodecs_webp_status ccodecs_webp_read_info(
    const uint8_t *bytes, size_t length, ccodecs_webp_info *info);

/// Pixel formats of four bytes a pixel, in memory order.
enum ccodecs_webp_pixels {
    /// B, G, R, A.
    CCODECS_WEBP_BGRA,
    /// B, G, R, A, premultiplied.
    CCODECS_WEBP_PREMULTIPLIED_BGRA,
    /// R, G, B, A.
    CCODECS_WEBP_RGBA,
};

/// A decoder of a still image in memory. The memory has to outlive the decoder.
typedef struct ccodecs_webp ccodecs_webp;

/// Creates a decoder of a still image; NULL without memory. The decoder writes to `target`, which
/// has rows of `stride` bytes, `size` bytes in all, and has to outlive the decoder; if `target` is
/// NULL the decoder allocates the pixels. Free with `ccodecs_webp_destroy`.
ccodecs_webp *ccodecs_webp_create(
    const uint8_t *bytes, size_t length, enum ccodecs_webp_pixels pixels, uint8_t *target,
    int stride, size_t size);
void ccodecs_webp_destroy(ccodecs_webp *webp);

/// Starts decoding; 0 if no pixels can be decoded.
int ccodecs_webp_begin(ccodecs_webp *webp);

/// Decodes until `wanted` rows are complete or no more rows can be decoded. Returns the number of
/// complete rows.
int ccodecs_webp_decode(ccodecs_webp *webp, int wanted);

/// A complete row.
const uint8_t *ccodecs_webp_row(const ccodecs_webp *webp, int y);

/// Why decoding ended; `CCODECS_WEBP_FINE` as long as it has not.
enum ccodecs_webp_status ccodecs_webp_status(const ccodecs_webp *webp);

/// A decoder of an animation in memory. The memory has to outlive the decoder.
typedef struct ccodecs_webp_frames ccodecs_webp_frames;

/// Opens an animation; NULL if the file is truncated or damaged. Free with
/// `ccodecs_webp_frames_destroy`.
ccodecs_webp_frames *ccodecs_webp_frames_create(
    const uint8_t *bytes, size_t length, enum ccodecs_webp_pixels pixels, int *loops);
void ccodecs_webp_frames_destroy(ccodecs_webp_frames *frames);

/// The next frame, composed on the whole canvas: rows without gaps, valid until the next call.
/// `end` receives the time when the frame ends, in milliseconds since the start of the animation.
/// NULL after the last frame.
const uint8_t *ccodecs_webp_frames_next(ccodecs_webp_frames *frames, int *end);

/// Whether there is another frame.
int ccodecs_webp_frames_has_more(const ccodecs_webp_frames *frames);

void ccodecs_webp_frames_rewind(ccodecs_webp_frames *frames);

#endif
