// JPEG by libjpeg-turbo: moves coefficients without loss, and encodes pixels.
#ifndef CCODECS_JPEG_WRITE_H
#define CCODECS_JPEG_WRITE_H

#include <stddef.h>
#include <stdint.h>

/// Called often while a function works; `context` is that of the call.
typedef void ccodecs_jpeg_progress(void *context);

/// How the coefficients of a JPEG are moved: first transposed, then mirrored, then cropped.
typedef struct {
    int transposes, mirrors_columns, mirrors_rows;
    /// Whether pixels of incomplete blocks may be dropped, where the mirrored picture would have them at
    /// its left or top edge.
    int trims;
    /// The kept part of the moved picture in pixels; a width of 0 keeps all. Its left and top edges lie
    /// on the grid of MCUs.
    int x, y, width, height;
} ccodecs_jpeg_motion;

/// What the coefficients of a JPEG become.
typedef struct {
    /// Size of the moved picture in pixels, and of its part that is kept.
    int full_width, full_height, width, height;
    /// Size of an MCU of the moved picture in pixels.
    int mcu_width, mcu_height;
    /// Whether the motion is impossible without trimming.
    int needs_trim;
} ccodecs_jpeg_moved;

/// Reads the header of a JPEG and tells what the motion makes of it. Returns 0 on success, else writes the
/// library's message of at most `length` bytes.
int ccodecs_jpeg_describe_motion(
    const uint8_t *bytes, size_t count, const ccodecs_jpeg_motion *motion, ccodecs_jpeg_moved *moved,
    char *message, size_t length);

/// Receives data; `context` is that of the call.
typedef void ccodecs_jpeg_receiver(void *context, const void *data, size_t length);

/// Gives `receive` the moved coefficients: sizes, quantization tables, blocks of each component. Returns 0
/// on success, and 1 if the source has errors that the library could hide.
int ccodecs_jpeg_moved_coefficients(
    const uint8_t *bytes, size_t count, const ccodecs_jpeg_motion *motion,
    ccodecs_jpeg_receiver *receive, ccodecs_jpeg_progress *progress, void *context, char *message,
    size_t length);

/// Writes the moved coefficients as a JPEG without metadata, but with JFIF and Adobe segments as in the
/// source. Returns 0 on success; the caller frees `*result`.
int ccodecs_jpeg_move(
    const uint8_t *bytes, size_t count, const ccodecs_jpeg_motion *motion,
    ccodecs_jpeg_progress *progress, void *context, uint8_t **result, size_t *result_length,
    char *message, size_t length);

/// How the pixels of a JPEG are stored.
typedef struct {
    /// 1 for grey, 3 for YCbCr, 4 for CMYK or YCCK.
    int components;
    /// Sampling factors of each component; those of CMYK are not kept.
    int horizontal[4], vertical[4];
    int is_progressive;
    /// Whether the four components are YCCK rather than CMYK.
    int is_ycck;
    /// The quality whose tables of the standard are nearest to those of the file, 1 to 100.
    int quality;
} ccodecs_jpeg_format;

/// Reads how a JPEG is stored. Returns 0 on success.
int ccodecs_jpeg_read_format(const uint8_t *bytes, size_t count, ccodecs_jpeg_format *format);

/// Writes row `y` of the picture into `row`: one byte a pixel for grey, else four: red, green, blue and
/// an ignored one, or C, M, Y, K with 255 for full coverage.
typedef void ccodecs_jpeg_row_source(void *context, int y, uint8_t *row);

/// Encodes a picture. Returns 0 on success; the caller frees `*result`.
int ccodecs_jpeg_encode(
    const ccodecs_jpeg_format *format, int width, int height, ccodecs_jpeg_row_source *read,
    ccodecs_jpeg_progress *progress, void *context, uint8_t **result, size_t *result_length,
    char *message, size_t length);

#endif
