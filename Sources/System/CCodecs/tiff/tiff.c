#include "ccodecs_tiff.h"

#if __has_include(<tiffio.h>)
#include <tiffio.h>
#endif

// In these versions messages and limits belong to the file, not to the process.
#if defined(TIFFLIB_VERSION) && TIFFLIB_VERSION >= 20221213

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cloader.h"
#include "tiff_rows.h"

#define TIFF_FUNCTIONS(F)                                                                          \
    F(TIFFClientOpenExt)                                                                           \
    F(TIFFOpenOptionsAlloc)                                                                        \
    F(TIFFOpenOptionsFree)                                                                         \
    F(TIFFOpenOptionsSetMaxSingleMemAlloc)                                                         \
    F(TIFFOpenOptionsSetErrorHandlerExtR)                                                          \
    F(TIFFOpenOptionsSetWarningHandlerExtR)                                                        \
    F(TIFFClose)                                                                                   \
    F(TIFFGetField)                                                                                \
    F(TIFFGetFieldDefaulted)                                                                       \
    F(TIFFSetField)                                                                                \
    F(TIFFReadDirectory)                                                                           \
    F(TIFFSetSubDirectory)                                                                         \
    F(TIFFCurrentDirOffset)                                                                        \
    F(TIFFIsTiled)                                                                                 \
    F(TIFFScanlineSize64)                                                                          \
    F(TIFFReadScanline)                                                                            \
    F(TIFFStripSize64)                                                                             \
    F(TIFFReadEncodedStrip)                                                                        \
    F(TIFFTileSize64)                                                                              \
    F(TIFFTileRowSize64)                                                                           \
    F(TIFFReadEncodedTile)                                                                         \
    F(TIFFIsCODECConfigured)                                                                       \
    F(TIFFRGBAImageBegin)                                                                          \
    F(TIFFRGBAImageGet)                                                                            \
    F(TIFFRGBAImageEnd)
CLOADER_LIBRARY(libtiff, "libtiff.so.6", TIFF_FUNCTIONS)

/// Most mip levels of a file, and most pages that are searched for them.
#define MOST_MIP_LEVELS 16
#define MOST_PAGES 64
/// Largest single allocation of libtiff, and largest band of rows, in bytes.
#define MOST_BYTES ((uint64_t)1 << 31)

typedef struct page {
    uint64_t offset;
    uint32_t width, height;
    int is_reduced;
} page;

struct ccodecs_tiff {
    TIFF *file;
    const uint8_t *bytes;
    uint64_t length, position;
    char message[256];
    int orientation;
    /// The main page and its mip levels.
    page pages[MOST_MIP_LEVELS];

    // The page being decoded.
    uint32_t width, height, y;
    tiff_rows rows;
    /// Rows are decoded in bands of this height: the height of a strip or of a tile.
    uint32_t band_height;
    uint8_t *band;
    uint64_t row_length, plane_length;
    int is_tiled, is_scanned, is_whole;
    TIFFRGBAImage image;
    int uses_rgba_image;
};

static int keep_message(TIFF *file, void *data, const char *module, const char *format, va_list list) {
    (void)file, (void)module;
    ccodecs_tiff *tiff = data;
    if (!tiff->message[0]) vsnprintf(tiff->message, sizeof tiff->message, format, list);
    return 1;
}

static int stay_silent(TIFF *file, void *data, const char *module, const char *format, va_list list) {
    (void)file, (void)data, (void)module, (void)format, (void)list;
    return 1;
}

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t count) {
    ccodecs_tiff *tiff = handle;
    if (count <= 0 || tiff->position >= tiff->length) return 0;
    uint64_t rest = tiff->length - tiff->position;
    uint64_t read = (uint64_t)count < rest ? (uint64_t)count : rest;
    memcpy(target, tiff->bytes + tiff->position, read);
    tiff->position += read;
    return (tmsize_t)read;
}

static tmsize_t write_bytes(thandle_t handle, void *source, tmsize_t count) {
    (void)handle, (void)source, (void)count;
    return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    ccodecs_tiff *tiff = handle;
    uint64_t base = whence == SEEK_CUR ? tiff->position : whence == SEEK_END ? tiff->length : 0;
    return tiff->position = base + offset;
}

