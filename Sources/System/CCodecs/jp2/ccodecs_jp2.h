// JPEG 2000 by OpenJPEG.
#ifndef CCODECS_JP2_H
#define CCODECS_JP2_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A decoder of a file in memory. The memory has to outlive the decoder.
typedef struct ccodecs_jp2 ccodecs_jp2;

/// Where to end a truncated or damaged file, so that the library decodes the data before that
/// point.
typedef struct {
    /// Bytes after this offset are left out and replaced by an end-of-codestream marker.
    size_t end;
    /// File offset of the length of the last tile part, a number of four bytes, and the value that
    /// replaces it; 0 if there is none.
    size_t length_at;
    uint32_t length;
    /// The most bytes of zeros that the last tile part may be extended by.
    uint32_t padding;
    /// Whether data is missing.
    int is_cut;
} ccodecs_jp2_ending;

/// The functions of this header.
typedef struct {
    /// Reads the header; NULL without memory. Decoding halves the size `reduction` times. `ending`
    /// is NULL if the file ends properly. On failure `message` is not empty. Free with
    /// `destroy`.
    ccodecs_jp2 *_Nullable (*_Nonnull create)(
        const uint8_t *_Nullable bytes, size_t length, int reduction,
        const ccodecs_jp2_ending *_Nullable ending);
    void (*_Nonnull destroy)(ccodecs_jp2 *_Nullable jp2);

    /// The library's message for the error that ended decoding; empty if there was none.
    const char *_Nonnull (*_Nonnull message)(const ccodecs_jp2 *jp2);

    /// Size of the whole image in pixels, not reduced.
    void (*_Nonnull size)(const ccodecs_jp2 *jp2, int *width, int *height);

    /// How many times the size can be halved.
    int (*_Nonnull deepest_reduction)(const ccodecs_jp2 *jp2);

    /// Height of the tiles in pixels; the last row of tiles may be lower.
    int (*_Nonnull tile_height)(const ccodecs_jp2 *jp2);

    /// Limits decoding to `count` rows from `first` on, of an image that is not reduced. Afterwards
    /// the decoded image has only these rows.
    void (*_Nonnull select_rows)(ccodecs_jp2 *jp2, int first, int count);

    /// Decodes the image, or the selected rows; 0 if there are pixels to show. Must be called only
    /// once.
    int (*_Nonnull decode)(ccodecs_jp2 *jp2);

    /// Whether the decoded image is complete.
    int (*_Nonnull is_complete)(const ccodecs_jp2 *jp2);

    /// The decoded image: its size in pixels, and its samples a pixel (1 grey, 3 RGB, 4 RGB with
    /// straight alpha, or CMYK) of 8 bits or, if `is_deep`, 16 bits.
    void (*_Nonnull layout)(
        const ccodecs_jp2 *jp2, int *width, int *height, int *samples, int *is_deep);

    /// Whether the samples are CMYK, where the largest value is full coverage. CMYK is never deep.
    int (*_Nonnull is_cmyk)(const ccodecs_jp2 *jp2);

    /// The ICC profile, owned by the decoder; NULL if there is none.
    const uint8_t *_Nullable (*_Nonnull profile)(const ccodecs_jp2 *jp2, size_t *length);

    /// Copies a decoded row to `target`.
    void (*_Nonnull read_row)(const ccodecs_jp2 *jp2, int y, void *target);
} ccodecs_jp2_library;

/// Opens OpenJPEG on the first call. NULL where the headers were missing when this was built, or
/// the library is missing now.
const ccodecs_jp2_library *_Nullable ccodecs_open_jp2(void);

#pragma clang assume_nonnull end

#endif
