#include "ctext.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "cloader.h"

// The declarations of Pango, cairo and GLib that are used here. Their headers need search paths of
// their own, and these declarations have not changed for years. All functions are found through
// pangocairo, which links the other libraries.
typedef struct _PangoContext PangoContext;
typedef struct _PangoFont PangoFont;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoLanguage PangoLanguage;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoAttribute PangoAttribute;
typedef struct _PangoAttrList PangoAttrList;
typedef struct _cairo_font_options cairo_font_options_t;

typedef struct PangoRectangle {
    int x, y, width, height;
} PangoRectangle;

typedef struct GSList {
    void *data;
    struct GSList *next;
} GSList;

typedef struct PangoGlyphInfo {
    uint32_t glyph;
    int width, x_offset, y_offset;
    unsigned attributes;
} PangoGlyphInfo;

typedef struct PangoGlyphString {
    int count;
    PangoGlyphInfo *glyphs;
    int *clusters;
    int space;
} PangoGlyphString;

typedef struct PangoItem {
    int offset, length, characters;
    void *shape_engine, *language_engine;
    PangoFont *font;
    uint8_t level, gravity, flags, script;
    PangoLanguage *language;
    GSList *attributes;
} PangoItem;

/// The run of a line; further fields follow.
typedef struct PangoGlyphItem {
    PangoItem *item;
    PangoGlyphString *glyphs;
} PangoGlyphItem;

/// The line of a layout; further fields follow.
typedef struct PangoLayoutLine {
    PangoLayout *layout;
    int start, length;
    /// Of `PangoGlyphItem`.
    GSList *runs;
} PangoLayoutLine;

PangoFontMap *pango_cairo_font_map_new(void);
PangoContext *pango_font_map_create_context(PangoFontMap *map);
void pango_cairo_context_set_resolution(PangoContext *context, double dpi);
void pango_cairo_context_set_font_options(
    PangoContext *context, const cairo_font_options_t *options);
void pango_context_set_round_glyph_positions(PangoContext *context, int rounds);
void pango_context_set_language(PangoContext *context, PangoLanguage *language);
void pango_context_set_base_dir(PangoContext *context, int direction);
PangoLanguage *pango_language_from_string(const char *tag);
PangoFontDescription *pango_font_description_from_string(const char *text);
void pango_font_description_set_absolute_size(PangoFontDescription *font, double size);
void pango_font_description_set_weight(PangoFontDescription *font, int weight);
void pango_font_description_free(PangoFontDescription *font);
PangoAttribute *pango_attr_font_features_new(const char *features);
PangoAttribute *pango_attr_insert_hyphens_new(int inserts);
PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attribute);
void pango_attr_list_unref(PangoAttrList *list);
PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *font);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *list);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_height(PangoLayout *layout, int height);
void pango_layout_set_wrap(PangoLayout *layout, int wrap);
void pango_layout_set_alignment(PangoLayout *layout, int alignment);
void pango_layout_set_auto_dir(PangoLayout *layout, int is_of_content);
void pango_layout_set_ellipsize(PangoLayout *layout, int place);
void pango_layout_set_single_paragraph_mode(PangoLayout *layout, int is_single);
void pango_layout_get_extents(
    PangoLayout *layout, PangoRectangle *ink, PangoRectangle *logical);
int pango_layout_get_baseline(PangoLayout *layout);
int pango_layout_get_line_count(PangoLayout *layout);
PangoLayoutLine *pango_layout_get_line(PangoLayout *layout, int line);
int pango_layout_is_ellipsized(PangoLayout *layout);
void pango_font_get_glyph_extents(
    PangoFont *font, uint32_t glyph, PangoRectangle *ink, PangoRectangle *logical);
int pango_layout_get_unknown_glyphs_count(PangoLayout *layout);
void pango_cairo_show_layout(ctext_cairo *cairo, PangoLayout *layout);
cairo_font_options_t *cairo_font_options_create(void);
void cairo_font_options_set_hint_metrics(cairo_font_options_t *options, int metrics);
void cairo_font_options_set_antialias(cairo_font_options_t *options, int antialias);
void cairo_font_options_destroy(cairo_font_options_t *options);
void cairo_move_to(ctext_cairo *cairo, double x, double y);
void cairo_user_to_device(ctext_cairo *cairo, double *x, double *y);
void cairo_device_to_user(ctext_cairo *cairo, double *x, double *y);
void g_object_unref(void *object);