static int close_file(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t file_size(thandle_t handle) { return ((ccodecs_tiff *)handle)->length; }

static int map_file(thandle_t handle, void **base, toff_t *size) {
    ccodecs_tiff *tiff = handle;
    *base = (void *)tiff->bytes;
    *size = tiff->length;
    return 1;
}

static void unmap_file(thandle_t handle, void *base, toff_t size) {
    (void)handle, (void)base, (void)size;
}

static uint32_t number(ccodecs_tiff *tiff, uint32_t tag) {
    uint32_t value = 0;
    return libtiff.TIFFGetField(tiff->file, tag, &value) ? value : 0;
}

static uint16_t short_number(ccodecs_tiff *tiff, uint32_t tag, uint16_t otherwise) {
    uint16_t value = otherwise;
    return libtiff.TIFFGetFieldDefaulted(tiff->file, tag, &value) ? value : otherwise;
}

static page current_page(ccodecs_tiff *tiff) {
    return (page){
        libtiff.TIFFCurrentDirOffset(tiff->file), number(tiff, TIFFTAG_IMAGEWIDTH),
        number(tiff, TIFFTAG_IMAGELENGTH),
        (number(tiff, TIFFTAG_SUBFILETYPE) & FILETYPE_REDUCEDIMAGE) != 0};
}

/// Stores a page as a mip level, if its size is the main page's size halved one or more times.
static void keep_mip_level(ccodecs_tiff *tiff, page found) {
    page main = tiff->pages[0];
    uint32_t width = main.width, height = main.height;
    for (int mip_level = 1; mip_level < MOST_MIP_LEVELS && (width > 1 || height > 1); mip_level++) {
        width = width / 2 + (width & 1);
        height = height / 2 + (height & 1);
        if (found.width == width && found.height == height && !tiff->pages[mip_level].width)
            tiff->pages[mip_level] = found;
    }
}

/// Finds the main page, and its mip levels among its subdirectories and the other pages.
static void find_pages(ccodecs_tiff *tiff) {
    page pages[MOST_PAGES];
    uint64_t own[MOST_MIP_LEVELS];
    int count = 0, own_count = 0, has_main = 0;
    do {
        page found = current_page(tiff);
        if (!found.width || !found.height) continue;
        if (!has_main && (!found.is_reduced || count == 0)) {
            has_main = !found.is_reduced;
            tiff->pages[0] = found;
            tiff->orientation = short_number(tiff, TIFFTAG_ORIENTATION, 1);
            uint16_t subs = 0;
            const uint64_t *offsets = NULL;
            own_count = 0;
            if (libtiff.TIFFGetField(tiff->file, TIFFTAG_SUBIFD, &subs, &offsets) && offsets)
                for (; own_count < subs && own_count < MOST_MIP_LEVELS; own_count++)
                    own[own_count] = offsets[own_count];
        }
        pages[count++] = found;
    } while (count < MOST_PAGES && libtiff.TIFFReadDirectory(tiff->file));
    if (!tiff->pages[0].width) return;
    for (int index = 0; index < own_count; index++)
        if (libtiff.TIFFSetSubDirectory(tiff->file, own[index])) {
            page found = current_page(tiff);
            if (found.is_reduced) keep_mip_level(tiff, found);
        }
    for (int index = 0; index < count; index++)
        if (pages[index].is_reduced) keep_mip_level(tiff, pages[index]);
}

static ccodecs_tiff *ccodecs_tiff_create(const uint8_t *bytes, size_t length) {
    ccodecs_tiff *tiff = calloc(1, sizeof *tiff);
    TIFFOpenOptions *options = libtiff.TIFFOpenOptionsAlloc();
    if (!tiff || !options) {
        if (options) libtiff.TIFFOpenOptionsFree(options);
        free(tiff);
        return NULL;
    }
    tiff->bytes = bytes;
    tiff->length = length;
    libtiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)MOST_BYTES);
    libtiff.TIFFOpenOptionsSetErrorHandlerExtR(options, keep_message, tiff);
    libtiff.TIFFOpenOptionsSetWarningHandlerExtR(options, stay_silent, tiff);
    tiff->file = libtiff.TIFFClientOpenExt(
        "TIFF", "r", tiff, read_bytes, write_bytes, seek, close_file, file_size, map_file,
        unmap_file, options);
    libtiff.TIFFOpenOptionsFree(options);
    if (tiff->file) {
        find_pages(tiff);
        // Errors in other pages do not matter if the main page can be read.
        if (tiff->pages[0].width) tiff->message[0] = 0;
    }
    return tiff;
}

