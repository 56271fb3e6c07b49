#include "ccodecs_svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cloader.h"

// The declarations of librsvg, cairo, Pango and GLib that are used here. Their headers need search
// paths of their own, and these declarations have not changed for years. All functions are found
// through librsvg, which links the other libraries.
typedef struct _RsvgHandle RsvgHandle;
typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;

typedef struct GError {
    uint32_t domain;
    int code;
    char *message;
} GError;

typedef struct RsvgLength {
    double length;
    int unit;
} RsvgLength;

typedef struct RsvgRectangle {
    double x, y, width, height;
} RsvgRectangle;

RsvgHandle *rsvg_handle_new_from_data(const uint8_t *data, size_t length, GError **error);
void rsvg_handle_set_dpi(RsvgHandle *handle, double dpi);
void rsvg_handle_get_intrinsic_dimensions(
    RsvgHandle *handle, int *has_width, RsvgLength *width, int *has_height, RsvgLength *height,
    int *has_box, RsvgRectangle *box);
int rsvg_handle_get_geometry_for_layer(
    RsvgHandle *handle, const char *id, const RsvgRectangle *viewport, RsvgRectangle *ink,
    RsvgRectangle *logical, GError **error);
int rsvg_handle_render_document(
    RsvgHandle *handle, cairo_t *cairo, const RsvgRectangle *viewport, GError **error);
void g_object_unref(void *object);
void g_error_free(GError *error);
cairo_surface_t *cairo_image_surface_create_for_data(
    unsigned char *data, int format, int width, int height, int stride);
cairo_t *cairo_create(cairo_surface_t *surface);
int cairo_status(cairo_t *cairo);
void cairo_translate(cairo_t *cairo, double x, double y);
void cairo_scale(cairo_t *cairo, double x, double y);
void cairo_destroy(cairo_t *cairo);
void cairo_surface_destroy(cairo_surface_t *surface);
void cairo_surface_flush(cairo_surface_t *surface);
void pango_cairo_font_map_set_default(void *map);

#define RSVG(F)                                                                                    \
    F(rsvg_handle_new_from_data)                                                                   \
    F(rsvg_handle_set_dpi)                                                                         \
    F(rsvg_handle_get_intrinsic_dimensions)                                                        \
    F(rsvg_handle_get_geometry_for_layer)                                                          \
    F(rsvg_handle_render_document)                                                                 \
    F(g_object_unref)                                                                              \
    F(g_error_free)                                                                                \
    F(cairo_image_surface_create_for_data)                                                         \
    F(cairo_create)                                                                                \
    F(cairo_status)                                                                                \
    F(cairo_translate)                                                                             \
    F(cairo_scale)                                                                                 \
    F(cairo_destroy)                                                                               \
    F(cairo_surface_destroy)                                                                       \
    F(cairo_surface_flush)                                                                         \
    F(pango_cairo_font_map_set_default)
CLOADER_LIBRARY(rsvg, "librsvg-2.so.2", RSVG)

/// CAIRO_FORMAT_ARGB32.
#define ARGB32 0
/// CSS pixels per inch.
#define DPI 96.0

struct ccodecs_svg {
    RsvgHandle *handle;
    double width, height;
    char message[256];
};

static void keep_message(ccodecs_svg *svg, GError *error) {
    snprintf(
        svg->message, sizeof svg->message, "%s",
        error ? error->message : "the drawing cannot be rendered");
    if (error) rsvg.g_error_free(error);
}

/// A length in pixels; 0 for a percentage, which has no reference length.
static double pixel_length(RsvgLength length) {
    // In the order of RsvgUnit: %, px, em, ex, in, cm, mm, pt, pc. The default font size is 16
    // pixels.
    static const double units[] = {0,   1,          16,          8,       DPI,
                                   DPI / 2.54, DPI / 25.4, DPI / 72, DPI / 6};
    int count = (int)(sizeof units / sizeof *units);
    double size = length.unit >= 0 && length.unit < count ? length.length * units[length.unit] : 0;
    return isfinite(size) && size > 0 ? size : 0;
}

