// Camera raw files by LibRaw.
#ifndef CCODECS_RAW_H
#define CCODECS_RAW_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder of a camera raw file in memory. The memory has to outlive the decoder.
typedef struct ccodecs_raw ccodecs_raw;

/// The functions of this header.
typedef struct {
    /// Reads the header; NULL without memory. `is_open` says whether the header could
    /// be read. Free with `destroy`.
    ccodecs_raw *_Nullable (*_Nonnull create)(const uint8_t *_Nullable bytes, size_t length);
    void (*_Nonnull destroy)(ccodecs_raw *_Nullable raw);

    /// Whether the header could be read. If not, only `message` may be called.
    int (*_Nonnull is_open)(const ccodecs_raw *raw);

    /// Size of the developed image in pixels, before rotation; 1 if it is known. Afterwards the
    /// decoder can neither return the preview nor develop the image.
    int (*_Nonnull measure)(ccodecs_raw *raw, int *width, int *height);

    /// The EXIF orientation, 1 to 8.
    int (*_Nonnull orientation)(const ccodecs_raw *raw);

    /// The JPEG preview that the camera embedded, not rotated and owned by the decoder; NULL if
    /// there is none.
    const uint8_t *_Nullable (*_Nonnull preview)(ccodecs_raw *raw, size_t *length);

    /// Develops the image to sRGB with the camera's white balance, not rotated, at full or at half
    /// the size. Must be called only once. Returns 1 on success.
    int (*_Nonnull develop)(ccodecs_raw *raw, int is_half);

    /// The developed image: its size in pixels and its samples of 16 bits, one or three a pixel;
    /// NULL before it is developed.
    const uint16_t *_Nullable (*_Nonnull pixels)(
        const ccodecs_raw *raw, int *width, int *height, int *samples);

    /// Whether the sensor data had no damage.
    int (*_Nonnull is_whole)(const ccodecs_raw *raw);

    /// LibRaw's message for the last error; empty if there was none.
    const char *_Nonnull (*_Nonnull message)(const ccodecs_raw *raw);
} ccodecs_raw_library;

/// Opens LibRaw on the first call. NULL where the headers were missing when this was built, or the
/// library is missing now.
const ccodecs_raw_library *_Nullable ccodecs_open_raw(void);

#pragma clang assume_nonnull end

#endif
