// SVG by librsvg and cairo, and gzip data by zlib.
#ifndef CCODECS_SVG_H
#define CCODECS_SVG_H

#include <stddef.h>
#include <stdint.h>

/// A drawing in memory. External resources are never loaded.
typedef struct ccodecs_svg ccodecs_svg;

/// Whether librsvg is available.
int ccodecs_has_svg(void);

/// Reads a drawing; NULL without memory. On failure the width is 0. Free with
/// `ccodecs_svg_destroy`.
ccodecs_svg *ccodecs_svg_create(const uint8_t *bytes, size_t length);
void ccodecs_svg_destroy(ccodecs_svg *svg);

/// The intrinsic size, in CSS pixels of 1/96 inch.
void ccodecs_svg_size(const ccodecs_svg *svg, double *width, double *height);

/// Paints a part of the drawing, scaled to `width` × `height` pixels: `columns` × `rows` pixels
/// from `left`, `top` on. `pixels` has zeros at first and receives 32-bit pixels 0xAARRGGBB,
/// premultiplied. Returns 1 on success.
int ccodecs_svg_paint(
    ccodecs_svg *svg, double width, double height, int left, int top, int columns, int rows,
    uint32_t *pixels);

/// librsvg's message for the last error; empty if there was none.
const char *ccodecs_svg_message(const ccodecs_svg *svg);

/// Unpacks a gzip file into at most `limit` bytes. Returns the number of bytes up to the end of the
/// data, to the first error, or to the limit; 0 without zlib. `is_whole` receives whether all data
/// was unpacked.
size_t ccodecs_gunzip(
    const uint8_t *bytes, size_t length, uint8_t *target, size_t limit, int *is_whole);

#endif
