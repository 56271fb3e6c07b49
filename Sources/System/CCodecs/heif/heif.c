#include "ccodecs_heif.h"

#if __has_include(<libheif/heif.h>)

#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cloader.h"

#define HEIF(F)                                                                                    \
    F(heif_have_decoder_for_format)                                                                \
    F(heif_context_alloc)                                                                          \
    F(heif_context_free)                                                                           \
    F(heif_context_read_from_memory_without_copy)                                                  \
    F(heif_context_set_max_decoding_threads)                                                       \
    F(heif_context_get_primary_image_handle)                                                       \
    F(heif_image_handle_release)                                                                   \
    F(heif_image_handle_get_width)                                                                 \
    F(heif_image_handle_get_height)                                                                \
    F(heif_image_handle_has_alpha_channel)                                                         \
    F(heif_image_handle_is_premultiplied_alpha)                                                    \
    F(heif_image_handle_get_luma_bits_per_pixel)                                                   \
    F(heif_image_handle_get_list_of_metadata_block_IDs)                                            \
    F(heif_image_handle_get_metadata_size)                                                         \
    F(heif_image_handle_get_metadata)                                                              \
    F(heif_image_handle_get_raw_color_profile_size)                                                \
    F(heif_image_handle_get_raw_color_profile)                                                     \
    F(heif_image_handle_get_nclx_color_profile)                                                    \
    F(heif_nclx_color_profile_free)                                                                \
    F(heif_image_get_nclx_color_profile)                                                           \
    F(heif_decode_image)                                                                           \
    F(heif_image_get_primary_width)                                                                \
    F(heif_image_get_primary_height)                                                               \
    F(heif_image_get_width)                                                                        \
    F(heif_image_get_height)                                                                       \
    F(heif_image_get_bits_per_pixel_range)                                                         \
    F(heif_image_get_plane_readonly)                                                               \
    F(heif_image_get_decoding_warnings)                                                            \
    F(heif_image_release)
CLOADER_LIBRARY(library, "libheif.so.1", HEIF)

static int ccodecs_heif_decodes(enum ccodecs_heif_kind kind) {
    return library.heif_have_decoder_for_format(
        kind == CCODECS_HEIF_AV1 ? heif_compression_AV1 : heif_compression_HEVC);
}

/// A decoded plane of one channel. Samples of more than 8 bits take two bytes, the lower byte
/// first.
struct plane {
    const uint8_t *bytes;
    int stride, bits;
};

struct ccodecs_heif {
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_image *image;
    /// Red, green, blue and alpha; alpha has no bytes if the image has no alpha.
    struct plane planes[4];
    int has_alpha, is_premultiplied, is_cut_short;
    char message[256];
};

/// Records an error. Returns 1 if there was one.
static int failed(ccodecs_heif *heif, struct heif_error error) {
    if (error.code == heif_error_Ok) return 0;
    heif->is_cut_short = error.subcode == heif_suberror_End_of_data;
    snprintf(heif->message, sizeof heif->message, "%s", error.message ? error.message : "unknown");
    return 1;
}

static ccodecs_heif *ccodecs_heif_create(const uint8_t *bytes, size_t length) {
    ccodecs_heif *heif = calloc(1, sizeof *heif);
    if (!heif) return NULL;
    heif->context = library.heif_context_alloc();
    if (!heif->context) {
        free(heif);
        return NULL;
    }
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    library.heif_context_set_max_decoding_threads(
        heif->context, processors > 0 ? (int)processors : 1);
    if (failed(
            heif, library.heif_context_read_from_memory_without_copy(
                      heif->context, bytes, length, NULL)) ||
        failed(heif, library.heif_context_get_primary_image_handle(heif->context, &heif->handle)))
        return heif;
    heif->has_alpha = library.heif_image_handle_has_alpha_channel(heif->handle);
    heif->is_premultiplied = library.heif_image_handle_is_premultiplied_alpha(heif->handle);
    return heif;
}

static void ccodecs_heif_destroy(ccodecs_heif *heif) {
    if (!heif) return;
    if (heif->image) library.heif_image_release(heif->image);
    if (heif->handle) library.heif_image_handle_release(heif->handle);
    library.heif_context_free(heif->context);
    free(heif);
}

static const char *ccodecs_heif_message(const ccodecs_heif *heif) { return heif->message; }

static int ccodecs_heif_is_cut_short(const ccodecs_heif *heif) { return heif->is_cut_short; }

static void ccodecs_heif_size(const ccodecs_heif *heif, int *width, int *height) {
    *width = library.heif_image_handle_get_width(heif->handle);
    *height = library.heif_image_handle_get_height(heif->handle);
}

