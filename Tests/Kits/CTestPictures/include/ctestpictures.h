// Encoders and decoders of test pictures; the programs do not link them.
#ifndef CTESTPICTURES_H
#define CTESTPICTURES_H

#include <stddef.h>
#include <stdint.h>

/// Encodes rows of R, G, B (or, for `components` 1, grey; 4, inverted Adobe CMYK) as a JPEG.
/// A restart marker follows every given number of MCU rows, 0 for none. Chroma has half the columns and
/// rows (4:2:0) if the JPEG is subsampled. The caller frees `*result` with free(). Returns 0 on success.
int ctest_encode_jpeg(
    const uint8_t *samples, int width, int height, int components, int quality, int progressive,
    int restart_rows, int is_subsampled, const uint8_t *exif, size_t exif_length, uint8_t **result,
    size_t *length);

/// Decodes a JPEG by libjpeg, reduced by 1, 2, 4 or 8, and discards the pixels, as a reference for
/// speed. Returns 0 on success; a corrupt file ends the process.
int ctest_decode_jpeg(const uint8_t *bytes, size_t length, int denominator);

/// Decodes a JPEG of one or three components by libjpeg, reduced by 1, 2, 4 or 8, to rows of grey or of
/// B, G, R and 0xff. `*rows` is the number of rows before the first error, `*warnings` the library's
/// number of warnings. The caller frees `*result` with free(). Returns -1 if there are no rows.
int ctest_read_jpeg(
    const uint8_t *bytes, size_t length, int denominator, uint8_t **result, int *row_length,
    int *rows, long *warnings);

/// Encodes samples as a PNG of the given colour type (0, 2, 3, 4 or 6) and bit depth (8 or 16, big
/// endian); `palette` is 256 times R, G, B for colour type 3.
int ctest_encode_png(
    const uint8_t *samples, int width, int height, int color_type, int bit_depth, int interlaced,
    const uint8_t *palette, uint8_t **result, size_t *length);

/// Decodes a PNG to rows of R, G, B, A. The caller frees `*result` with free().
int ctest_decode_png(
    const uint8_t *bytes, size_t count, int *width, int *height, uint8_t **result);

#endif