static void ccodecs_tiff_destroy(ccodecs_tiff *tiff) {
    if (!tiff) return;
    if (tiff->uses_rgba_image) libtiff.TIFFRGBAImageEnd(&tiff->image);
    if (tiff->file) libtiff.TIFFClose(tiff->file);
    free(tiff->band);
    free(tiff);
}

static void ccodecs_tiff_size(
    const ccodecs_tiff *tiff, int mip_level, uint32_t *width, uint32_t *height) {
    page found = mip_level < MOST_MIP_LEVELS ? tiff->pages[mip_level] : (page){0};
    *width = found.width;
    *height = found.height;
}

static int ccodecs_tiff_orientation(const ccodecs_tiff *tiff) { return tiff->orientation; }

static enum ccodecs_tiff_layout ccodecs_tiff_layout(const ccodecs_tiff *tiff) {
    return tiff->rows.layout;
}

static const char *ccodecs_tiff_message(const ccodecs_tiff *tiff) { return tiff->message; }

static const uint8_t *ccodecs_tiff_profile(const ccodecs_tiff *tiff, size_t *length) {
    uint32_t count = 0;
    void *data = NULL;
    *length = 0;
    uint16_t photometric = 0;
    libtiff.TIFFGetField(tiff->file, TIFFTAG_PHOTOMETRIC, &photometric);
    // The decoded rows of these are sRGB already.
    if (photometric == PHOTOMETRIC_CIELAB || photometric == PHOTOMETRIC_ICCLAB ||
        photometric == PHOTOMETRIC_ITULAB || photometric == PHOTOMETRIC_LOGL ||
        photometric == PHOTOMETRIC_LOGLUV)
        return NULL;
    if (!libtiff.TIFFGetField(tiff->file, TIFFTAG_ICCPROFILE, &count, &data)) return NULL;
    *length = count;
    return data;
}

// MARK: Row layout

static int read_palette(ccodecs_tiff *tiff) {
    uint16_t *colors[3] = {NULL, NULL, NULL};
    if (tiff->rows.bits > 16 ||
        !libtiff.TIFFGetField(
            tiff->file, TIFFTAG_COLORMAP, &colors[0], &colors[1], &colors[2]) ||
        !colors[0] || !colors[1] || !colors[2])
        return 0;
    size_t count = (size_t)1 << tiff->rows.bits;
    // Some programs write 8-bit values in the 16-bit palette.
    int is_deep = 0;
    for (int color = 0; color < 3; color++)
        for (size_t index = 0; index < count; index++)
            if (colors[color][index] > 255) is_deep = 1;
    for (int color = 0; color < 3; color++)
        for (size_t index = 0; index < count; index++)
            tiff->rows.colors[color][index] = (uint8_t)(
                is_deep ? (colors[color][index] + 128) / 257 : colors[color][index]);
    return 1;
}

