#include "ccodecs_jp2.h"

#if __has_include(<openjpeg.h>)
#define HAS_OPENJPEG
#include <openjpeg.h>
#elif __has_include(<openjpeg-2.5/openjpeg.h>)
#define HAS_OPENJPEG
#include <openjpeg-2.5/openjpeg.h>
#endif

#ifdef HAS_OPENJPEG

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cloader.h"

#define OPENJPEG(F)                                                                                \
    F(opj_create_decompress)                                                                       \
    F(opj_destroy_codec)                                                                           \
    F(opj_set_error_handler)                                                                       \
    F(opj_set_warning_handler)                                                                     \
    F(opj_set_default_decoder_parameters)                                                          \
    F(opj_setup_decoder)                                                                           \
    F(opj_decoder_set_strict_mode)                                                                 \
    F(opj_codec_set_threads)                                                                       \
    F(opj_read_header)                                                                             \
    F(opj_set_decode_area)                                                                         \
    F(opj_decode)                                                                                  \
    F(opj_get_cstr_info)                                                                           \
    F(opj_destroy_cstr_info)                                                                       \
    F(opj_image_destroy)                                                                           \
    F(opj_stream_create)                                                                           \
    F(opj_stream_destroy)                                                                          \
    F(opj_stream_set_read_function)                                                                \
    F(opj_stream_set_skip_function)                                                                \
    F(opj_stream_set_seek_function)                                                                \
    F(opj_stream_set_user_data)                                                                    \
    F(opj_stream_set_user_data_length)
CLOADER_LIBRARY(library, "libopenjp2.so.7", OPENJPEG)

struct ccodecs_jp2 {
    const uint8_t *bytes;
    ccodecs_jp2_ending ending;
    /// The stream that the library reads: the bytes of the file up to `ending.end`, then `padding`
    /// zeros, then `end_length` bytes of an end marker; `length` bytes in all.
    size_t padding, end_length, length, offset;
    opj_stream_t *stream;
    opj_codec_t *codec;
    opj_image_t *image;
    int reduction, deepest_reduction, tile_height, warnings;
    /// The rows to decode; all rows if the count is 0.
    int first_row, row_count;
    /// Where longjmp leaves the library before it reads out of bounds.
    jmp_buf escape;
    int can_leave;
    /// Number of colour channels: 1 for grey, 3 for RGB, 4 for CMYK. Number of the alpha component,
    /// or -1.
    int colors, alpha;
    int whole_width, whole_height, width, height, is_deep;
    char message[256];
};

static const uint8_t end_of_codestream[2] = {0xFF, 0xD9};

/// Writes the length of the last tile part, in file format, over the bytes being read.
static void put_length(ccodecs_jp2 *jp2, uint8_t *target, size_t count) {
    uint32_t length = jp2->ending.length + (uint32_t)jp2->padding;
    for (size_t index = 0; index < 4; index++) {
        size_t place = jp2->ending.length_at + index;
        if (place >= jp2->offset && place - jp2->offset < count)
            target[place - jp2->offset] = (uint8_t)(length >> (24 - 8 * index));
    }
}

static OPJ_SIZE_T read_bytes(void *user_target, OPJ_SIZE_T count, void *user) {
    ccodecs_jp2 *jp2 = user;
    uint8_t *target = user_target;
    size_t rest = jp2->length - jp2->offset;
    if (rest == 0) return (OPJ_SIZE_T)-1;
    if (count > rest) count = rest;
    size_t there = jp2->offset < jp2->ending.end ? jp2->ending.end - jp2->offset : 0;
    if (there > count) there = count;
    if (there > 0) memcpy(target, jp2->bytes + jp2->offset, there);
    if (jp2->ending.length_at) put_length(jp2, target, there);
    memset(target + there, 0, count - there);
    for (size_t index = 0; index < jp2->end_length; index++) {
        size_t place = jp2->length - jp2->end_length + index;
        if (place >= jp2->offset && place - jp2->offset < count)
            target[place - jp2->offset] = end_of_codestream[index];
    }
    jp2->offset += count;
    return count;
}

