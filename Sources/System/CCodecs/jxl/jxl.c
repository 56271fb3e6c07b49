#include "ccodecs_jxl.h"

#if __has_include(<jxl/decode.h>) && __has_include(<jxl/thread_parallel_runner.h>)

#include <jxl/decode.h>
#include <jxl/thread_parallel_runner.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cloader.h"

/// The versions of the library that this code knows, newest first: a program that was built with one of
/// them works with any. Their structs are the same, and version 0.9 has taken a parameter out of three
/// functions.
static const struct version {
    const char *soname, *threads_soname;
    int has_format_parameter;
} versions[] = {
    {"libjxl.so.0.11", "libjxl_threads.so.0.11", 0},
    {"libjxl.so.0.10", "libjxl_threads.so.0.10", 0},
    {"libjxl.so.0.9", "libjxl_threads.so.0.9", 0},
    {"libjxl.so.0.8", "libjxl_threads.so.0.8", 1},
    {"libjxl.so.0.7", "libjxl_threads.so.0.7", 1},
};

/// The version that is open; the library is opened once, and before the library of threads.
static const struct version *version;

/// Chooses the newest version that is installed; the oldest one if none is.
static const char *choose(void) {
    const struct version *oldest = versions + sizeof versions / sizeof *versions - 1;
    for (version = versions; version < oldest && !cloader_exists(version->soname);) version++;
    return version->soname;
}

#define JXL(F)                                                                                     \
    F(JxlDecoderCreate)                                                                            \
    F(JxlDecoderDestroy)                                                                           \
    F(JxlDecoderReset)                                                                             \
    F(JxlDecoderSetParallelRunner)                                                                 \
    F(JxlDecoderSubscribeEvents)                                                                   \
    F(JxlDecoderSetUnpremultiplyAlpha)                                                             \
    F(JxlDecoderProcessInput)                                                                      \
    F(JxlDecoderSetInput)                                                                          \
    F(JxlDecoderGetBasicInfo)                                                                      \
    F(JxlDecoderGetColorAsEncodedProfile)                                                          \
    F(JxlDecoderGetICCProfileSize)                                                                 \
    F(JxlDecoderGetColorAsICCProfile)                                                              \
    F(JxlDecoderGetFrameHeader)                                                                    \
    F(JxlDecoderImageOutBufferSize)                                                                \
    F(JxlDecoderSetImageOutBuffer)                                                                 \
    F(JxlDecoderSetMultithreadedImageOutCallback)                                                  \
    F(JxlDecoderFlushImage)                                                                        \
    F(JxlDecoderSetDecompressBoxes)                                                                \
    F(JxlDecoderSetBoxBuffer)                                                                      \
    F(JxlDecoderReleaseBoxBuffer)
CLOADER_LIBRARY(library, choose(), JXL)

#define THREADS(F)                                                                                 \
    F(JxlThreadParallelRunner)                                                                     \
    F(JxlThreadParallelRunnerCreate)                                                               \
    F(JxlThreadParallelRunnerDestroy)
CLOADER_LIBRARY(threads, version->threads_soname, THREADS)

struct ccodecs_jxl {
    JxlDecoder *decoder;
    void *runner;
    const uint8_t *bytes;
    size_t length;
    size_t width, height;
    JxlAnimationHeader ticks;
    double duration;
};