static int ccodecs_heif_has_alpha(const ccodecs_heif *heif) { return heif->has_alpha; }

static int ccodecs_heif_bits(const ccodecs_heif *heif) {
    return library.heif_image_handle_get_luma_bits_per_pixel(heif->handle);
}

static size_t ccodecs_heif_profile(const ccodecs_heif *heif, uint8_t *target) {
    size_t length = library.heif_image_handle_get_raw_color_profile_size(heif->handle);
    if (target && length > 0 &&
        library.heif_image_handle_get_raw_color_profile(heif->handle, target).code != heif_error_Ok)
        return 0;
    return length;
}

static int ccodecs_heif_code_points(const ccodecs_heif *heif, int *primaries, int *transfer) {
    struct heif_color_profile_nclx *profile = NULL;
    struct heif_error error =
        library.heif_image_handle_get_nclx_color_profile(heif->handle, &profile);
    if (error.code != heif_error_Ok && heif->image) {
        // There may be a profile in spite of the error, if a code point is unknown.
        if (profile) library.heif_nclx_color_profile_free(profile);
        profile = NULL;
        error = library.heif_image_get_nclx_color_profile(heif->image, &profile);
    }
    int is_known = error.code == heif_error_Ok && profile;
    if (is_known) {
        *primaries = (int)profile->color_primaries;
        *transfer = (int)profile->transfer_characteristics;
    }
    if (profile) library.heif_nclx_color_profile_free(profile);
    return is_known;
}

static int ccodecs_heif_is_rgb(const ccodecs_heif *heif) {
    struct heif_color_profile_nclx *profile = NULL;
    library.heif_image_handle_get_nclx_color_profile(heif->handle, &profile);
    if (!profile) return 0;
    int is_rgb = profile->matrix_coefficients == heif_matrix_coefficients_RGB_GBR ||
                 profile->matrix_coefficients == heif_matrix_coefficients_YCgCo;
    library.heif_nclx_color_profile_free(profile);
    return is_rgb;
}

static size_t ccodecs_heif_exif(const ccodecs_heif *heif, uint8_t *target) {
    heif_item_id id;
    if (library.heif_image_handle_get_list_of_metadata_block_IDs(heif->handle, "Exif", &id, 1) < 1)
        return 0;
    size_t length = library.heif_image_handle_get_metadata_size(heif->handle, id);
    if (target && library.heif_image_handle_get_metadata(heif->handle, id, target).code !=
                      heif_error_Ok)
        return 0;
    return length;
}

/// Whether a plane has the size of the image. Alpha is an image of its own and may differ.
static int fills(const ccodecs_heif *heif, enum heif_channel channel) {
    return library.heif_image_get_width(heif->image, channel) ==
               library.heif_image_get_primary_width(heif->image) &&
           library.heif_image_get_height(heif->image, channel) ==
               library.heif_image_get_primary_height(heif->image);
}

/// Finds the planes of the decoded image. A grey image has a single plane for red, green and blue.
/// Returns 0 if a plane is missing or unsupported.
static int find_planes(ccodecs_heif *heif, int is_gray) {
    const enum heif_channel channels[2][4] = {
        {heif_channel_R, heif_channel_G, heif_channel_B, heif_channel_Alpha},
        {heif_channel_Y, heif_channel_Y, heif_channel_Y, heif_channel_Alpha},
    };
    for (int sample = 0; sample < 3 + heif->has_alpha; sample++) {
        enum heif_channel channel = channels[is_gray][sample];
        struct plane *plane = &heif->planes[sample];
        plane->bytes = library.heif_image_get_plane_readonly(heif->image, channel, &plane->stride);
        plane->bits = library.heif_image_get_bits_per_pixel_range(heif->image, channel);
        if (!plane->bytes || plane->bits < 8 || plane->bits > 16 || !fills(heif, channel)) return 0;
    }
    return 1;
}

static int ccodecs_heif_decode(ccodecs_heif *heif) {
    // Ask for planes, which is how the library converts colours. Interleaved pixels would take one
    // pass more.
    struct heif_error error = library.heif_decode_image(
        heif->handle, &heif->image, heif_colorspace_RGB, heif_chroma_444, NULL);
    int is_gray = error.code == heif_error_Unsupported_feature &&
                  error.subcode == heif_suberror_Unsupported_color_conversion;
    // The library cannot convert grey of high bit depth to RGB.
    if (is_gray)
        error = library.heif_decode_image(
            heif->handle, &heif->image, heif_colorspace_monochrome, heif_chroma_monochrome, NULL);
    if (failed(heif, error)) return -1;
    int width, height;
    ccodecs_heif_size(heif, &width, &height);
    if (library.heif_image_get_primary_width(heif->image) != width ||
        library.heif_image_get_primary_height(heif->image) != height ||
        !find_planes(heif, is_gray)) {
        snprintf(heif->message, sizeof heif->message, "the decoded image differs from the header");
        return -1;
    }
    return 0;
}

