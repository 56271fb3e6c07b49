#include "ccodecs_webp.h"

#if __has_include(<webp/decode.h>) && __has_include(<webp/demux.h>)

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "cloader.h"

#define WEBP(F)                                                                                    \
    F(WebPGetFeaturesInternal)                                                                     \
    F(WebPInitDecoderConfigInternal)                                                               \
    F(WebPDecode)                                                                                  \
    F(WebPIDecode)                                                                                 \
    F(WebPIUpdate)                                                                                 \
    F(WebPIDecGetRGB)                                                                              \
    F(WebPIDecGetYUVA)                                                                             \
    F(WebPIDelete)                                                                                 \
    F(WebPFreeDecBuffer)
CLOADER_LIBRARY(webp_library, "libwebp.so.7", WEBP)

#define DEMUX(F)                                                                                   \
    F(WebPAnimDecoderOptionsInitInternal)                                                          \
    F(WebPAnimDecoderNewInternal)                                                                  \
    F(WebPAnimDecoderGetInfo)                                                                      \
    F(WebPAnimDecoderGetNext)                                                                      \
    F(WebPAnimDecoderHasMoreFrames)                                                                \
    F(WebPAnimDecoderReset)                                                                        \
    F(WebPAnimDecoderDelete)
CLOADER_LIBRARY(demux_library, "libwebpdemux.so.2", DEMUX)

static enum ccodecs_webp_status status_of(VP8StatusCode code) {
    switch (code) {
    case VP8_STATUS_OK: return CCODECS_WEBP_FINE;
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return CCODECS_WEBP_CUT_SHORT;
    case VP8_STATUS_OUT_OF_MEMORY: return CCODECS_WEBP_NO_MEMORY;
    default: return CCODECS_WEBP_DAMAGED;
    }
}

/// The values of `WebPBitstreamFeatures.format`.
enum { FORMAT_LOSSY = 1, FORMAT_LOSSLESS = 2 };

static enum ccodecs_webp_status ccodecs_webp_read_info(
    const uint8_t *bytes, size_t length, ccodecs_webp_info *info) {
    WebPBitstreamFeatures features;
    VP8StatusCode code = webp_library.WebPGetFeaturesInternal(
        bytes, length, &features, WEBP_DECODER_ABI_VERSION);
    if (code == VP8_STATUS_OK)
        *info = (ccodecs_webp_info){
            .width = features.width,
            .height = features.height,
            .has_alpha = features.has_alpha,
            .is_animated = features.has_animation,
            .is_lossy = features.format == FORMAT_LOSSY,
        };
    return status_of(code);
}

struct ccodecs_webp {
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    const uint8_t *bytes, *pixels;
    size_t length, fed;
    VP8StatusCode code;
    int stride, rows;
    /// Cb and Cr; NULL unless planes are decoded. Their luma is `pixels`.
    const uint8_t *chroma[2];
    int chroma_stride;
    int width, height;
};

static WEBP_CSP_MODE mode_of(enum ccodecs_webp_pixels pixels) {
    switch (pixels) {
    case CCODECS_WEBP_BGRA: return MODE_BGRA;
    case CCODECS_WEBP_PREMULTIPLIED_BGRA: return MODE_bgrA;
    case CCODECS_WEBP_RGBA: return MODE_RGBA;
    case CCODECS_WEBP_PLANES: return MODE_YUV;
    }
    return MODE_RGBA;
}

static ccodecs_webp *ccodecs_webp_create(
    const uint8_t *bytes, size_t length, ccodecs_webp_info info, enum ccodecs_webp_pixels pixels,
    uint8_t *target, int stride, size_t size) {
    ccodecs_webp *webp = calloc(1, sizeof *webp);
    if (!webp) return NULL;
    webp->bytes = bytes;
    webp->length = length;
    webp->width = info.width;
    webp->height = info.height;
    webp->code = VP8_STATUS_SUSPENDED;
    if (!webp_library.WebPInitDecoderConfigInternal(&webp->config, WEBP_DECODER_ABI_VERSION)) {
        free(webp);
        return NULL;
    }
    webp->config.output.colorspace = mode_of(pixels);
    webp->config.options.use_threads = 1;
    if (target) {
        webp->config.output.is_external_memory = 1;
        webp->config.output.u.RGBA =
            (WebPRGBABuffer){.rgba = target, .stride = stride, .size = size};
    }
    return webp;
}