static OPJ_OFF_T skip_bytes(OPJ_OFF_T count, void *user) {
    ccodecs_jp2 *jp2 = user;
    size_t rest = jp2->length - jp2->offset;
    if (count < 0) return -1;
    if ((size_t)count > rest) count = (OPJ_OFF_T)rest;
    jp2->offset += (size_t)count;
    return count;
}

static OPJ_BOOL seek_bytes(OPJ_OFF_T offset, void *user) {
    ccodecs_jp2 *jp2 = user;
    if (offset < 0 || (size_t)offset > jp2->length) return OPJ_FALSE;
    jp2->offset = (size_t)offset;
    return OPJ_TRUE;
}

/// Keeps the first error, which names the cause.
static void note_error(const char *message, void *user) {
    ccodecs_jp2 *jp2 = user;
    if (jp2->message[0]) return;
    snprintf(jp2->message, sizeof jp2->message, "%s", message);
    jp2->message[strcspn(jp2->message, "\n")] = 0;
}

/// When OpenJPEG 2.5.0 skips truncated data, it warns, and then reads beyond the end of its memory
/// (fixed later in OpenJPEG pull request 1460). So longjmp leaves the library at the warning. This
/// leaks the memory for the iteration over packets. All other memory is freed with the codec, and
/// no thread of the library is busy at that point.
static void note_warning(const char *message, void *user) {
    ccodecs_jp2 *jp2 = user;
    jp2->warnings++;
    if (jp2->can_leave && strstr(message, "skip: segment too long")) longjmp(jp2->escape, 1);
}

static int fail(ccodecs_jp2 *jp2, const char *message) {
    note_error(message, jp2);
    return -1;
}

static int open_stream(ccodecs_jp2 *jp2) {
    jp2->offset = 0;
    jp2->length = jp2->ending.end + jp2->padding + jp2->end_length;
    jp2->stream = library.opj_stream_create(1 << 20, OPJ_TRUE);
    if (!jp2->stream) return 0;
    library.opj_stream_set_user_data(jp2->stream, jp2, NULL);
    library.opj_stream_set_user_data_length(jp2->stream, jp2->length);
    library.opj_stream_set_read_function(jp2->stream, read_bytes);
    library.opj_stream_set_skip_function(jp2->stream, skip_bytes);
    library.opj_stream_set_seek_function(jp2->stream, seek_bytes);
    return 1;
}