static int ccodecs_heif_is_complete(const ccodecs_heif *heif) {
    return library.heif_image_get_decoding_warnings(heif->image, 0, NULL, 0) == 0;
}

/// A sample scaled to 16 bits.
static uint32_t deep_sample(const struct plane *plane, int x, int y) {
    const uint8_t *place = plane->bytes + (size_t)y * (size_t)plane->stride;
    if (plane->bits == 8) return place[x] * 257u;
    place += 2 * (size_t)x;
    uint32_t value = (uint32_t)(place[0] | place[1] << 8) & ((1u << plane->bits) - 1);
    return value << (16 - plane->bits) | value >> (2 * plane->bits - 16);
}

static void unpremultiply(uint32_t *samples) {
    uint32_t alpha = samples[3];
    for (int sample = 0; sample < 3; sample++) {
        uint64_t value = alpha ? ((uint64_t)samples[sample] * 65535 + alpha / 2) / alpha : 0;
        samples[sample] = value > 65535 ? 65535 : (uint32_t)value;
    }
}

/// Whether 8-bit rows can be copied without conversion of the samples.
static int is_plain(const ccodecs_heif *heif) {
    for (int sample = 0; sample < 3 + heif->has_alpha; sample++)
        if (heif->planes[sample].bits != 8) return 0;
    return !(heif->has_alpha && heif->is_premultiplied);
}

static const uint8_t *row(const struct plane *plane, int y) {
    return plane->bytes + (size_t)y * (size_t)plane->stride;
}

static uint32_t opaque_pixel(uint32_t red, uint32_t green, uint32_t blue) {
    return 0xFF000000 | red << 16 | green << 8 | blue;
}

static void ccodecs_heif_read_row(
    const ccodecs_heif *heif, int y, enum ccodecs_heif_samples samples, void *target) {
    int width = library.heif_image_get_primary_width(heif->image);
    int count = 3 + heif->has_alpha;
    uint32_t *pixels = target;
    uint8_t *bytes = target;
    uint16_t *deep = target;
    if (samples != CCODECS_HEIF_16 && is_plain(heif)) {
        const uint8_t *red = row(&heif->planes[0], y), *green = row(&heif->planes[1], y),
                      *blue = row(&heif->planes[2], y);
        if (samples == CCODECS_HEIF_BGRX8) {
            for (int x = 0; x < width; x++) pixels[x] = opaque_pixel(red[x], green[x], blue[x]);
            return;
        }
        for (int sample = 0; sample < count; sample++) {
            const uint8_t *source = row(&heif->planes[sample], y);
            for (int x = 0; x < width; x++) bytes[x * count + sample] = source[x];
        }
        return;
    }
    for (int x = 0; x < width; x++) {
        uint32_t values[4] = {0};
        for (int sample = 0; sample < count; sample++)
            values[sample] = deep_sample(&heif->planes[sample], x, y);
        if (heif->is_premultiplied && heif->has_alpha) unpremultiply(values);
        for (int sample = 0; sample < count; sample++) {
            if (samples == CCODECS_HEIF_16)
                deep[x * count + sample] = (uint16_t)values[sample];
            else
                values[sample] = (values[sample] * 255 + 32767) / 65535;
            if (samples == CCODECS_HEIF_8) bytes[x * count + sample] = (uint8_t)values[sample];
        }
        if (samples == CCODECS_HEIF_BGRX8)
            pixels[x] = opaque_pixel(values[0], values[1], values[2]);
    }
}

static int ccodecs_heif_has_bytes(const ccodecs_heif *heif) { return is_plain(heif); }

/// Weights of red, green and blue in 1/32768: those of luma, Cb and Cr. The sum of those of luma is 32768,
/// so that samples of 16 bits fit into 32 bits; the others have a sum of 0.
enum { LUMA_RED = 9798, LUMA_GREEN = 19235, LUMA_BLUE = 3735 };
enum { CB_RED = -5529, CB_GREEN = -10855, CR_GREEN = -13720, CR_BLUE = -2664, CHROMA = 16384 };

static int32_t luma(int32_t red, int32_t green, int32_t blue) {
    return (LUMA_RED * red + LUMA_GREEN * green + LUMA_BLUE * blue + (1 << 14)) >> 15;
}

