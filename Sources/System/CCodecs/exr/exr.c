#include "ccodecs_exr.h"

#if __has_include(<OpenEXR/openexr.h>)

#include <OpenEXR/OpenEXRConfig.h>
#include <OpenEXR/openexr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exr_pixels.h"
#include "cloader.h"

#define EXR(F)                                                                                     \
    F(exr_start_read)                                                                              \
    F(exr_finish)                                                                                  \
    F(exr_get_count)                                                                               \
    F(exr_get_storage)                                                                             \
    F(exr_get_channels)                                                                            \
    F(exr_get_data_window)                                                                         \
    F(exr_get_display_window)                                                                      \
    F(exr_attr_get_chromaticities)                                                                 \
    F(exr_get_chunk_unpacked_size)                                                                 \
    F(exr_get_scanlines_per_chunk)                                                                 \
    F(exr_get_tile_levels)                                                                         \
    F(exr_get_tile_sizes)                                                                          \
    F(exr_get_level_sizes)                                                                         \
    F(exr_read_scanline_chunk_info)                                                                \
    F(exr_read_tile_chunk_info)                                                                    \
    F(exr_decoding_initialize)                                                                     \
    F(exr_decoding_choose_default_routines)                                                        \
    F(exr_decoding_update)                                                                         \
    F(exr_decoding_run)                                                                            \
    F(exr_decoding_destroy)

/// The soname of the library that matches the headers, because structs differ between versions: for
/// example libOpenEXRCore-3_1.so.30, whose last number is the first number of the library's own
/// version.
static const char *soname(void) {
    static char name[64];
    snprintf(
        name, sizeof name, "libOpenEXRCore-%d_%d.so.%d", OPENEXR_VERSION_MAJOR,
        OPENEXR_VERSION_MINOR, atoi(OPENEXR_LIB_VERSION_STRING));
    return name;
}
CLOADER_LIBRARY(library, soname(), EXR)

/// Largest accepted chunk in bytes; no program writes larger ones.
#define LARGEST_CHUNK ((uint64_t)1 << 30)

struct ccodecs_exr {
    exr_context_t context;
    const uint8_t *bytes;
    size_t length;
    int part, is_tiled;
    exr_attr_box2i_t data;
    ccodecs_exr_picks picks;
    char message[256];
    /// Whether the library cannot decompress a chunk. Several threads set it.
    _Atomic int is_unsupported;
};

static int64_t read_bytes(
    exr_const_context_t context, void *user, void *target, uint64_t count, uint64_t offset,
    exr_stream_error_func_ptr_t report) {
    (void)context, (void)report;
    const ccodecs_exr *exr = user;
    if (offset >= exr->length) return 0;
    if (count > exr->length - offset) count = exr->length - offset;
    memcpy(target, exr->bytes + offset, count);
    return (int64_t)count;
}

static int64_t count_bytes(exr_const_context_t context, void *user) {
    (void)context;
    return (int64_t)((const ccodecs_exr *)user)->length;
}

/// Errors are returned as codes. Several threads may report errors at once.
static void ignore_error(exr_const_context_t context, exr_result_t code, const char *message) {
    (void)context, (void)code, (void)message;
}

static ccodecs_exr *refuse(ccodecs_exr *exr, const char *message) {
    snprintf(exr->message, sizeof exr->message, "%s", message);
    return exr;
}

/// Finds the first part with flat pixels (not deep ones). Returns 0 if there is none.
static int find_part(ccodecs_exr *exr) {
    int count = 0;
    if (library.exr_get_count(exr->context, &count) != EXR_ERR_SUCCESS) return 0;
    for (exr->part = 0; exr->part < count; exr->part++) {
        exr_storage_t storage;
        if (library.exr_get_storage(exr->context, exr->part, &storage) != EXR_ERR_SUCCESS) continue;
        exr->is_tiled = storage == EXR_STORAGE_TILED;
        if (exr->is_tiled || storage == EXR_STORAGE_SCANLINE) return 1;
    }
    return 0;
}

/// Number of pixels from `first` to `last`; 0 if the range is invalid.
static int span(int first, int last) {
    int64_t count = (int64_t)last - first + 1;
    return count > 0 && count <= INT32_MAX ? (int)count : 0;
}