static void ccodecs_webp_destroy(ccodecs_webp *webp) {
    if (!webp) return;
    webp_library.WebPIDelete(webp->decoder);
    webp_library.WebPFreeDecBuffer(&webp->config.output);
    free(webp);
}

static int has_planes(const ccodecs_webp *webp) {
    return webp->config.output.colorspace == MODE_YUV;
}

/// Feeds the library the file up to `end`.
static void feed(ccodecs_webp *webp, size_t end) {
    webp->fed = end;
    webp->code = webp_library.WebPIUpdate(webp->decoder, webp->bytes, webp->fed);
    int rows = 0, width = 0, height = 0, stride = 0, chroma_stride = 0;
    uint8_t *chroma[2] = {NULL, NULL};
    const uint8_t *pixels =
        has_planes(webp)
            ? webp_library.WebPIDecGetYUVA(
                  webp->decoder, &rows, &chroma[0], &chroma[1], NULL, &width, &height, &stride,
                  &chroma_stride, NULL)
            : webp_library.WebPIDecGetRGB(webp->decoder, &rows, &width, &height, &stride);
    if (!pixels || rows <= webp->rows) return;
    // A program may write another picture to the file at any time.
    if (width != webp->width || height != webp->height) {
        webp->code = VP8_STATUS_BITSTREAM_ERROR;
        return;
    }
    webp->pixels = pixels;
    webp->stride = stride;
    webp->rows = rows;
    memcpy(webp->chroma, chroma, sizeof chroma);
    webp->chroma_stride = chroma_stride;
}

/// Decodes a lossless image in one call, which takes an eighth less time than decoding in chunks.
/// Returns 0 if the image is not lossless or not complete, and for planes.
static int decode_whole(ccodecs_webp *webp) {
    WebPBitstreamFeatures features;
    if (has_planes(webp) ||
        webp_library.WebPGetFeaturesInternal(
            webp->bytes, webp->length, &features, WEBP_DECODER_ABI_VERSION) != VP8_STATUS_OK ||
        features.format != FORMAT_LOSSLESS ||
        webp_library.WebPDecode(webp->bytes, webp->length, &webp->config) != VP8_STATUS_OK ||
        webp->config.output.width != webp->width || webp->config.output.height != webp->height)
        return 0;
    webp->code = VP8_STATUS_OK;
    webp->fed = webp->length;
    webp->pixels = webp->config.output.u.RGBA.rgba;
    webp->stride = webp->config.output.u.RGBA.stride;
    webp->rows = webp->config.output.height;
    return 1;
}

/// The file is fed in several chunks, so that later stages work on rows while more rows are
/// decoded.
static const size_t chunks = 8;
static const size_t smallest_chunk = 64 << 10;

static enum ccodecs_webp_status ccodecs_webp_status(const ccodecs_webp *webp) {
    if (webp->code == VP8_STATUS_SUSPENDED && webp->fed < webp->length) return CCODECS_WEBP_FINE;
    return status_of(webp->code);
}

static int ccodecs_webp_begin(ccodecs_webp *webp) {
    if (webp->fed == 0 && !decode_whole(webp)) {
        webp->decoder = webp_library.WebPIDecode(NULL, 0, &webp->config);
        if (!webp->decoder) return webp->code = VP8_STATUS_OUT_OF_MEMORY, 0;
        feed(webp, webp->length < smallest_chunk ? webp->length : smallest_chunk);
    }
    return webp->rows > 0 || ccodecs_webp_status(webp) == CCODECS_WEBP_FINE;
}

