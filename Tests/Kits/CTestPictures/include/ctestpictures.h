// Encoders for the tests' own pictures; nothing of the program links them.
#ifndef CTESTPICTURES_H
#define CTESTPICTURES_H

#include <stddef.h>
#include <stdint.h>

/// Encodes rows of R, G, B (or, for `components` 1, grey; 4, inverted Adobe CMYK) as a JPEG.
/// A restart marker stands after so many rows of MCUs, 0 for none. `*result` is to be freed with free().
/// 0 when all went well.
int ctest_encode_jpeg(
    const uint8_t *samples, int width, int height, int components, int quality, int progressive,
    int restart_rows, const uint8_t *exif, size_t exif_length, uint8_t **result, size_t *length);

/// Decodes a JPEG, as it is or reduced by 2, 4 or 8, and forgets it: what the library needs for that. 0
/// when all went well; bad files end the process.
int ctest_decode_jpeg(const uint8_t *bytes, size_t length, int denominator);

/// The rows that the bare library gives of any JPEG of one or three components, as it is or reduced by 2, 4
/// or 8: grey, or B, G, R and 0xff. `*result` is to be freed with free(), `*rows` is how many there are
/// before an error that ends it, `*warnings` how often something was not as it should be. 0 unless there are
/// none at all.
int ctest_read_jpeg(
    const uint8_t *bytes, size_t length, int denominator, uint8_t **result, int *row_length,
    int *rows, long *warnings);

/// Encodes samples as a PNG of the given colour type (0, 2, 3, 4 or 6) and bit depth (8 or 16, big
/// endian); `palette` is 256 times R, G, B for colour type 3.
int ctest_encode_png(
    const uint8_t *samples, int width, int height, int color_type, int bit_depth, int interlaced,
    const uint8_t *palette, uint8_t **result, size_t *length);

/// Decodes a PNG to R, G, B, A rows; `*result` is to be freed with free().
int ctest_decode_png(
    const uint8_t *bytes, size_t count, int *width, int *height, uint8_t **result);

#endif