/// Finds the size: width and height if they are specified, else from the view box, else from the
/// extent of what is drawn.
static void measure(ccodecs_svg *svg) {
    int has_width = 0, has_height = 0, has_box = 0;
    RsvgLength width = {0, 0}, height = {0, 0};
    RsvgRectangle box = {0, 0, 0, 0};
    rsvg.rsvg_handle_get_intrinsic_dimensions(
        svg->handle, &has_width, &width, &has_height, &height, &has_box, &box);
    has_box = has_box && isfinite(box.width) && isfinite(box.height) && box.width > 0 && box.height > 0;
    svg->width = has_width ? pixel_length(width) : 0;
    svg->height = has_height ? pixel_length(height) : 0;
    if (svg->width > 0 && svg->height > 0) return;
    if (has_box) {
        double scale = svg->width > 0    ? svg->width / box.width
                       : svg->height > 0 ? svg->height / box.height
                                         : 1;
        svg->width = box.width * scale;
        svg->height = box.height * scale;
        return;
    }
    // CSS 2.2, 10.3.2: the default size is 300 by 150.
    RsvgRectangle usual = {0, 0, 300, 150}, ink = {0, 0, 0, 0};
    GError *error = NULL;
    if (!rsvg.rsvg_handle_get_geometry_for_layer(
            svg->handle, NULL, &usual, &ink, NULL, &error) &&
        error)
        rsvg.g_error_free(error);
    double right = ink.x + ink.width, bottom = ink.y + ink.height;
    if (svg->width == 0) svg->width = isfinite(right) && right >= 1 ? ceil(right) : usual.width;
    if (svg->height == 0) svg->height = isfinite(bottom) && bottom >= 1 ? ceil(bottom) : usual.height;
}

static ccodecs_svg *ccodecs_svg_create(const uint8_t *bytes, size_t length) {
    ccodecs_svg *svg = calloc(1, sizeof *svg);
    if (!svg) return NULL;
    GError *error = NULL;
    // Without a base URL librsvg loads no external resources. The limits of the XML parser stay in
    // force.
    svg->handle = rsvg.rsvg_handle_new_from_data(bytes, length, &error);
    if (!svg->handle) {
        keep_message(svg, error);
        return svg;
    }
    rsvg.rsvg_handle_set_dpi(svg->handle, DPI);
    measure(svg);
    return svg;
}

static void ccodecs_svg_destroy(ccodecs_svg *svg) {
    if (!svg) return;
    if (svg->handle) rsvg.g_object_unref(svg->handle);
    free(svg);
}

static void ccodecs_svg_size(const ccodecs_svg *svg, double *width, double *height) {
    *width = svg->width;
    *height = svg->height;
}

static int paint(
    ccodecs_svg *svg, double width, double height, int left, int top, int columns, int rows,
    uint32_t *pixels) {
    cairo_surface_t *surface = rsvg.cairo_image_surface_create_for_data(
        (unsigned char *)pixels, ARGB32, columns, rows, columns * 4);
    cairo_t *cairo = rsvg.cairo_create(surface);
    GError *error = NULL;
    // Scale with cairo and not with the viewport, which has no effect on a drawing without a view
    // box.
    rsvg.cairo_translate(cairo, -(double)left, -(double)top);
    rsvg.cairo_scale(cairo, width / svg->width, height / svg->height);
    RsvgRectangle viewport = {0, 0, svg->width, svg->height};
    int is_painted = rsvg.cairo_status(cairo) == 0 &&
                     rsvg.rsvg_handle_render_document(svg->handle, cairo, &viewport, &error);
    if (!is_painted) keep_message(svg, error);
    rsvg.cairo_surface_flush(surface);
    rsvg.cairo_destroy(cairo);
    rsvg.cairo_surface_destroy(surface);
    return is_painted;
}

static int ccodecs_svg_paint(
    ccodecs_svg *svg, double width, double height, int left, int top, int columns, int rows,
    uint32_t *pixels) {
    if (paint(svg, width, height, left, top, columns, rows, pixels)) return 1;
    // A font that was first used small fails when its glyphs become very large, and then fails at
    // every size. A font from a new font map works.
    rsvg.pango_cairo_font_map_set_default(NULL);
    memset(pixels, 0, (size_t)columns * (size_t)rows * 4);
    return paint(svg, width, height, left, top, columns, rows, pixels);
}

static const char *ccodecs_svg_message(const ccodecs_svg *svg) { return svg->message; }

static const ccodecs_svg_library functions = {
    .create = ccodecs_svg_create,
    .destroy = ccodecs_svg_destroy,
    .size = ccodecs_svg_size,
    .paint = ccodecs_svg_paint,
    .message = ccodecs_svg_message,
};

const ccodecs_svg_library *ccodecs_open_svg(void) {
    return rsvg_open() ? &functions : NULL;
}
