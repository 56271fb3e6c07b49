// WebP by libwebp, and its animations by libwebpdemux.
#ifndef CCODECS_WEBP_H
#define CCODECS_WEBP_H

#include <stddef.h>
#include <stdint.h>

/// Whether the libraries are there.
int ccodecs_webp_is_available(void);

typedef struct {
    int width, height;
    int has_alpha, is_animated;
} ccodecs_webp_info;

enum ccodecs_webp_status {
    CCODECS_WEBP_FINE,
    /// It ends too early.
    CCODECS_WEBP_CUT_SHORT,
    CCODECS_WEBP_DAMAGED,
    CCODECS_WEBP_NO_MEMORY,
};

/// Reads what comes before the pixels.
enum ccodecs_webp_status ccodecs_webp_read_info(
    const uint8_t *bytes, size_t length, ccodecs_webp_info *info);

/// What pixels are, four bytes each.
enum ccodecs_webp_pixels {
    /// B, G, R, A.
    CCODECS_WEBP_WORDS,
    /// B, G, R, A, premultiplied.
    CCODECS_WEBP_PREMULTIPLIED_WORDS,
    /// R, G, B, A.
    CCODECS_WEBP_RGBA,
};

/// A picture being decoded from memory, which has to outlive it.
typedef struct ccodecs_webp ccodecs_webp;

/// Starts on a picture that does not move, to `target`, which has rows of `stride` bytes, `size` bytes
/// in all, and has to outlive it; to memory of its own where that is NULL. NULL when there is no
/// memory. Frees with `ccodecs_webp_destroy`.
ccodecs_webp *ccodecs_webp_create(
    const uint8_t *bytes, size_t length, enum ccodecs_webp_pixels pixels, uint8_t *target,
    int stride, size_t size);
void ccodecs_webp_destroy(ccodecs_webp *webp);

/// Looks at the beginning of the pixels; 0 where there are none to come.
int ccodecs_webp_begin(ccodecs_webp *webp);

/// Decodes until there are `wanted` rows or no more come; how many there are.
int ccodecs_webp_decode(ccodecs_webp *webp, int wanted);

/// A row that is there.
const uint8_t *ccodecs_webp_row(const ccodecs_webp *webp, int y);

/// What ended the decoding; fine while nothing has.
enum ccodecs_webp_status ccodecs_webp_status(const ccodecs_webp *webp);

/// An animation in memory, which has to outlive it.
typedef struct ccodecs_webp_frames ccodecs_webp_frames;

/// Opens an animation that is not cut short; NULL where it is damaged. Frees with
/// `ccodecs_webp_frames_destroy`.
ccodecs_webp_frames *ccodecs_webp_frames_create(
    const uint8_t *bytes, size_t length, enum ccodecs_webp_pixels pixels, int *loops);
void ccodecs_webp_frames_destroy(ccodecs_webp_frames *frames);

/// The next frame on the whole canvas, rows without gaps, until the next call; `end` is when it is
/// over, in milliseconds since the animation's start. NULL after the last.
const uint8_t *ccodecs_webp_frames_next(ccodecs_webp_frames *frames, int *end);

/// Whether there is another frame.
int ccodecs_webp_frames_has_more(const ccodecs_webp_frames *frames);

void ccodecs_webp_frames_rewind(ccodecs_webp_frames *frames);

#endif