#define PANGO(F)                                                                                   \
    F(pango_cairo_font_map_new)                                                                    \
    F(pango_font_map_create_context)                                                               \
    F(pango_cairo_context_set_resolution)                                                          \
    F(pango_cairo_context_set_font_options)                                                        \
    F(pango_context_set_round_glyph_positions)                                                     \
    F(pango_context_set_language)                                                                  \
    F(pango_context_set_base_dir)                                                                  \
    F(pango_language_from_string)                                                                  \
    F(pango_font_description_from_string)                                                          \
    F(pango_font_description_set_absolute_size)                                                    \
    F(pango_font_description_set_weight)                                                           \
    F(pango_font_description_free)                                                                 \
    F(pango_attr_font_features_new)                                                                \
    F(pango_attr_insert_hyphens_new)                                                               \
    F(pango_attr_list_new)                                                                         \
    F(pango_attr_list_insert)                                                                      \
    F(pango_attr_list_unref)                                                                       \
    F(pango_layout_new)                                                                            \
    F(pango_layout_set_text)                                                                       \
    F(pango_layout_set_font_description)                                                           \
    F(pango_layout_set_attributes)                                                                 \
    F(pango_layout_set_width)                                                                      \
    F(pango_layout_set_height)                                                                     \
    F(pango_layout_set_wrap)                                                                       \
    F(pango_layout_set_alignment)                                                                  \
    F(pango_layout_set_auto_dir)                                                                   \
    F(pango_layout_set_ellipsize)                                                                  \
    F(pango_layout_set_single_paragraph_mode)                                                      \
    F(pango_layout_get_extents)                                                                    \
    F(pango_layout_get_baseline)                                                                   \
    F(pango_layout_get_line_count)                                                                 \
    F(pango_layout_get_line)                                                                       \
    F(pango_layout_is_ellipsized)                                                                  \
    F(pango_font_get_glyph_extents)                                                                \
    F(pango_layout_get_unknown_glyphs_count)                                                       \
    F(pango_cairo_show_layout)                                                                     \
    F(cairo_font_options_create)                                                                   \
    F(cairo_font_options_set_hint_metrics)                                                         \
    F(cairo_font_options_set_antialias)                                                            \
    F(cairo_font_options_destroy)                                                                  \
    F(cairo_move_to)                                                                               \
    F(cairo_user_to_device)                                                                        \
    F(cairo_device_to_user)                                                                        \
    F(g_object_unref)
CLOADER_LIBRARY(pango, "libpangocairo-1.0.so.0", PANGO)

/// Values of enumerations of Pango and cairo.
enum {
    ELLIPSIZE_NONE = 0,
    ELLIPSIZE_MIDDLE = 2,
    ELLIPSIZE_END = 3,
    WRAP_WORD_CHAR = 2,
    ALIGN_CENTER = 1,
    ALIGN_RIGHT = 2,
    DIRECTION_LTR = 0,
    DIRECTION_RTL = 1,
    HINT_METRICS_OFF = 1,
    ANTIALIAS_GRAY = 2,
    /// A flag of `PangoItem`.
    IS_ELLIPSIS = 2,
};

/// Pango's units per user unit.
#define UNITS 1024.0
/// A resolution at which a point is a user unit has no use here: sizes are absolute.
#define RESOLUTION 96.0
/// The sizes of fonts. cairo never paints a font again whose size was out of its range once.
#define SMALLEST 1.0
#define LARGEST 512.0
/// The longest length that Pango's integers hold with a margin for sums, in user units.
#define LONGEST 1e5

static PangoFontMap *font_map;
static enum ctext_state state;

/// Rounds down, so that a text is never wider than its limit.
static int units(double length) { return (int)floor(fmin(fmax(length, 0), LONGEST) * UNITS); }

/// A context whose glyphs lie at fractions of a pixel, so that a text keeps its shape at every scale.
static PangoContext *make_context(const char *language) {
    PangoContext *context = pango.pango_font_map_create_context(font_map);
    cairo_font_options_t *options = pango.cairo_font_options_create();
    pango.cairo_font_options_set_hint_metrics(options, HINT_METRICS_OFF);
    pango.cairo_font_options_set_antialias(options, ANTIALIAS_GRAY);
    pango.pango_cairo_context_set_font_options(context, options);
    pango.cairo_font_options_destroy(options);
    pango.pango_context_set_round_glyph_positions(context, 0);
    pango.pango_cairo_context_set_resolution(context, RESOLUTION);
    if (language)
        pango.pango_context_set_language(context, pango.pango_language_from_string(language));
    return context;
}

/// Whether there is a font with a letter. Pango names families even where no font is installed.
static int has_letters(void) {
    PangoContext *context = make_context(NULL);
    PangoLayout *layout = pango.pango_layout_new(context);
    pango.pango_layout_set_text(layout, "A", 1);
    int unknown = pango.pango_layout_get_unknown_glyphs_count(layout);
    pango.g_object_unref(layout);
    pango.g_object_unref(context);
    return unknown == 0;
}

static void *do_nothing(void *context) { return context; }

/// Whether a thread can be started. Pango starts one for its fonts, and GLib aborts the process if that
/// fails.
static int can_start_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, do_nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

static void find_fonts(void) {
    state = CTEXT_NO_LIBRARY;
    if (!pango_open()) return;
    state = CTEXT_NO_THREAD;
    if (!can_start_thread()) return;
    state = CTEXT_NO_FONT;
    font_map = pango.pango_cairo_font_map_new();
    if (font_map && has_letters()) state = CTEXT_READY;
}

enum ctext_state ctext_open(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_fonts);
    return state;
}