static void ccodecs_heif_read_luma(const ccodecs_heif *heif, int y, void *target) {
    int width = library.heif_image_get_primary_width(heif->image);
    if (is_plain(heif)) {
        const uint8_t *red = row(&heif->planes[0], y), *green = row(&heif->planes[1], y),
                      *blue = row(&heif->planes[2], y);
        uint8_t *bytes = target;
        for (int x = 0; x < width; x++) bytes[x] = (uint8_t)luma(red[x], green[x], blue[x]);
        return;
    }
    uint16_t *deep = target;
    for (int x = 0; x < width; x++)
        deep[x] = (uint16_t)luma(
            (int32_t)deep_sample(&heif->planes[0], x, y),
            (int32_t)deep_sample(&heif->planes[1], x, y),
            (int32_t)deep_sample(&heif->planes[2], x, y));
}

/// A chroma sample of means of `depth` bits, within its range.
static int32_t chroma(int32_t value, int depth) {
    int32_t most = (1 << depth) - 1;
    // 128 in bytes, and what dithering reduces to exactly that in 16 bits.
    int32_t sample = ((value + (1 << 14)) >> 15) + (depth == 8 ? 128 : 128 * 257);
    return sample < 0 ? 0 : sample > most ? most : sample;
}

/// The sum of the samples of a plane that a chroma sample stands for. Beyond the last column and row, these
/// are repeated.
static uint32_t sum(
    const struct plane *plane, int is_byte, int left, int right, int top, int bottom) {
    if (is_byte) {
        const uint8_t *upper = row(plane, top), *lower = row(plane, bottom);
        return (uint32_t)(upper[left] + upper[right] + lower[left] + lower[right]);
    }
    return deep_sample(plane, left, top) + deep_sample(plane, right, top) +
           deep_sample(plane, left, bottom) + deep_sample(plane, right, bottom);
}

static void ccodecs_heif_read_chroma(
    const ccodecs_heif *heif, int y, int column_shift, int row_shift, void *target) {
    int width = library.heif_image_get_primary_width(heif->image);
    int height = library.heif_image_get_primary_height(heif->image);
    int is_byte = is_plain(heif), depth = is_byte ? 8 : 16;
    int top = y << row_shift, bottom = top + row_shift < height ? top + row_shift : top;
    uint8_t *bytes = target;
    uint16_t *deep = target;
    for (int x = 0; x < (width + column_shift) >> column_shift; x++) {
        int left = x << column_shift;
        int right = left + column_shift < width ? left + column_shift : left;
        int32_t means[3];
        for (int sample = 0; sample < 3; sample++)
            means[sample] = (int32_t)(
                (sum(&heif->planes[sample], is_byte, left, right, top, bottom) + 2) / 4);
        int32_t red = means[0], green = means[1], blue = means[2];
        int32_t cb = chroma(CB_RED * red + CB_GREEN * green + CHROMA * blue, depth);
        int32_t cr = chroma(CHROMA * red + CR_GREEN * green + CR_BLUE * blue, depth);
        if (is_byte) {
            bytes[2 * x] = (uint8_t)cb;
            bytes[2 * x + 1] = (uint8_t)cr;
        } else {
            deep[2 * x] = (uint16_t)cb;
            deep[2 * x + 1] = (uint16_t)cr;
        }
    }
}

static const ccodecs_heif_library functions = {
    .decodes = ccodecs_heif_decodes,
    .create = ccodecs_heif_create,
    .destroy = ccodecs_heif_destroy,
    .message = ccodecs_heif_message,
    .is_cut_short = ccodecs_heif_is_cut_short,
    .size = ccodecs_heif_size,
    .has_alpha = ccodecs_heif_has_alpha,
    .bits = ccodecs_heif_bits,
    .profile = ccodecs_heif_profile,
    .code_points = ccodecs_heif_code_points,
    .is_rgb = ccodecs_heif_is_rgb,
    .exif = ccodecs_heif_exif,
    .decode = ccodecs_heif_decode,
    .is_complete = ccodecs_heif_is_complete,
    .read_row = ccodecs_heif_read_row,
    .has_bytes = ccodecs_heif_has_bytes,
    .read_luma = ccodecs_heif_read_luma,
    .read_chroma = ccodecs_heif_read_chroma,
};

const ccodecs_heif_library *ccodecs_open_heif(void) {
    return library_open() ? &functions : NULL;
}

#else

const ccodecs_heif_library *ccodecs_open_heif(void) { return NULL; }

#endif
