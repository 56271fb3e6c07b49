// JPEG 2000 by OpenJPEG.
#ifndef CCODECS_JP2_H
#define CCODECS_JP2_H

#include <stddef.h>
#include <stdint.h>

/// Whether OpenJPEG is available.
int ccodecs_jp2_is_available(void);

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

/// Reads the header; NULL without memory. Decoding halves the size `reduction` times. `ending` is
/// NULL if the file ends properly. On failure `ccodecs_jp2_message` is not empty. Free with
/// `ccodecs_jp2_destroy`.
ccodecs_jp2 *ccodecs_jp2_create(
    const uint8_t *bytes, size_t length, int reduction, const ccodecs_jp2_ending *ending);
void ccodecs_jp2_destroy(ccodecs_jp2 *jp2);

/// The library's message for the error that ended decoding; empty if there was none.
const char *ccodecs_jp2_message(const ccodecs_jp2 *jp2);

/// Size of the whole image in pixels, not reduced.
void ccodecs_jp2_size(const ccodecs_jp2 *jp2, int *width, int *height);

/// How many times the size can be halved.
int ccodecs_jp2_deepest_reduction(const ccodecs_jp2 *jp2);

/// Height of the tiles in pixels; the last row of tiles may be lower.
int ccodecs_jp2_tile_height(const ccodecs_jp2 *jp2);

/// Limits decoding to `count` rows from `first` on, of an image that is not reduced. Afterwards the
/// decoded image has only these rows.
void ccodecs_jp2_select_rows(ccodecs_jp2 *jp2, int first, int count);

/// Decodes the image, or the selected rows; 0 if there are pixels to show. Must be called only
/// once.
int ccodecs_jp2_decode(ccodecs_jp2 *jp2);

/// Whether the decoded image is complete.
int ccodecs_jp2_is_complete(const ccodecs_jp2 *jp2);

/// The decoded image: its size in pixels, and its samples a pixel (1 grey, 3 RGB, 4 RGB with
/// straight alpha, or CMYK) of 8 bits or, if `is_deep`, 16 bits.
void ccodecs_jp2_layout(
    const ccodecs_jp2 *jp2, int *width, int *height, int *samples, int *is_deep);

/// Whether the samples are CMYK, where the largest value is full ink. CMYK is never deep.
int ccodecs_jp2_is_cmyk(const ccodecs_jp2 *jp2);

/// The ICC profile, owned by the decoder; NULL if there is none.
const uint8_t *ccodecs_jp2_profile(const ccodecs_jp2 *jp2, size_t *length);

/// Copies a decoded row to `target`.
void ccodecs_jp2_read_row(const ccodecs_jp2 *jp2, int y, void *target);

#endif