/// Sets up a new or reset decoder for the file. Returns 1 on success.
static int set_up(ccodecs_jxl *jxl) {
    const int events =
        JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME | JXL_DEC_FULL_IMAGE;
    return library.JxlDecoderSetParallelRunner(
               jxl->decoder, threads.JxlThreadParallelRunner, jxl->runner) == JXL_DEC_SUCCESS &&
           library.JxlDecoderSubscribeEvents(jxl->decoder, events) == JXL_DEC_SUCCESS &&
           library.JxlDecoderSetUnpremultiplyAlpha(jxl->decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
           library.JxlDecoderSetInput(jxl->decoder, jxl->bytes, jxl->length) == JXL_DEC_SUCCESS;
}

static void ccodecs_jxl_destroy(ccodecs_jxl *jxl) {
    if (!jxl) return;
    if (jxl->decoder) library.JxlDecoderDestroy(jxl->decoder);
    if (jxl->runner) threads.JxlThreadParallelRunnerDestroy(jxl->runner);
    free(jxl);
}

static ccodecs_jxl *ccodecs_jxl_create(const uint8_t *bytes, size_t length) {
    ccodecs_jxl *jxl = calloc(1, sizeof *jxl);
    if (!jxl) return NULL;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    jxl->bytes = bytes;
    jxl->length = length;
    jxl->decoder = library.JxlDecoderCreate(NULL);
    jxl->runner =
        threads.JxlThreadParallelRunnerCreate(NULL, processors > 0 ? (size_t)processors : 1);
    if (!jxl->decoder || !jxl->runner || !set_up(jxl)) {
        ccodecs_jxl_destroy(jxl);
        return NULL;
    }
    return jxl;
}

/// Decodes until the next event. Records the duration of a frame that begins.
static JxlDecoderStatus step(ccodecs_jxl *jxl, int *is_last) {
    JxlDecoderStatus status = library.JxlDecoderProcessInput(jxl->decoder);
    JxlFrameHeader header;
    if (status == JXL_DEC_FRAME &&
        library.JxlDecoderGetFrameHeader(jxl->decoder, &header) == JXL_DEC_SUCCESS) {
        *is_last = header.is_last;
        if (jxl->ticks.tps_numerator > 0)
            jxl->duration = 1000.0 * header.duration * jxl->ticks.tps_denominator /
                            jxl->ticks.tps_numerator;
    }
    return status;
}

/// The result for a status of `step` that ends decoding.
static enum ccodecs_jxl_status ending(JxlDecoderStatus status) {
    if (status == JXL_DEC_SUCCESS) return CCODECS_JXL_NO_MORE_FRAMES;
    return status == JXL_DEC_NEED_MORE_INPUT ? CCODECS_JXL_CUT_SHORT : CCODECS_JXL_DAMAGED;
}

/// Calls one of the three functions whose parameter of a pixel format version 0.9 has taken out.
#define WITHOUT_FORMAT(name, parameters, arguments)                                                \
    ((JxlDecoderStatus(*)(const JxlDecoder *, JxlColorProfileTarget, UNPACK parameters))(          \
        void *)library.name)(decoder, JXL_COLOR_PROFILE_TARGET_DATA, UNPACK arguments)
#define WITH_FORMAT(name, parameters, arguments)                                                   \
    ((JxlDecoderStatus(*)(                                                                         \
        const JxlDecoder *, const JxlPixelFormat *, JxlColorProfileTarget, UNPACK parameters))(    \
        void *)library.name)(decoder, NULL, JXL_COLOR_PROFILE_TARGET_DATA, UNPACK arguments)
#define UNPACK(...) __VA_ARGS__
#define OF_DATA(name, parameters, arguments)                                                       \
    (version->has_format_parameter ? WITH_FORMAT(name, parameters, arguments)                  \
                                       : WITHOUT_FORMAT(name, parameters, arguments)) ==           \
        JXL_DEC_SUCCESS

static int color_of_data(const JxlDecoder *decoder, JxlColorEncoding *color) {
    return OF_DATA(JxlDecoderGetColorAsEncodedProfile, (JxlColorEncoding *), (color));
}

static int profile_size_of_data(const JxlDecoder *decoder, size_t *size) {
    return OF_DATA(JxlDecoderGetICCProfileSize, (size_t *), (size));
}

static int profile_of_data(const JxlDecoder *decoder, uint8_t *target, size_t size) {
    return OF_DATA(JxlDecoderGetColorAsICCProfile, (uint8_t *, size_t), (target, size));
}

static void read_colors(const ccodecs_jxl *jxl, ccodecs_jxl_info *info) {
    JxlColorEncoding color;
    if (!color_of_data(jxl->decoder, &color)) return;
    info->transfer = (int)color.transfer_function;
    info->gamma = color.transfer_function == JXL_TRANSFER_FUNCTION_GAMMA ? color.gamma : 0;
    const double *places[] = {
        color.white_point_xy, color.primaries_red_xy, color.primaries_green_xy,
        color.primaries_blue_xy};
    for (int place = 0; place < 4; place++)
        memcpy(info->chromaticities + 2 * place, places[place], 2 * sizeof(double));
}

static enum ccodecs_jxl_status ccodecs_jxl_read_info(ccodecs_jxl *jxl, ccodecs_jxl_info *info) {
    int is_last = 1;
    JxlDecoderStatus status;
    while ((status = step(jxl, &is_last)) != JXL_DEC_COLOR_ENCODING)
        if (status != JXL_DEC_BASIC_INFO) return ending(status);
    JxlBasicInfo basic;
    if (library.JxlDecoderGetBasicInfo(jxl->decoder, &basic) != JXL_DEC_SUCCESS ||
        basic.xsize > INT32_MAX || basic.ysize > INT32_MAX)
        return CCODECS_JXL_DAMAGED;
    jxl->ticks = basic.animation;
    jxl->width = basic.xsize;
    jxl->height = basic.ysize;
    *info = (ccodecs_jxl_info){
        .width = (int)basic.xsize,
        .height = (int)basic.ysize,
        .bits = (int)basic.bits_per_sample,
        .is_float = basic.exponent_bits_per_sample > 0,
        .is_gray = basic.num_color_channels == 1,
        .has_alpha = basic.alpha_bits > 0,
        .is_lossless = basic.uses_original_profile != JXL_FALSE,
        .loops = basic.have_animation ? (int)basic.animation.num_loops : 0,
    };
    read_colors(jxl, info);
    if (basic.have_animation && step(jxl, &is_last) == JXL_DEC_FRAME) info->is_animated = !is_last;
    return CCODECS_JXL_FINE;
}

static size_t ccodecs_jxl_profile(const ccodecs_jxl *jxl, uint8_t *target) {
    size_t size = 0;
    if (!profile_size_of_data(jxl->decoder, &size) ||
        (target && !profile_of_data(jxl->decoder, target, size)))
        return 0;
    return size;
}

/// Decodes the next frame to the output that `set_output` sets.
static enum ccodecs_jxl_status decode(
    ccodecs_jxl *jxl, int (*set_output)(ccodecs_jxl *, void *), void *output, int *is_begun,
    double *duration) {
    int is_last, has_room = 0;
    *is_begun = 0;
    while (1) {
        JxlDecoderStatus status = step(jxl, &is_last);
        switch (status) {
        case JXL_DEC_BASIC_INFO:
        case JXL_DEC_COLOR_ENCODING:
        case JXL_DEC_FRAME: break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (!set_output(jxl, output)) return CCODECS_JXL_DAMAGED;
            has_room = 1;
            break;
        case JXL_DEC_FULL_IMAGE:
            *is_begun = 1;
            *duration = jxl->duration;
            return CCODECS_JXL_FINE;
        default:
            *is_begun = has_room && status != JXL_DEC_SUCCESS &&
                        library.JxlDecoderFlushImage(jxl->decoder) == JXL_DEC_SUCCESS;
            return ending(status);
        }
    }
}

struct buffer {
    JxlPixelFormat format;
    void *pixels;
    size_t size;
};

static int set_buffer(ccodecs_jxl *jxl, void *output) {
    const struct buffer *buffer = output;
    size_t needed = 0;
    return library.JxlDecoderImageOutBufferSize(jxl->decoder, &buffer->format, &needed) ==
               JXL_DEC_SUCCESS &&
           needed == buffer->size &&
           library.JxlDecoderSetImageOutBuffer(
               jxl->decoder, &buffer->format, buffer->pixels, buffer->size) == JXL_DEC_SUCCESS;
}

static enum ccodecs_jxl_status ccodecs_jxl_decode(
    ccodecs_jxl *jxl, enum ccodecs_jxl_samples samples, int channels, void *pixels, size_t size,
    int *is_begun, double *duration) {
    const JxlDataType types[] = {
        [CCODECS_JXL_8] = JXL_TYPE_UINT8,
        [CCODECS_JXL_16] = JXL_TYPE_UINT16,
        [CCODECS_JXL_FLOAT] = JXL_TYPE_FLOAT,
    };
    struct buffer buffer = {
        {(uint32_t)channels, types[samples], JXL_NATIVE_ENDIAN, 0}, pixels, size};
    return decode(jxl, set_buffer, &buffer, is_begun, duration);
}

struct bgrx {
    uint8_t *base;
    size_t stride, width, height;
};

static void *begin_rows(void *output, size_t threads, size_t longest) { return output; }

static void end_rows(void *output) {}

/// Converts 0…1 to 0…255, clamped; NaN becomes 0.
static uint32_t byte_of(float value) {
    float scaled = value * 255 + 0.5f;
    float low = scaled > 0 ? scaled : 0;
    return (uint32_t)(int32_t)(low < 255 ? low : 255);
}

/// Receives part of a row. Called on any of the library's threads.
static void put_row(
    void *output, size_t thread, size_t x, size_t y, size_t count, const void *pixels) {
    const struct bgrx *bgrx = output;
    const float *samples = pixels;
    if (y >= bgrx->height || x > bgrx->width || count > bgrx->width - x) return;
    uint32_t *row = (uint32_t *)(bgrx->base + y * bgrx->stride) + x;
    for (size_t index = 0; index < count; index++)
        row[index] = 0xFF000000 | byte_of(samples[4 * index]) << 16 |
                     byte_of(samples[4 * index + 1]) << 8 | byte_of(samples[4 * index + 2]);
}

static int set_row_output(ccodecs_jxl *jxl, void *output) {
    // The only sample format that all versions of the library deliver as soon as it is decoded.
    const JxlPixelFormat format = {4, JXL_TYPE_FLOAT, JXL_NATIVE_ENDIAN, 0};
    return library.JxlDecoderSetMultithreadedImageOutCallback(
               jxl->decoder, &format, begin_rows, put_row, end_rows, output) ==
           JXL_DEC_SUCCESS;
}

static enum ccodecs_jxl_status ccodecs_jxl_decode_bgrx8(
    ccodecs_jxl *jxl, void *base, size_t stride, int *is_begun) {
    struct bgrx bgrx = {base, stride, jxl->width, jxl->height};
    double duration;
    return decode(jxl, set_row_output, &bgrx, is_begun, &duration);
}

static void ccodecs_jxl_rewind(ccodecs_jxl *jxl) {
    library.JxlDecoderReset(jxl->decoder);
    set_up(jxl);
}

/// The boxes at the start of every container.
static const uint8_t container_start[] = {
    0, 0, 0, 12, 'J', 'X', 'L', ' ', 13,  10,  0x87, 10, 0, 0, 0,   20,
    'f', 't', 'y', 'p', 'j', 'x', 'l', ' ', 0, 0, 0, 0, 'j', 'x', 'l', ' '};
/// The body of the box at the end, whose start tells that the box before it is complete.
static const uint8_t padding[16] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
enum { BOX_HEADER = 8, LONGEST_PACKED_BOX = 64 << 20 };

static uint8_t *add_box(uint8_t *place, const char *type, const uint8_t *body, size_t length) {
    const size_t box = BOX_HEADER + length;
    for (int byte = 0; byte < 4; byte++) place[byte] = (uint8_t)(box >> (24 - 8 * byte));
    memcpy(place + 4, type, 4);
    memcpy(place + BOX_HEADER, body, length);
    return place + box;
}

/// A container of a brob box, and of another one with `rest` bytes; NULL without memory.
static uint8_t *container_of(const uint8_t *body, size_t length, size_t rest, size_t *size) {
    *size = sizeof container_start + 2 * BOX_HEADER + length + rest;
    uint8_t *file = malloc(*size);
    if (!file) return NULL;
    memcpy(file, container_start, sizeof container_start);
    uint8_t *end = add_box(file + sizeof container_start, "brob", body, length);
    add_box(end, "free", padding, rest);
    return file;
}

/// Unpacks the third box of a container; 0 if the box is damaged, or too long.
static size_t unpack_third_box(
    JxlDecoder *decoder, const uint8_t *file, size_t size, uint8_t *target, size_t limit) {
    if (library.JxlDecoderSubscribeEvents(decoder, JXL_DEC_BOX) != JXL_DEC_SUCCESS ||
        library.JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) != JXL_DEC_SUCCESS ||
        library.JxlDecoderSetInput(decoder, file, size) != JXL_DEC_SUCCESS)
        return 0;
    for (int box = 0; box < 3; box++)
        if (library.JxlDecoderProcessInput(decoder) != JXL_DEC_BOX) return 0;
    if (library.JxlDecoderSetBoxBuffer(decoder, target, limit) != JXL_DEC_SUCCESS) return 0;
    const JxlDecoderStatus status = library.JxlDecoderProcessInput(decoder);
    const size_t rest = library.JxlDecoderReleaseBoxBuffer(decoder);
    return status == JXL_DEC_BOX && rest <= limit ? limit - rest : 0;
}

