// SVG, by librsvg and cairo; what is gzipped, by zlib.
#ifndef CCODECS_SVG_H
#define CCODECS_SVG_H

#include <stddef.h>
#include <stdint.h>

/// A drawing in memory, of which nothing outside is ever loaded.
typedef struct ccodecs_svg ccodecs_svg;

/// Whether librsvg is there.
int ccodecs_has_svg(void);

/// Reads a drawing; NULL without memory. Where that fails its width is 0. Frees with
/// `ccodecs_svg_destroy`.
ccodecs_svg *ccodecs_svg_create(const uint8_t *bytes, size_t length);
void ccodecs_svg_destroy(ccodecs_svg *svg);

/// Its own size, in CSS pixels of 1/96 inch.
void ccodecs_svg_size(const ccodecs_svg *svg, double *width, double *height);

/// Paints `rows` rows from `top` on, `columns` from `left` on, of the drawing at that size into cleared
/// words 0xAARRGGBB, premultiplied; 1 when that went well.
int ccodecs_svg_paint(
    ccodecs_svg *svg, double width, double height, int left, int top, int columns, int rows,
    uint32_t *words);

/// librsvg's words for the last error; empty where there was none.
const char *ccodecs_svg_message(const ccodecs_svg *svg);

/// Unpacks a gzip file into at most `limit` bytes; how many there are up to its end, to where it is
/// damaged, or to the limit, and whether that is all. None without zlib.
size_t ccodecs_gunzip(
    const uint8_t *bytes, size_t length, uint8_t *target, size_t limit, int *is_whole);

#endif