static void read_windows(ccodecs_exr *exr, ccodecs_exr_info *info) {
    exr_attr_box2i_t display = exr->data;
    library.exr_get_display_window(exr->context, exr->part, &display);
    info->data_x = exr->data.min.x;
    info->data_y = exr->data.min.y;
    info->data_width = span(exr->data.min.x, exr->data.max.x);
    info->data_height = span(exr->data.min.y, exr->data.max.y);
    info->display_x = display.min.x;
    info->display_y = display.min.y;
    info->display_width = span(display.min.x, display.max.x);
    info->display_height = span(display.min.y, display.max.y);
}

static void read_chromaticities(ccodecs_exr *exr, ccodecs_exr_info *info) {
    exr_attr_chromaticities_t values;
    if (library.exr_attr_get_chromaticities(
            exr->context, exr->part, "chromaticities", &values) != EXR_ERR_SUCCESS)
        return;
    const float all[] = {values.red_x,  values.red_y,  values.green_x, values.green_y,
                         values.blue_x, values.blue_y, values.white_x, values.white_y};
    memcpy(info->chromaticities, all, sizeof all);
}

static ccodecs_exr *ccodecs_exr_create(
    const uint8_t *bytes, size_t length, ccodecs_exr_info *info) {
    memset(info, 0, sizeof *info);
    ccodecs_exr *exr = calloc(1, sizeof *exr);
    if (!exr) return NULL;
    exr->bytes = bytes;
    exr->length = length;
    exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
    start.error_handler_fn = ignore_error;
    start.user_data = exr;
    start.read_fn = read_bytes;
    start.size_fn = count_bytes;
    if (library.exr_start_read(&exr->context, "picture", &start) != EXR_ERR_SUCCESS)
        return refuse(exr, "the header cannot be read");
    if (!find_part(exr)) return refuse(exr, "deep pixel data is not supported");
    const exr_attr_chlist_t *channels;
    uint64_t largest = 0;
    if (library.exr_get_data_window(exr->context, exr->part, &exr->data) != EXR_ERR_SUCCESS ||
        library.exr_get_channels(exr->context, exr->part, &channels) != EXR_ERR_SUCCESS)
        return refuse(exr, "the header lacks the data window or the channels");
    if (library.exr_get_chunk_unpacked_size(exr->context, exr->part, &largest) !=
            EXR_ERR_SUCCESS ||
        largest > LARGEST_CHUNK)
        return refuse(exr, "the chunk size is invalid or too large");
    if (!ccodecs_exr_pick(channels, &exr->picks))
        return refuse(exr, "no channels that can be shown");
    info->has_alpha = exr->picks.samples == 4;
    read_windows(exr, info);
    if (info->data_width == 0 || info->display_width == 0 || info->data_height == 0 ||
        info->display_height == 0)
        return refuse(exr, "the image has no pixels");
    read_chromaticities(exr, info);
    return exr;
}

static void ccodecs_exr_destroy(ccodecs_exr *exr) {
    if (!exr) return;
    if (exr->context) library.exr_finish(&exr->context);
    free(exr);
}

static const char *ccodecs_exr_message(const ccodecs_exr *exr) { return exr->message; }

static int ccodecs_exr_level_size(const ccodecs_exr *exr, int mip_level, int *width, int *height) {
    *width = span(exr->data.min.x, exr->data.max.x);
    *height = span(exr->data.min.y, exr->data.max.y);
    if (mip_level == 0) return 1;
    int32_t across, down;
    return exr->is_tiled &&
           library.exr_get_tile_levels(exr->context, exr->part, &across, &down) ==
               EXR_ERR_SUCCESS &&
           mip_level < across && mip_level < down &&
           library.exr_get_level_sizes(
               exr->context, exr->part, mip_level, mip_level, width, height) == EXR_ERR_SUCCESS;
}

/// How a mip level is divided into chunks.
typedef struct grid {
    int width, height, across, down, chunk_width, chunk_height;
} grid;

/// Returns 0 if the file has no such mip level.
static int divide(const ccodecs_exr *exr, int mip_level, grid *grid) {
    int32_t width = 0, height = 0;
    if (!ccodecs_exr_level_size(exr, mip_level, &grid->width, &grid->height)) return 0;
    if (exr->is_tiled) {
        if (library.exr_get_tile_sizes(
                exr->context, exr->part, mip_level, mip_level, &width, &height) != EXR_ERR_SUCCESS)
            return 0;
    } else {
        width = grid->width;
        if (library.exr_get_scanlines_per_chunk(exr->context, exr->part, &height) !=
            EXR_ERR_SUCCESS)
            return 0;
    }
    if (width <= 0 || height <= 0 || grid->width <= 0 || grid->height <= 0) return 0;
    grid->chunk_width = width;
    grid->chunk_height = height;
    grid->across = (grid->width - 1) / width + 1;
    grid->down = (grid->height - 1) / height + 1;
    return grid->across <= INT32_MAX / grid->down;
}

