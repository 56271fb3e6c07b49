// GIF, by giflib: frame by frame from memory, none of them kept.
#ifndef CCODECS_GIF_H
#define CCODECS_GIF_H

#include <stddef.h>
#include <stdint.h>

/// A GIF being read from memory, which has to outlive it.
typedef struct ccodecs_gif ccodecs_gif;

/// What comes before a frame's pixels.
typedef struct ccodecs_gif_frame {
    /// Where it is on the canvas; it may stick out.
    int left, top, width, height;
    int is_interlaced;
    /// GIF89a, 23: 0 or 1 leave it, 2 clears its place, 3 puts back what was there.
    int disposal;
    /// In hundredths of a second.
    int delay;
    /// The index that is clear, or -1.
    int transparent;
    /// Words 0xFFRRGGBB.
    uint32_t palette[256];
} ccodecs_gif_frame;

/// Whether giflib is there.
int ccodecs_has_gif(void);

/// Reads the header; NULL where that fails, with giflib's words in `reason` (NULL where the file is
/// too short). Frees with `ccodecs_gif_destroy`.
ccodecs_gif *ccodecs_gif_create(
    const uint8_t *bytes, size_t length, int *width, int *height, const char **reason);
void ccodecs_gif_destroy(ccodecs_gif *gif);

/// Goes on to the next frame, past what is left of the one before; 1 where there is one, 0 after the
/// last, -1 where the file is damaged or ends.
int ccodecs_gif_next(ccodecs_gif *gif, ccodecs_gif_frame *frame);

/// Decodes the next row of the frame, in the order of the file, as an index a pixel; 0 where there is
/// none.
int ccodecs_gif_read_row(ccodecs_gif *gif, uint8_t *row);

/// How often a looping GIF repeats its frames after the first time, as far as it was read: 0 for
/// ever, -1 where it does not loop.
int ccodecs_gif_repetitions(const ccodecs_gif *gif);

#endif