static size_t unpack_before(
    size_t rest, const uint8_t *body, size_t length, uint8_t *target, size_t limit) {
    size_t size, unpacked = 0;
    uint8_t *file = container_of(body, length, rest, &size);
    JxlDecoder *decoder = file ? library.JxlDecoderCreate(NULL) : NULL;
    if (decoder) {
        unpacked = unpack_third_box(decoder, file, size, target, limit);
        library.JxlDecoderDestroy(decoder);
    }
    free(file);
    return unpacked;
}

/// Of data that are cut short, libjxl 0.7 reads on in the next box: then the length depends on that box.
static size_t ccodecs_jxl_unpack(
    const uint8_t *body, size_t length, uint8_t *target, size_t limit) {
    if (!body || length > LONGEST_PACKED_BOX) return 0;
    const size_t unpacked = unpack_before(0, body, length, target, limit);
    if (unpacked == 0) return 0;
    const size_t again = unpack_before(sizeof padding, body, length, target, limit);
    return again == unpacked ? unpacked : 0;
}

static const ccodecs_jxl_library functions = {
    .create = ccodecs_jxl_create,
    .destroy = ccodecs_jxl_destroy,
    .read_info = ccodecs_jxl_read_info,
    .profile = ccodecs_jxl_profile,
    .decode = ccodecs_jxl_decode,
    .decode_bgrx8 = ccodecs_jxl_decode_bgrx8,
    .rewind = ccodecs_jxl_rewind,
    .unpack = ccodecs_jxl_unpack,
};

const ccodecs_jxl_library *ccodecs_open_jxl(void) {
    return library_open() && threads_open() ? &functions : NULL;
}

#else

const ccodecs_jxl_library *ccodecs_open_jxl(void) { return NULL; }

#endif