static int ccodecs_exr_chunks(const ccodecs_exr *exr, int mip_level) {
    grid grid;
    return divide(exr, mip_level, &grid) ? grid.across * grid.down : 0;
}

/// Finds a chunk in the file.
static exr_result_t find_chunk(
    const ccodecs_exr *exr, int mip_level, int column, int row, int y, exr_chunk_info_t *chunk) {
    if (exr->is_tiled)
        return library.exr_read_tile_chunk_info(
            exr->context, exr->part, column, row, mip_level, mip_level, chunk);
    return library.exr_read_scanline_chunk_info(exr->context, exr->part, exr->data.min.y + y, chunk);
}

/// Called by the library with a chunk that is decompressed, in file order.
static exr_result_t put(exr_decode_pipeline_t *pipeline) {
    return ccodecs_exr_put(
               pipeline->decoding_user_data, pipeline->channels, pipeline->channel_count,
               pipeline->unpacked_buffer, pipeline->chunk.unpacked_size)
               ? EXR_ERR_SUCCESS
               : EXR_ERR_CORRUPT_CHUNK;
}

static int ccodecs_exr_decode(ccodecs_exr *exr, int mip_level, int first, int end, float *pixels) {
    grid grid;
    if (!divide(exr, mip_level, &grid)) return end - first;
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    int is_begun = 0, missing = 0;
    for (int number = first; number < end; number++) {
        int column = number % grid.across, row = number / grid.across;
        ccodecs_exr_target target = {
            .picks = &exr->picks,
            .pixels = pixels,
            .width = grid.width,
            .height = grid.height,
            .x = column * grid.chunk_width,
            .y = row * grid.chunk_height,
            .origin_y = exr->is_tiled ? 0 : exr->data.min.y,
        };
        exr_chunk_info_t chunk;
        exr_result_t code = find_chunk(exr, mip_level, column, row, target.y, &chunk);
        if (code == EXR_ERR_SUCCESS)
            code = (is_begun ? library.exr_decoding_update : library.exr_decoding_initialize)(
                exr->context, exr->part, &chunk, &pipeline);
        if (code == EXR_ERR_SUCCESS && !is_begun) {
            is_begun = 1;
            code = library.exr_decoding_choose_default_routines(exr->context, exr->part, &pipeline);
        }
        if (code == EXR_ERR_SUCCESS) {
            target.rows = chunk.height;
            pipeline.decoding_user_data = &target;
            pipeline.unpack_and_convert_fn = put;
            code = library.exr_decoding_run(exr->context, exr->part, &pipeline);
        }
        if (code == EXR_ERR_FEATURE_NOT_IMPLEMENTED) exr->is_unsupported = 1;
        if (code != EXR_ERR_SUCCESS) missing++;
    }
    if (is_begun) library.exr_decoding_destroy(exr->context, &pipeline);
    return missing;
}

static int ccodecs_exr_is_compression_unsupported(const ccodecs_exr *exr) {
    return exr->is_unsupported;
}

static void ccodecs_exr_finish(
    const ccodecs_exr *exr, int mip_level, const double *weights, float *pixels) {
    int width, height;
    if (ccodecs_exr_level_size(exr, mip_level, &width, &height))
        ccodecs_exr_make_colors(&exr->picks, weights, pixels, (size_t)width, (size_t)height);
}

static const ccodecs_exr_library functions = {
    .create = ccodecs_exr_create,
    .destroy = ccodecs_exr_destroy,
    .message = ccodecs_exr_message,
    .level_size = ccodecs_exr_level_size,
    .chunks = ccodecs_exr_chunks,
    .decode = ccodecs_exr_decode,
    .is_compression_unsupported = ccodecs_exr_is_compression_unsupported,
    .finish = ccodecs_exr_finish,
};

const ccodecs_exr_library *ccodecs_open_exr(void) {
    return library_open() ? &functions : NULL;
}

#else

const ccodecs_exr_library *ccodecs_open_exr(void) { return NULL; }

#endif
