// Text by Pango, which is opened when the first text is needed.
//
// A layout may be used by any thread, but by one at a time; the same holds for all layouts together,
// because they share one font map.
#ifndef CTEXT_H
#define CTEXT_H

#include <stddef.h>

typedef struct ctext_layout ctext_layout;
/// A cairo_t.
typedef struct _cairo ctext_cairo;

/// Why there is no text, or that there is.
enum ctext_state { CTEXT_READY, CTEXT_NO_LIBRARY, CTEXT_NO_FONT, CTEXT_NO_THREAD };

/// The base direction of a text.
enum ctext_direction {
    /// That of the first letter.
    CTEXT_OF_CONTENT,
    CTEXT_LEFT_TO_RIGHT,
    CTEXT_RIGHT_TO_LEFT,
};

/// How a text is laid out. Lengths are in user units of the cairo context that paints the layout.
struct ctext_style {
    /// The size of the font.
    double size;
    /// 400 is regular, 700 is bold.
    int weight;
    /// Whether digits all have the same width.
    int has_tabular_digits;
    /// The largest width; a negative number is no limit.
    double width;
    /// With one line a text that is too wide loses its middle. With more lines the text is wrapped,
    /// and loses its end.
    int lines;
    /// Whether lines are centred in the width; without a width this has no effect.
    int is_centered;
    enum ctext_direction direction;
};

/// The measures of a layout.
struct ctext_extents {
    /// The left end of the text, relative to the point at which the layout is painted.
    double x;
    double width, height;
    /// The distance from the top to the first baseline.
    double baseline;
    int lines;
    /// Whether a part of the text is left out.
    int is_shortened;
};

/// Opens Pango on the first call, and looks for fonts, which takes some 10 ms. Any thread may call.
enum ctext_state ctext_open(void);

/// Lays out UTF-8; `language` is a language tag such as "ja", or NULL. Returns NULL without memory or
/// without Pango.
ctext_layout *ctext_layout_make(
    const char *text, size_t length, const char *language, const struct ctext_style *style);
void ctext_layout_free(ctext_layout *layout);

void ctext_layout_measure(ctext_layout *layout, struct ctext_extents *extents);

/// Paints the layout in the colour of the context, with its upper left corner at (x, y), moved
/// vertically so that the first baseline lies on a whole pixel. The context is not rotated.
void ctext_layout_paint(ctext_layout *layout, ctext_cairo *cairo, double x, double y);

#endif