static int ccodecs_webp_decode(ccodecs_webp *webp, int wanted) {
    size_t chunk = webp->length / chunks;
    if (chunk < smallest_chunk) chunk = smallest_chunk;
    while (webp->rows < wanted && webp->code == VP8_STATUS_SUSPENDED && webp->fed < webp->length)
        feed(webp, webp->length - webp->fed > chunk ? webp->fed + chunk : webp->length);
    return webp->rows;
}

static const uint8_t *ccodecs_webp_row(const ccodecs_webp *webp, int y) {
    return webp->pixels + (size_t)y * (size_t)webp->stride;
}

static void ccodecs_webp_copy_luma(const ccodecs_webp *webp, int y, uint8_t *target) {
    memcpy(target, ccodecs_webp_row(webp, y), (size_t)webp->width);
}

static void ccodecs_webp_copy_chroma(const ccodecs_webp *webp, int y, uint8_t *target) {
    size_t start = (size_t)y * (size_t)webp->chroma_stride;
    const uint8_t *cb = webp->chroma[0] + start, *cr = webp->chroma[1] + start;
    for (int x = 0; x < (webp->width + 1) / 2; x++) {
        target[2 * x] = cb[x];
        target[2 * x + 1] = cr[x];
    }
}

static ccodecs_webp_frames *ccodecs_webp_frames_create(
    const uint8_t *bytes, size_t length, enum ccodecs_webp_pixels pixels, int *loops) {
    WebPAnimDecoderOptions options;
    if (!demux_library.WebPAnimDecoderOptionsInitInternal(&options, WEBP_DEMUX_ABI_VERSION))
        return NULL;
    options.color_mode = mode_of(pixels);
    options.use_threads = 1;
    WebPData data = {.bytes = bytes, .size = length};
    WebPAnimDecoder *decoder =
        demux_library.WebPAnimDecoderNewInternal(&data, &options, WEBP_DEMUX_ABI_VERSION);
    WebPAnimInfo info;
    if (decoder && demux_library.WebPAnimDecoderGetInfo(decoder, &info))
        *loops = (int)info.loop_count;
    return (ccodecs_webp_frames *)decoder;
}

static void ccodecs_webp_frames_destroy(ccodecs_webp_frames *frames) {
    if (frames) demux_library.WebPAnimDecoderDelete((WebPAnimDecoder *)frames);
}

static const uint8_t *ccodecs_webp_frames_next(ccodecs_webp_frames *frames, int *end) {
    uint8_t *pixels = NULL;
    if (!demux_library.WebPAnimDecoderGetNext((WebPAnimDecoder *)frames, &pixels, end)) return NULL;
    return pixels;
}

static int ccodecs_webp_frames_has_more(const ccodecs_webp_frames *frames) {
    return demux_library.WebPAnimDecoderHasMoreFrames((const WebPAnimDecoder *)frames);
}

static void ccodecs_webp_frames_rewind(ccodecs_webp_frames *frames) {
    demux_library.WebPAnimDecoderReset((WebPAnimDecoder *)frames);
}

static const ccodecs_webp_library functions = {
    .read_info = ccodecs_webp_read_info,
    .create = ccodecs_webp_create,
    .destroy = ccodecs_webp_destroy,
    .begin = ccodecs_webp_begin,
    .decode = ccodecs_webp_decode,
    .row = ccodecs_webp_row,
    .copy_luma = ccodecs_webp_copy_luma,
    .copy_chroma = ccodecs_webp_copy_chroma,
    .status = ccodecs_webp_status,
    .frames_create = ccodecs_webp_frames_create,
    .frames_destroy = ccodecs_webp_frames_destroy,
    .frames_next = ccodecs_webp_frames_next,
    .frames_has_more = ccodecs_webp_frames_has_more,
    .frames_rewind = ccodecs_webp_frames_rewind,
};

const ccodecs_webp_library *ccodecs_open_webp(void) {
    return webp_library_open() && demux_library_open() ? &functions : NULL;
}

#else

const ccodecs_webp_library *ccodecs_open_webp(void) { return NULL; }

#endif
