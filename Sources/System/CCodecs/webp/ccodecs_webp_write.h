// WebP: encodes a picture by libwebp.
#ifndef CCODECS_WEBP_WRITE_H
#define CCODECS_WEBP_WRITE_H

#include <stddef.h>
#include <stdint.h>

/// Writes row `y` of the picture into `row`, as pixels of four bytes: red, green, blue, straight alpha.
typedef void ccodecs_webp_row_source(void *context, int y, uint8_t *row);

/// Called often while a picture is encoded; `context` is that of the call.
typedef void ccodecs_webp_progress(void *context);

typedef struct {
    /// Encodes a picture; `quality` is 1 to 100, or 0 for an encoding without loss, which keeps the
    /// colours of transparent pixels, too. Returns 0 on success, else the number of libwebp's error. The
    /// caller frees `*result` with `release`.
    int (*encode)(
        int width, int height, int quality, ccodecs_webp_row_source *read,
        ccodecs_webp_progress *progress, void *context, uint8_t **result, size_t *length);
    void (*release)(void *result);
} ccodecs_webp_writer;

/// The functions that write; NULL without the library.
const ccodecs_webp_writer *ccodecs_open_webp_writer(void);

#endif