static void set_font(PangoLayout *layout, const struct ctext_style *style) {
    PangoFontDescription *font = pango.pango_font_description_from_string("sans-serif");
    pango.pango_font_description_set_absolute_size(
        font, units(fmin(fmax(style->size, SMALLEST), LARGEST)));
    pango.pango_font_description_set_weight(font, style->weight);
    pango.pango_layout_set_font_description(layout, font);
    pango.pango_font_description_free(font);
}

static void set_attributes(PangoLayout *layout, const struct ctext_style *style) {
    PangoAttrList *list = pango.pango_attr_list_new();
    // A hyphen at the end of a line would look like a part of the name of a file.
    pango.pango_attr_list_insert(list, pango.pango_attr_insert_hyphens_new(0));
    if (style->has_tabular_digits)
        pango.pango_attr_list_insert(list, pango.pango_attr_font_features_new("tnum=1"));
    pango.pango_layout_set_attributes(layout, list);
    pango.pango_attr_list_unref(list);
}

/// Gives the ellipsis among the runs the width of its glyphs.
static void narrow_ellipsis(GSList *runs) {
    for (; runs; runs = runs->next) {
        PangoGlyphItem *run = runs->data;
        if (!(run->item->flags & IS_ELLIPSIS) || !run->item->font || run->glyphs->count < 1)
            continue;
        PangoGlyphInfo *last = &run->glyphs->glyphs[run->glyphs->count - 1];
        PangoRectangle logical;
        pango.pango_font_get_glyph_extents(run->item->font, last->glyph, NULL, &logical);
        if (logical.width > 0 && logical.width < last->width) last->width = logical.width;
    }
}

/// Closes the gaps behind ellipses: Pango widens an ellipsis until its line is as wide as the limit.
static void close_gaps(PangoLayout *layout) {
    if (!pango.pango_layout_is_ellipsized(layout)) return;
    int count = pango.pango_layout_get_line_count(layout);
    for (int number = 0; number < count; number++) {
        // Pango lets a caller change the widths of the glyphs of this line.
        PangoLayoutLine *line = pango.pango_layout_get_line(layout, number);
        if (line) narrow_ellipsis(line->runs);
    }
}

ctext_layout *ctext_layout_make(
    const char *text, size_t length, const char *language, const struct ctext_style *style) {
    if (ctext_open() != CTEXT_READY) return NULL;
    PangoContext *context = make_context(language);
    int is_fixed = style->direction != CTEXT_OF_CONTENT;
    int is_right_to_left = style->direction == CTEXT_RIGHT_TO_LEFT;
    if (is_fixed)
        pango.pango_context_set_base_dir(
            context, is_right_to_left ? DIRECTION_RTL : DIRECTION_LTR);
    PangoLayout *layout = pango.pango_layout_new(context);
    pango.g_object_unref(context);
    pango.pango_layout_set_auto_dir(layout, !is_fixed);
    pango.pango_layout_set_text(layout, text, (int)length);
    set_font(layout, style);
    set_attributes(layout, style);
    int is_single = style->lines <= 1;
    pango.pango_layout_set_single_paragraph_mode(layout, is_single);
    if (style->width >= 0) {
        pango.pango_layout_set_width(layout, units(style->width));
        pango.pango_layout_set_ellipsize(layout, is_single ? ELLIPSIZE_MIDDLE : ELLIPSIZE_END);
        pango.pango_layout_set_wrap(layout, WRAP_WORD_CHAR);
        // Pango aligns lines to the right by itself only where it has found their direction.
        if (style->is_centered)
            pango.pango_layout_set_alignment(layout, ALIGN_CENTER);
        else if (is_right_to_left)
            pango.pango_layout_set_alignment(layout, ALIGN_RIGHT);
        if (!is_single) pango.pango_layout_set_height(layout, -style->lines);
        close_gaps(layout);
    }
    return (ctext_layout *)layout;
}

void ctext_layout_free(ctext_layout *layout) {
    if (layout) pango.g_object_unref(layout);
}

void ctext_layout_measure(ctext_layout *layout, struct ctext_extents *extents) {
    PangoLayout *inner = (PangoLayout *)layout;
    PangoRectangle logical;
    pango.pango_layout_get_extents(inner, NULL, &logical);
    *extents = (struct ctext_extents){
        .x = logical.x / UNITS,
        .width = logical.width / UNITS,
        .height = logical.height / UNITS,
        .baseline = pango.pango_layout_get_baseline(inner) / UNITS,
        .lines = pango.pango_layout_get_line_count(inner),
        .is_shortened = pango.pango_layout_is_ellipsized(inner),
    };
}

void ctext_layout_paint(ctext_layout *layout, ctext_cairo *cairo, double x, double y) {
    PangoLayout *inner = (PangoLayout *)layout;
    // cairo rounds the place of each glyph to whole pixels vertically. On a whole pixel, the baseline
    // keeps marks at their distance from letters.
    double baseline = pango.pango_layout_get_baseline(inner) / UNITS;
    double left = x, bottom = y + baseline;
    pango.cairo_user_to_device(cairo, &left, &bottom);
    bottom = round(bottom);
    pango.cairo_device_to_user(cairo, &left, &bottom);
    pango.cairo_move_to(cairo, x, bottom - baseline);
    pango.pango_cairo_show_layout(cairo, inner);
}