static enum tiff_alpha read_alpha(ccodecs_tiff *tiff, int colors, int samples) {
    if (samples <= colors) return TIFF_NO_ALPHA;
    uint16_t count = 0;
    uint16_t *kinds = NULL;
    int has_tag = libtiff.TIFFGetField(tiff->file, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    // Without the tag, guess as libtiff does.
    if (!has_tag || count == 0 || !kinds)
        return colors == 3 && samples == 4 ? TIFF_PREMULTIPLIED : TIFF_NO_ALPHA;
    switch (kinds[0]) {
    case EXTRASAMPLE_ASSOCALPHA: return TIFF_PREMULTIPLIED;
    case EXTRASAMPLE_UNASSALPHA: return TIFF_STRAIGHT;
    default: return TIFF_NO_ALPHA;
    }
}

/// Chooses the row format. Floats are linear light of any brightness, unless there is a profile.
static enum ccodecs_tiff_layout choose_layout(const tiff_rows *rows, int has_profile) {
    int has_alpha = rows->alpha != TIFF_NO_ALPHA;
    if (rows->is_float && rows->kind != TIFF_CMYK && rows->kind != TIFF_LAB && !has_profile)
        return has_alpha ? CCODECS_TIFF_RGBA_FLOAT : CCODECS_TIFF_RGB_FLOAT;
    int is_deep = rows->bits > 8;
    switch (rows->kind) {
    case TIFF_CMYK: return CCODECS_TIFF_CMYK8;
    case TIFF_LAB: return CCODECS_TIFF_RGB16;
    case TIFF_PALETTE: return has_alpha ? CCODECS_TIFF_RGBA8 : CCODECS_TIFF_RGB8;
    case TIFF_GRAY:
        if (!has_alpha) return is_deep ? CCODECS_TIFF_GRAY16 : CCODECS_TIFF_GRAY8;
        break;
    case TIFF_RGB:
        if (!has_alpha) return is_deep ? CCODECS_TIFF_RGB16 : CCODECS_TIFF_RGB8;
        break;
    }
    return is_deep ? CCODECS_TIFF_RGBA16 : CCODECS_TIFF_RGBA8;
}

/// Describes the page's samples in `rows`. Returns 0 if only libtiff's own colour conversion can
/// read them.
static int describe_rows(ccodecs_tiff *tiff) {
    tiff_rows *rows = &tiff->rows;
    memset(rows, 0, offsetof(tiff_rows, colors));
    uint16_t photometric = 0, compression = short_number(tiff, TIFFTAG_COMPRESSION, 1);
    int samples = short_number(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    rows->bits = short_number(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    if (!libtiff.TIFFGetField(tiff->file, TIFFTAG_PHOTOMETRIC, &photometric))
        photometric = samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    if (compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR && rows->bits == 8) {
        libtiff.TIFFSetField(tiff->file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        photometric = PHOTOMETRIC_RGB;
    }
    int colors = 1;
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE: rows->is_inverted = 1; break;
    case PHOTOMETRIC_MINISBLACK: break;
    case PHOTOMETRIC_PALETTE: rows->kind = TIFF_PALETTE; break;
    case PHOTOMETRIC_RGB:
        rows->kind = TIFF_RGB;
        colors = 3;
        break;
    case PHOTOMETRIC_SEPARATED:
        rows->kind = TIFF_CMYK;
        colors = 4;
        break;
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
        // Other bit depths, and fewer samples, are left to libtiff's conversion.
        if (rows->bits != 8 && rows->bits != 16) return 0;
        rows->kind = TIFF_LAB;
        rows->is_icc_lab = photometric == PHOTOMETRIC_ICCLAB;
        colors = 3;
        break;
    default: return 0;
    }
    if (samples < colors || samples > 64 || compression == COMPRESSION_OJPEG) return 0;
    uint16_t format = short_number(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    rows->is_float = format == SAMPLEFORMAT_IEEEFP;
    rows->is_signed = format == SAMPLEFORMAT_INT;
    if (rows->is_float ? rows->bits != 16 && rows->bits != 24 && rows->bits != 32 && rows->bits != 64
                       : rows->bits < 1 || (rows->bits > 16 && rows->bits != 32))
        return 0;
    if (rows->kind == TIFF_PALETTE && (rows->is_float || rows->is_signed || !read_palette(tiff)))
        return 0;
    rows->alpha = read_alpha(tiff, colors, samples);
    // Alpha is not supported with CMYK and L*a*b*.
    if (rows->kind == TIFF_CMYK || rows->kind == TIFF_LAB) rows->alpha = TIFF_NO_ALPHA;
    rows->is_separate = samples > 1 && short_number(tiff, TIFFTAG_PLANARCONFIG, 1) == 2;
    rows->samples = rows->is_separate ? 1 : samples;
    size_t length;
    rows->layout = choose_layout(rows, ccodecs_tiff_profile(tiff, &length) != NULL);
    return 1;
}

// MARK: Decoding

/// Allocates a band. Returns 0 if the layout is invalid or the band is too large.
static int prepare_band(ccodecs_tiff *tiff) {
    uint32_t height = tiff->height;
    int planes = tiff->rows.is_separate ? tiff_rows_used(&tiff->rows) : 1;
    uint64_t needed = ((uint64_t)tiff->width * (uint64_t)tiff->rows.samples *
                           (uint64_t)tiff->rows.bits + 7) / 8;
    if (tiff->is_tiled) {
        uint32_t tile = number(tiff, TIFFTAG_TILEWIDTH);
        tiff->band_height = number(tiff, TIFFTAG_TILELENGTH);
        uint64_t length = libtiff.TIFFTileRowSize64(tiff->file);
        if (!tile || !tiff->band_height || !length) return 0;
        // The rows of adjacent tiles make up a row of the image, if they are whole bytes.
        uint64_t across = ((uint64_t)tiff->width + tile - 1) / tile;
        if (length * 8 != (uint64_t)tile * (uint64_t)tiff->rows.samples * (uint64_t)tiff->rows.bits)
            return 0;
        if (length > MOST_BYTES / across) return 0;
        tiff->row_length = length * across;
        // A tile may be taller than the image.
        if (tiff->band_height > MOST_BYTES / length) return 0;
    } else {
        tiff->is_scanned = !tiff->rows.is_separate;
        tiff->band_height = 1;
        if (!tiff->is_scanned) {
            tiff->band_height = height;
            libtiff.TIFFGetFieldDefaulted(
                tiff->file, TIFFTAG_ROWSPERSTRIP, &tiff->band_height);
            if (tiff->band_height > height) tiff->band_height = height;
        }
        tiff->row_length = libtiff.TIFFScanlineSize64(tiff->file);
    }
    if (!tiff->row_length || !tiff->band_height || tiff->row_length < needed) return 0;
    if (tiff->band_height > MOST_BYTES / tiff->row_length / (uint64_t)planes) return 0;
    tiff->plane_length = tiff->row_length * tiff->band_height;
    uint64_t length = tiff->plane_length * (uint64_t)planes;
    // A tile is decoded into the memory after the band.
    if (tiff->is_tiled) length += libtiff.TIFFTileSize64(tiff->file);
    tiff->band = calloc(length, 1);
    return tiff->band != NULL;
}

/// Sets up libtiff's own colour conversion. Returns 0 if libtiff does not support the page either.
static int prepare_rgba_image(ccodecs_tiff *tiff) {
    char message[1024] = "";
    if (!libtiff.TIFFRGBAImageBegin(&tiff->image, tiff->file, 0, message)) {
        if (!tiff->message[0]) snprintf(tiff->message, sizeof tiff->message, "%s", message);
        return 0;
    }
    tiff->uses_rgba_image = 1;
    // Keep the rows in stored order.
    tiff->image.orientation = tiff->image.req_orientation = ORIENTATION_TOPLEFT;
    tiff->rows.layout =
        tiff->image.alpha ? CCODECS_TIFF_PREMULTIPLIED_BGRA8 : CCODECS_TIFF_BGRX8;
    tiff->band_height = tiff->height;
    libtiff.TIFFGetFieldDefaulted(
        tiff->file, tiff->is_tiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP, &tiff->band_height);
    if (tiff->band_height > tiff->height) tiff->band_height = tiff->height;
    tiff->row_length = (uint64_t)tiff->width * 4;
    if (!tiff->band_height || tiff->band_height > MOST_BYTES / tiff->row_length) return 0;
    tiff->band = calloc(tiff->row_length, tiff->band_height);
    return tiff->band != NULL;
}

static int ccodecs_tiff_start(ccodecs_tiff *tiff, int mip_level) {
    page found = tiff->pages[mip_level];
    if (!libtiff.TIFFSetSubDirectory(tiff->file, found.offset)) return 0;
    tiff->width = number(tiff, TIFFTAG_IMAGEWIDTH);
    tiff->height = number(tiff, TIFFTAG_IMAGELENGTH);
    if (tiff->width != found.width || tiff->height != found.height) return 0;
    uint16_t compression = short_number(tiff, TIFFTAG_COMPRESSION, 1);
    if (!libtiff.TIFFIsCODECConfigured(compression)) {
        snprintf(tiff->message, sizeof tiff->message, "compression method %u is not supported",
                 compression);
        return 0;
    }
    tiff->y = 0;
    tiff->is_whole = 1;
    tiff->is_tiled = libtiff.TIFFIsTiled(tiff->file);
    if (describe_rows(tiff)) {
        if (prepare_band(tiff)) return 1;
        if (!tiff->message[0])
            snprintf(tiff->message, sizeof tiff->message, "corrupt strip or tile layout");
        return 0;
    }
    return prepare_rgba_image(tiff);
}

/// Decodes a row of tiles into the band. Returns 0 if a tile is incomplete.
static int read_tiles(ccodecs_tiff *tiff, int plane, uint32_t count) {
    uint64_t length = libtiff.TIFFTileRowSize64(tiff->file);
    uint64_t size = libtiff.TIFFTileSize64(tiff->file);
    uint32_t across = (uint32_t)(tiff->row_length / length);
    uint32_t down = (tiff->height - 1) / tiff->band_height + 1;
    int planes = tiff->rows.is_separate ? tiff_rows_used(&tiff->rows) : 1;
    uint8_t *tile = tiff->band + tiff->plane_length * (uint64_t)planes;
    int is_whole = 1;
    for (uint32_t column = 0; column < across; column++) {
        uint64_t index =
            ((uint64_t)plane * down + tiff->y / tiff->band_height) * across + column;
        memset(tile, 0, size);
        if (index > UINT32_MAX ||
            libtiff.TIFFReadEncodedTile(tiff->file, (uint32_t)index, tile, (tmsize_t)size) < 0)
            is_whole = 0;
        for (uint32_t row = 0; row < count; row++)
            memcpy(tiff->band + tiff->plane_length * (uint64_t)plane + tiff->row_length * row +
                       length * column,
                   tile + length * row, length);
    }
    return is_whole;
}

static int read_band(ccodecs_tiff *tiff) {
    uint32_t rest = tiff->height - tiff->y;
    uint32_t count = rest < tiff->band_height ? rest : tiff->band_height;
    if (tiff->uses_rgba_image) {
        tiff->image.row_offset = (int)tiff->y;
        tiff->image.col_offset = 0;
        memset(tiff->band, 0, tiff->row_length * count);
        return libtiff.TIFFRGBAImageGet(
            &tiff->image, (uint32_t *)(void *)tiff->band, tiff->width, count);
    }
    if (tiff->is_scanned) {
        memset(tiff->band, 0, tiff->row_length);
        return libtiff.TIFFReadScanline(tiff->file, tiff->band, tiff->y, 0) >= 0;
    }
    int is_whole = 1;
    int planes = tiff->rows.is_separate ? tiff_rows_used(&tiff->rows) : 1;
    for (int plane = 0; plane < planes; plane++) {
        if (tiff->is_tiled) {
            is_whole = read_tiles(tiff, plane, count) && is_whole;
            continue;
        }
        uint32_t down = (tiff->height - 1) / tiff->band_height + 1;
        uint8_t *target = tiff->band + tiff->plane_length * (uint64_t)plane;
        uint64_t strip = (uint64_t)plane * down + tiff->y / tiff->band_height;
        memset(target, 0, tiff->plane_length);
        if (strip > UINT32_MAX ||
            libtiff.TIFFReadEncodedStrip(
                tiff->file, (uint32_t)strip, target, (tmsize_t)tiff->plane_length) < 0)
            is_whole = 0;
    }
    return is_whole;
}

/// Converts libtiff's pixels 0xAABBGGRR to 0xAARRGGBB.
static void swap_red_and_blue(
    const uint8_t *source, uint32_t *target, uint32_t width, int has_alpha) {
    for (uint32_t x = 0; x < width; x++) {
        uint32_t pixel;
        memcpy(&pixel, source + 4 * (size_t)x, 4);
        pixel = (pixel & 0xFF00FF00) | (pixel & 255) << 16 | (pixel >> 16 & 255);
        target[x] = has_alpha ? pixel : pixel | 0xFF000000;
    }
}

static int ccodecs_tiff_read_row(ccodecs_tiff *tiff, void *row) {
    uint32_t inside = tiff->y % tiff->band_height;
    if (inside == 0) tiff->is_whole = read_band(tiff);
    const uint8_t *start = tiff->band + tiff->row_length * inside;
    tiff->y++;
    if (tiff->uses_rgba_image) {
        swap_red_and_blue(
            start, row, tiff->width, tiff->rows.layout == CCODECS_TIFF_PREMULTIPLIED_BGRA8);
        return tiff->is_whole;
    }
    const uint8_t *planes[5] = {start};
    if (tiff->rows.is_separate)
        for (int plane = 0; plane < tiff_rows_used(&tiff->rows); plane++)
            planes[plane] = start + tiff->plane_length * (uint64_t)plane;
    tiff_rows_convert(&tiff->rows, planes, row, tiff->width);
    return tiff->is_whole;
}

static const ccodecs_tiff_library functions = {
    .create = ccodecs_tiff_create,
    .destroy = ccodecs_tiff_destroy,
    .size = ccodecs_tiff_size,
    .orientation = ccodecs_tiff_orientation,
    .start = ccodecs_tiff_start,
    .layout = ccodecs_tiff_layout,
    .profile = ccodecs_tiff_profile,
    .read_row = ccodecs_tiff_read_row,
    .message = ccodecs_tiff_message,
};

const ccodecs_tiff_library *ccodecs_open_tiff(void) {
    return libtiff_open() ? &functions : NULL;
}

#else

const ccodecs_tiff_library *ccodecs_open_tiff(void) { return NULL; }

#endif
