// SVG by librsvg and cairo.
#ifndef CCODECS_SVG_H
#define CCODECS_SVG_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A drawing in memory. External resources are never loaded.
typedef struct ccodecs_svg ccodecs_svg;

/// The functions of this header.
typedef struct {
    /// Reads a drawing; NULL without memory. On failure the width is 0. Free with
    /// `destroy`.
    ccodecs_svg *_Nullable (*_Nonnull create)(const uint8_t *_Nullable bytes, size_t length);
    void (*_Nonnull destroy)(ccodecs_svg *_Nullable svg);

    /// The intrinsic size, in CSS pixels of 1/96 inch.
    void (*_Nonnull size)(const ccodecs_svg *svg, double *width, double *height);

    /// Paints a part of the drawing, scaled to `width` × `height` pixels: `columns` × `rows` pixels
    /// from `left`, `top` on. `pixels` has zeros at first and receives 32-bit pixels 0xAARRGGBB,
    /// premultiplied. Returns 1 on success.
    int (*_Nonnull paint)(
        ccodecs_svg *svg, double width, double height, int left, int top, int columns, int rows,
        uint32_t *pixels);

    /// librsvg's message for the last error; empty if there was none.
    const char *_Nonnull (*_Nonnull message)(const ccodecs_svg *svg);
} ccodecs_svg_library;

/// Opens librsvg on the first call. NULL if the library is missing.
const ccodecs_svg_library *_Nullable ccodecs_open_svg(void);

#pragma clang assume_nonnull end

#endif
