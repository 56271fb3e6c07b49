// Shims over the decoding libraries: whatever needs setjmp, or memory that a library owns, stays
// in C.
#ifndef CCODECS_H
#define CCODECS_H

#include <stddef.h>
#include <stdint.h>

/// A JPEG being decoded row by row from memory, which has to outlive it.
typedef struct ccodecs_jpeg ccodecs_jpeg;

/// Starts on a JPEG; NULL when there is no memory. Frees with `ccodecs_jpeg_destroy`.
ccodecs_jpeg *ccodecs_jpeg_create(const uint8_t *bytes, size_t length);
void ccodecs_jpeg_destroy(ccodecs_jpeg *jpeg);

/// Reads the header. 0 when it could be read, else see `ccodecs_jpeg_message`.
int ccodecs_jpeg_read_header(ccodecs_jpeg *jpeg, int *width, int *height);

/// Starts decoding at 1/`denominator` (1, 2, 4 or 8) to rows of 32-bit pixels 0xffRRGGBB in the
/// machine's order (B, G, R, 0xff in memory). 0 when it started.
int ccodecs_jpeg_start(ccodecs_jpeg *jpeg, int denominator, int *width, int *height);

/// Decodes at most `count` rows to `rows`; the number done, or -1 on an error that ends it.
int ccodecs_jpeg_read_rows(ccodecs_jpeg *jpeg, uint8_t *const *rows, int count);

/// How many warnings there were: a file that is cut short or damaged still gives rows.
int ccodecs_jpeg_warnings(const ccodecs_jpeg *jpeg);

/// The library's words for the last error.
const char *ccodecs_jpeg_message(const ccodecs_jpeg *jpeg);

/// The embedded ICC profile, which belongs to the JPEG; NULL where there is none.
const uint8_t *ccodecs_jpeg_profile(const ccodecs_jpeg *jpeg, size_t *length);

#include <spng.h>

#endif
