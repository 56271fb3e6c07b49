#include "ccodecs_raw.h"

#if __has_include(<libraw/libraw.h>)

#include <libraw/libraw.h>
#include <stdlib.h>

#include "cloader.h"

// The structs of LibRaw differ between versions, so the library has to match the headers.
#define RAW_TEXT(number) #number
#define RAW_SONAME(number) "libraw.so." RAW_TEXT(number)

#define RAW(F)                                                                                     \
    F(libraw_init)                                                                                 \
    F(libraw_close)                                                                                \
    F(libraw_open_buffer)                                                                          \
    F(libraw_adjust_sizes_info_only)                                                               \
    F(libraw_set_dataerror_handler)                                                                \
    F(libraw_unpack)                                                                               \
    F(libraw_unpack_thumb)                                                                         \
    F(libraw_dcraw_process)                                                                        \
    F(libraw_dcraw_make_mem_image)                                                                 \
    F(libraw_dcraw_clear_mem)                                                                      \
    F(libraw_strerror)
CLOADER_LIBRARY(libraw, RAW_SONAME(LIBRAW_SHLIB_CURRENT), RAW)

/// LibRaw prints nothing when memory or data are missing. The names of these flags differ between
/// versions.
#define SILENT (1 | 1 << 1)

struct ccodecs_raw {
    libraw_data_t *data;
    const uint8_t *bytes;
    size_t length;
    int orientation;
    int damages;
    const char *message;
    libraw_processed_image_t *image;
};

// LibRaw 0.22 widened the offset of a damage.
#if LIBRAW_VERSION >= LIBRAW_MAKE_VERSION(0, 22, 0)
typedef INT64 damage_offset;
#else
typedef int damage_offset;
#endif

static void count_damage(void *context, const char *file, const damage_offset offset) {
    (void)file, (void)offset;
    ((ccodecs_raw *)context)->damages++;
}

static int succeeded(ccodecs_raw *raw, int code) {
    if (code == LIBRAW_SUCCESS) return 1;
    raw->message = libraw.libraw_strerror(code);
    return 0;
}

static libraw_data_t *open_file(ccodecs_raw *raw) {
    libraw_data_t *data = libraw.libraw_init(SILENT);
    if (!data) return NULL;
    libraw.libraw_set_dataerror_handler(data, count_damage, raw);
    // The viewer rotates the image.
    data->params.user_flip = 0;
    if (succeeded(raw, libraw.libraw_open_buffer(data, (void *)raw->bytes, raw->length))) return data;
    libraw.libraw_close(data);
    return NULL;
}

/// The EXIF orientation for a flip of dcraw.
static int exif_orientation(int flip) {
    static const int orientations[] = {1, 2, 4, 3, 5, 8, 6, 7};
    return flip >= 0 && flip < 8 ? orientations[flip] : 1;
}

static ccodecs_raw *ccodecs_raw_create(const uint8_t *bytes, size_t length) {
    ccodecs_raw *raw = calloc(1, sizeof *raw);
    if (!raw) return NULL;
    raw->bytes = bytes;
    raw->length = length;
    raw->message = "";
    raw->data = open_file(raw);
    if (raw->data) raw->orientation = exif_orientation(raw->data->sizes.flip);
    return raw;
}

static void ccodecs_raw_destroy(ccodecs_raw *raw) {
    if (!raw) return;
    if (raw->image) libraw.libraw_dcraw_clear_mem(raw->image);
    if (raw->data) libraw.libraw_close(raw->data);
    free(raw);
}

static int ccodecs_raw_is_open(const ccodecs_raw *raw) { return raw->data != NULL; }

static int ccodecs_raw_measure(ccodecs_raw *raw, int *width, int *height) {
    if (!succeeded(raw, libraw.libraw_adjust_sizes_info_only(raw->data))) return 0;
    *width = raw->data->sizes.iwidth;
    *height = raw->data->sizes.iheight;
    return 1;
}

static int ccodecs_raw_orientation(const ccodecs_raw *raw) { return raw->orientation; }

static const uint8_t *ccodecs_raw_preview(ccodecs_raw *raw, size_t *length) {
    *length = 0;
    if (libraw.libraw_unpack_thumb(raw->data) != LIBRAW_SUCCESS) return NULL;
    const libraw_thumbnail_t *thumbnail = &raw->data->thumbnail;
    if (thumbnail->tformat != LIBRAW_THUMBNAIL_JPEG || !thumbnail->thumb) return NULL;
    *length = thumbnail->tlength;
    return (const uint8_t *)thumbnail->thumb;
}

static int ccodecs_raw_develop(ccodecs_raw *raw, int is_half) {
    libraw_output_params_t *params = &raw->data->params;
    params->use_camera_wb = 1;
    params->half_size = is_half;
    params->output_bps = 16;
    // Patterned pixel grouping: nearly as good as LibRaw's default demosaicing, and several times
    // as fast.
    params->user_qual = 2;
    // sRGB and its transfer function (IEC 61966-2-1).
    params->output_color = 1;
    params->gamm[0] = 1 / 2.4;
    params->gamm[1] = 12.92;
    if (!succeeded(raw, libraw.libraw_unpack(raw->data)) ||
        !succeeded(raw, libraw.libraw_dcraw_process(raw->data)))
        return 0;
    int code = LIBRAW_SUCCESS;
    raw->image = libraw.libraw_dcraw_make_mem_image(raw->data, &code);
    if (!raw->image) {
        raw->message = libraw.libraw_strerror(code);
        return 0;
    }
    if (raw->image->type == LIBRAW_IMAGE_BITMAP && raw->image->bits == 16 &&
        (raw->image->colors == 3 || raw->image->colors == 1))
        return 1;
    raw->message = "unsupported number of colour channels";
    return 0;
}

static const uint16_t *ccodecs_raw_pixels(
    const ccodecs_raw *raw, int *width, int *height, int *samples) {
    if (!raw->image) return NULL;
    *width = raw->image->width;
    *height = raw->image->height;
    *samples = raw->image->colors;
    return (const uint16_t *)(const void *)raw->image->data;
}

static int ccodecs_raw_is_whole(const ccodecs_raw *raw) { return raw->damages == 0; }

static const char *ccodecs_raw_message(const ccodecs_raw *raw) { return raw->message; }

static const ccodecs_raw_library functions = {
    .create = ccodecs_raw_create,
    .destroy = ccodecs_raw_destroy,
    .is_open = ccodecs_raw_is_open,
    .measure = ccodecs_raw_measure,
    .orientation = ccodecs_raw_orientation,
    .preview = ccodecs_raw_preview,
    .develop = ccodecs_raw_develop,
    .pixels = ccodecs_raw_pixels,
    .is_whole = ccodecs_raw_is_whole,
    .message = ccodecs_raw_message,
};

const ccodecs_raw_library *ccodecs_open_raw(void) {
    return libraw_open() ? &functions : NULL;
}

#else

const ccodecs_raw_library *ccodecs_open_raw(void) { return NULL; }

#endif
