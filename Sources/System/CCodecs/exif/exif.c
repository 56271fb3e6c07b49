#include "ccodecs_exif.h"

#if __has_include(<libexif/exif-data.h>)

#include <libexif/exif-data.h>
#include <stdlib.h>
#include <string.h>

#include "cloader.h"

#define LIBEXIF(F)                                                                                 \
    F(exif_data_new)                                                                               \
    F(exif_data_set_option)                                                                        \
    F(exif_data_unset_option)                                                                      \
    F(exif_data_load_data)                                                                         \
    F(exif_data_get_byte_order)                                                                    \
    F(exif_data_unref)                                                                             \
    F(exif_content_get_entry)                                                                      \
    F(exif_entry_get_value)                                                                        \
    F(exif_get_short)                                                                              \
    F(exif_get_long)                                                                               \
    F(exif_get_rational)                                                                           \
    F(exif_get_srational)
CLOADER_LIBRARY(libexif, "libexif.so.12", LIBEXIF)

struct ccodecs_exif {
    ExifData *data;
    ExifByteOrder order;
};

/// The prefix that libexif expects before the TIFF structure.
static const uint8_t prefix[] = {'E', 'x', 'i', 'f', 0, 0};
enum { longest = 65000 };

static void ccodecs_exif_close(ccodecs_exif *exif) {
    if (!exif) return;
    if (exif->data) libexif.exif_data_unref(exif->data);
    free(exif);
}

static ccodecs_exif *ccodecs_exif_open(const uint8_t *tiff, size_t length) {
    if (length > longest) return NULL;
    ccodecs_exif *exif = calloc(1, sizeof *exif);
    uint8_t *block = malloc(sizeof prefix + length);
    if (exif) exif->data = libexif.exif_data_new();
    if (!exif || !block || !exif->data) {
        free(block);
        ccodecs_exif_close(exif);
        return NULL;
    }
    memcpy(block, prefix, sizeof prefix);
    memcpy(block + sizeof prefix, tiff, length);
    // Otherwise libexif adds tags that the specification requires and the file lacks.
    libexif.exif_data_unset_option(exif->data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
    // Some versions of libexif do not know the tag of the lens name.
    libexif.exif_data_unset_option(exif->data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
    libexif.exif_data_set_option(exif->data, EXIF_DATA_OPTION_DONT_CHANGE_MAKER_NOTE);
    libexif.exif_data_load_data(exif->data, block, (unsigned)(sizeof prefix + length));
    free(block);
    exif->order = libexif.exif_data_get_byte_order(exif->data);
    return exif;
}

static ExifEntry *find(const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag) {
    ExifContent *content = exif->data->ifd[directory];
    ExifEntry *entry =
        content ? libexif.exif_content_get_entry(content, (ExifTag)tag) : NULL;
    return entry && entry->data ? entry : NULL;
}

static int ccodecs_exif_text(
    const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag, char *text,
    size_t size) {
    ExifEntry *entry = find(exif, directory, tag);
    if (!entry || size == 0) return 0;
    if (entry->format == EXIF_FORMAT_ASCII) {
        size_t length = entry->size < size - 1 ? entry->size : size - 1;
        memcpy(text, entry->data, length);
        text[length] = 0;
    } else {
        text[0] = 0;
        libexif.exif_entry_get_value(entry, text, (unsigned)size);
        text[size - 1] = 0;
    }
    return text[0] != 0;
}

static int ccodecs_exif_number(
    const ccodecs_exif *exif, enum ccodecs_exif_directory directory, int tag, unsigned index,
    double *number) {
    ExifEntry *entry = find(exif, directory, tag);
    if (!entry || index >= entry->components) return 0;
    static const size_t sizes[] = {
        [EXIF_FORMAT_BYTE] = 1,  [EXIF_FORMAT_SHORT] = 2,    [EXIF_FORMAT_LONG] = 4,
        [EXIF_FORMAT_RATIONAL] = 8, [EXIF_FORMAT_SRATIONAL] = 8,
    };
    if ((size_t)entry->format >= sizeof sizes / sizeof *sizes) return 0;
    size_t size = sizes[entry->format];
    if (size == 0 || entry->size / size <= index) return 0;
    const unsigned char *place = entry->data + size * index;
    switch (entry->format) {
    case EXIF_FORMAT_BYTE: *number = *place; return 1;
    case EXIF_FORMAT_SHORT: *number = libexif.exif_get_short(place, exif->order); return 1;
    case EXIF_FORMAT_LONG: *number = libexif.exif_get_long(place, exif->order); return 1;
    case EXIF_FORMAT_RATIONAL: {
        ExifRational value = libexif.exif_get_rational(place, exif->order);
        if (value.denominator == 0) return 0;
        *number = (double)value.numerator / value.denominator;
        return 1;
    }
    case EXIF_FORMAT_SRATIONAL: {
        ExifSRational value = libexif.exif_get_srational(place, exif->order);
        if (value.denominator == 0) return 0;
        *number = (double)value.numerator / value.denominator;
        return 1;
    }
    default: return 0;
    }
}

static const ccodecs_exif_library functions = {
    .open = ccodecs_exif_open,
    .close = ccodecs_exif_close,
    .text = ccodecs_exif_text,
    .number = ccodecs_exif_number,
};

const ccodecs_exif_library *ccodecs_open_exif(void) {
    return libexif_open() ? &functions : NULL;
}

#else

const ccodecs_exif_library *ccodecs_open_exif(void) { return NULL; }

#endif
