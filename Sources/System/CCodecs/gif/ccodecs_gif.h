// GIF by giflib: frame by frame from memory; no decoded frame is kept.
#ifndef CCODECS_GIF_H
#define CCODECS_GIF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder of a GIF in memory. The memory has to outlive the decoder.
typedef struct ccodecs_gif ccodecs_gif;

/// The header of a frame.
typedef struct ccodecs_gif_frame {
    /// Position on the canvas, in pixels; a frame may extend beyond the canvas.
    int left, top, width, height;
    int is_interlaced;
    /// GIF89a, section 23: 0 or 1 keeps the frame, 2 clears its rectangle, 3 restores the pixels
    /// before it.
    int disposal;
    /// In hundredths of a second.
    int delay;
    /// The transparent index, or -1.
    int transparent;
    /// 32-bit values 0xFFRRGGBB.
    uint32_t palette[256];
} ccodecs_gif_frame;

/// The functions of this header.
typedef struct {
    /// Reads the header; NULL on failure, with giflib's message in `reason` (NULL if the file is
    /// too short). Free with `destroy`.
    ccodecs_gif *_Nullable (*_Nonnull create)(
        const uint8_t *_Nullable bytes, size_t length, int *width, int *height,
        const char *_Nullable *_Nonnull reason);
    void (*_Nonnull destroy)(ccodecs_gif *_Nullable gif);

    /// Moves to the next frame and skips the rest of the current one. Returns 1 if there is a
    /// frame, 0 after the last, -1 if the file is damaged or truncated.
    int (*_Nonnull next)(ccodecs_gif *gif, ccodecs_gif_frame *frame);

    /// Decodes the next row of the frame, in file order, with one palette index a pixel; 0 if there
    /// is none.
    int (*_Nonnull read_row)(ccodecs_gif *gif, uint8_t *row);

    /// How often the animation repeats after its first run, as far as the file was read: 0 repeats
    /// forever, -1 does not loop.
    int (*_Nonnull repetitions)(const ccodecs_gif *gif);
} ccodecs_gif_library;

/// Opens giflib on the first call. NULL where the headers were missing when this was built, or the
/// library is missing now.
const ccodecs_gif_library *_Nullable ccodecs_open_gif(void);

#pragma clang assume_nonnull end

#endif