static int open_codec(ccodecs_jp2 *jp2) {
    // A bare codestream begins with a marker.
    int is_bare = jp2->ending.end > 1 && jp2->bytes[0] == 0xFF;
    jp2->codec = library.opj_create_decompress(is_bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
    if (!jp2->codec) return 0;
    opj_dparameters_t parameters;
    library.opj_set_default_decoder_parameters(&parameters);
    parameters.cp_reduce = (OPJ_UINT32)jp2->reduction;
    library.opj_set_error_handler(jp2->codec, note_error, jp2);
    library.opj_set_warning_handler(jp2->codec, note_warning, jp2);
    if (!library.opj_setup_decoder(jp2->codec, &parameters)) return 0;
    library.opj_decoder_set_strict_mode(jp2->codec, OPJ_FALSE);
    // With several threads OpenJPEG 2.5.0 uses data of code blocks that it has left out because
    // their last segment is truncated (fixed later in OpenJPEG pull request 1536).
    long processors = jp2->ending.is_cut ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    library.opj_codec_set_threads(jp2->codec, processors > 0 ? (int)processors : 1);
    return 1;
}

static void read_layout(ccodecs_jp2 *jp2) {
    opj_codestream_info_v2_t *info = library.opj_get_cstr_info(jp2->codec);
    if (!info) return;
    jp2->tile_height = info->tdy > 0 && info->tdy <= INT32_MAX ? (int)info->tdy : 0;
    OPJ_UINT32 least = info->nbcomps > 0 ? OPJ_J2K_MAXRLVLS : 1;
    for (OPJ_UINT32 index = 0; index < info->nbcomps; index++) {
        OPJ_UINT32 count = info->m_default_tile_info.tccp_info[index].numresolutions;
        if (count < least) least = count;
    }
    // With another origin on the reference grid, sizes are rounded differently.
    int is_at_origin = jp2->image->x0 == 0 && jp2->image->y0 == 0;
    jp2->deepest_reduction = is_at_origin && least > 1 ? (int)least - 1 : 0;
    library.opj_destroy_cstr_info(&info);
}

/// Reads the header. Returns 0 without memory.
static int open_file(ccodecs_jp2 *jp2) {
    if (!open_stream(jp2) || !open_codec(jp2)) return 0;
    if (!library.opj_read_header(jp2->stream, jp2->codec, &jp2->image)) {
        fail(jp2, "the header cannot be read");
        return 1;
    }
    const opj_image_t *image = jp2->image;
    if (image->x1 <= image->x0 || image->y1 <= image->y0 || image->x1 - image->x0 > INT32_MAX ||
        image->y1 - image->y0 > INT32_MAX) {
        fail(jp2, "the image has no pixels");
        return 1;
    }
    jp2->whole_width = (int)(image->x1 - image->x0);
    jp2->whole_height = (int)(image->y1 - image->y0);
    read_layout(jp2);
    return 1;
}

static void close_file(ccodecs_jp2 *jp2) {
    if (jp2->image) library.opj_image_destroy(jp2->image);
    if (jp2->codec) library.opj_destroy_codec(jp2->codec);
    if (jp2->stream) library.opj_stream_destroy(jp2->stream);
    jp2->image = NULL;
    jp2->codec = NULL;
    jp2->stream = NULL;
}

static void ccodecs_jp2_destroy(ccodecs_jp2 *jp2) {
    if (!jp2) return;
    close_file(jp2);
    free(jp2);
}

static ccodecs_jp2 *ccodecs_jp2_create(
    const uint8_t *bytes, size_t length, int reduction, const ccodecs_jp2_ending *ending) {
    ccodecs_jp2 *jp2 = calloc(1, sizeof *jp2);
    if (!jp2) return NULL;
    jp2->bytes = bytes;
    jp2->reduction = reduction;
    jp2->ending.end = length;
    if (ending && ending->end <= length) {
        jp2->ending = *ending;
        jp2->end_length = sizeof end_of_codestream;
    }
    if (!open_file(jp2)) {
        ccodecs_jp2_destroy(jp2);
        return NULL;
    }
    return jp2;
}

static const char *ccodecs_jp2_message(const ccodecs_jp2 *jp2) { return jp2->message; }

static void ccodecs_jp2_size(const ccodecs_jp2 *jp2, int *width, int *height) {
    *width = jp2->whole_width;
    *height = jp2->whole_height;
}

static int ccodecs_jp2_deepest_reduction(const ccodecs_jp2 *jp2) { return jp2->deepest_reduction; }

static int ccodecs_jp2_tile_height(const ccodecs_jp2 *jp2) { return jp2->tile_height; }

/// Identifies the colour and alpha components. Returns 0 if the components are not supported.
static int identify_components(ccodecs_jp2 *jp2) {
    const opj_image_t *image = jp2->image;
    jp2->alpha = -1;
    for (OPJ_UINT32 index = 0; index < image->numcomps; index++) {
        const opj_image_comp_t *component = &image->comps[index];
        if (!component->data || component->w == 0 || component->h == 0 || component->prec == 0 ||
            component->prec > 31)
            return 0;
        if (component->prec > 8) jp2->is_deep = 1;
        if (component->alpha && jp2->alpha < 0) jp2->alpha = (int)index;
    }
    if (image->numcomps == 0) return 0;
    int color_count = (int)image->numcomps - (jp2->alpha >= 0);
    // If the file does not say what the last of two or four components is, it is taken as alpha.
    if (jp2->alpha < 0 &&
        (color_count == 2 || (color_count == 4 && image->color_space != OPJ_CLRSPC_CMYK))) {
        jp2->alpha = color_count - 1;
        color_count--;
    }
    // Alpha is supported only as the last component.
    if (jp2->alpha >= 0 && jp2->alpha != (int)image->numcomps - 1) jp2->alpha = -1;
    jp2->colors = color_count >= 3 ? 3 : 1;
    if (image->color_space == OPJ_CLRSPC_CMYK && color_count == 4) {
        // CMYK profiles have no use for 16 bits, and none for alpha.
        jp2->colors = 4;
        jp2->alpha = -1;
        jp2->is_deep = 0;
    }
    // The first component has a sample for each pixel, or all components are subsampled.
    jp2->width = (int)image->comps[0].w;
    jp2->height = (int)image->comps[0].h;
    return 1;
}

static void ccodecs_jp2_select_rows(ccodecs_jp2 *jp2, int first, int count) {
    jp2->first_row = first;
    jp2->row_count = count;
}

/// Limits decoding to the selected rows.
static int set_rows(ccodecs_jp2 *jp2) {
    const opj_image_t *image = jp2->image;
    if (jp2->row_count == 0) return 1;
    int64_t top = (int64_t)image->y0 + jp2->first_row, bottom = top + jp2->row_count;
    return image->x1 <= INT32_MAX && bottom <= INT32_MAX &&
           library.opj_set_decode_area(
               jp2->codec, jp2->image, (OPJ_INT32)image->x0, (OPJ_INT32)top, (OPJ_INT32)image->x1,
               (OPJ_INT32)bottom);
}

/// Returns 1 if the image was decoded, 0 on an error, -1 if the library was left by longjmp.
static int try_decoding(ccodecs_jp2 *jp2) {
    if (setjmp(jp2->escape)) {
        jp2->can_leave = 0;
        return -1;
    }
    jp2->can_leave = 1;
    OPJ_BOOL is_fine = library.opj_decode(jp2->codec, jp2->stream, jp2->image);
    jp2->can_leave = 0;
    return is_fine ? 1 : 0;
}

static int ccodecs_jp2_decode(ccodecs_jp2 *jp2) {
    jp2->warnings = 0;
    if (!set_rows(jp2)) return fail(jp2, "the selected rows cannot be decoded on their own");
    int is_fine = try_decoding(jp2);
    if (is_fine < 0 && jp2->ending.padding > 0) {
        // The library skips the truncated data. It may as well read zeros there, and empty packets
        // after it.
        jp2->padding = jp2->ending.padding;
        close_file(jp2);
        if (!open_file(jp2) || jp2->message[0] || !set_rows(jp2))
            return fail(jp2, "not enough memory");
        is_fine = try_decoding(jp2);
    }
    if (is_fine <= 0) return fail(jp2, "the pixels cannot be decoded");
    if (!identify_components(jp2)) return fail(jp2, "unsupported colour components");
    return 0;
}

static int ccodecs_jp2_is_complete(const ccodecs_jp2 *jp2) {
    return jp2->warnings == 0 && !jp2->message[0] && !jp2->ending.is_cut;
}

static void ccodecs_jp2_layout(
    const ccodecs_jp2 *jp2, int *width, int *height, int *samples, int *is_deep) {
    *width = jp2->width;
    *height = jp2->height;
    // Grey with alpha is returned as RGB with alpha.
    *samples = jp2->alpha >= 0 ? 4 : jp2->colors;
    *is_deep = jp2->is_deep;
}

static int ccodecs_jp2_is_cmyk(const ccodecs_jp2 *jp2) { return jp2->colors == 4; }

static const uint8_t *ccodecs_jp2_profile(const ccodecs_jp2 *jp2, size_t *length) {
    *length = jp2->image->icc_profile_len;
    return *length > 0 ? jp2->image->icc_profile_buf : NULL;
}

/// Sample of component `index`, scaled to 0…`most`. `x` and `y` are pixels of the image; the
/// component may be subsampled.
static int32_t sample_at(const ccodecs_jp2 *jp2, int index, int x, int y, int32_t most) {
    const opj_image_comp_t *component = &jp2->image->comps[index];
    const opj_image_comp_t *first = &jp2->image->comps[0];
    OPJ_UINT32 u = (OPJ_UINT32)x, v = (OPJ_UINT32)y;
    if (component->w != first->w) u = (OPJ_UINT32)((uint64_t)u * component->w / first->w);
    if (component->h != first->h) v = (OPJ_UINT32)((uint64_t)v * component->h / first->h);
    int64_t value = component->data[(size_t)v * component->w + u];
    int64_t full = (1LL << component->prec) - 1;
    if (component->sgnd) value += 1LL << (component->prec - 1);
    if (value < 0) value = 0;
    if (value > full) value = full;
    return full == most ? (int32_t)value : (int32_t)((value * most + full / 2) / full);
}

static int32_t clamped(double value, int32_t most) {
    return value <= 0 ? 0 : value >= most ? most : (int32_t)(value + 0.5);
}

/// Converts full-range YCbCr to RGB, as in IEC 61966-2-1, amendment 1.
static void convert(int32_t *samples, int32_t most) {
    double luma = samples[0], middle = (most + 1) / 2;
    double blue = samples[1] - middle, red = samples[2] - middle;
    samples[0] = clamped(luma + 1.402 * red, most);
    samples[1] = clamped(luma - 0.344136 * blue - 0.714136 * red, most);
    samples[2] = clamped(luma + 1.772 * blue, most);
}

static void ccodecs_jp2_read_row(const ccodecs_jp2 *jp2, int y, void *target) {
    const int32_t most = jp2->is_deep ? 65535 : 255;
    const int count = jp2->alpha >= 0 ? 4 : jp2->colors;
    const opj_image_t *image = jp2->image;
    // Codestreams without a colour space that subsample their chroma are YCbCr too.
    const int is_subsampled =
        jp2->colors == 3 && (image->comps[1].dx != image->comps[0].dx ||
                             image->comps[1].dy != image->comps[0].dy);
    const int is_ycc = jp2->colors == 3 && (image->color_space == OPJ_CLRSPC_SYCC ||
                                            (is_subsampled && image->color_space <= 0));
    for (int x = 0; x < jp2->width; x++) {
        int32_t samples[4];
        for (int sample = 0; sample < 4; sample++)
            samples[sample] = sample < jp2->colors ? sample_at(jp2, sample, x, y, most) : samples[0];
        // In missing tiles all samples are 0, which is not a colour.
        if (is_ycc && (samples[0] | samples[1] | samples[2])) convert(samples, most);
        if (jp2->alpha >= 0) samples[3] = sample_at(jp2, jp2->alpha, x, y, most);
        for (int sample = 0; sample < count; sample++) {
            if (jp2->is_deep)
                ((uint16_t *)target)[x * count + sample] = (uint16_t)samples[sample];
            else
                ((uint8_t *)target)[x * count + sample] = (uint8_t)samples[sample];
        }
    }
}

static const ccodecs_jp2_library functions = {
    .create = ccodecs_jp2_create,
    .destroy = ccodecs_jp2_destroy,
    .message = ccodecs_jp2_message,
    .size = ccodecs_jp2_size,
    .deepest_reduction = ccodecs_jp2_deepest_reduction,
    .tile_height = ccodecs_jp2_tile_height,
    .select_rows = ccodecs_jp2_select_rows,
    .decode = ccodecs_jp2_decode,
    .is_complete = ccodecs_jp2_is_complete,
    .layout = ccodecs_jp2_layout,
    .is_cmyk = ccodecs_jp2_is_cmyk,
    .profile = ccodecs_jp2_profile,
    .read_row = ccodecs_jp2_read_row,
};

const ccodecs_jp2_library *ccodecs_open_jp2(void) {
    return library_open() ? &functions : NULL;
}

#else

const ccodecs_jp2_library *ccodecs_open_jp2(void) { return NULL; }

#endif
