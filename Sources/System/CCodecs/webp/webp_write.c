#include "ccodecs_webp_write.h"

#if __has_include(<webp/encode.h>)

#include <stdlib.h>
#include <webp/encode.h>

#include "cloader.h"

#define WEBP(F)                                                                                    \
    F(WebPConfigInitInternal)                                                                      \
    F(WebPPictureInitInternal)                                                                     \
    F(WebPPictureAlloc)                                                                            \
    F(WebPPictureFree)                                                                             \
    F(WebPEncode)                                                                                  \
    F(WebPMemoryWriterInit)                                                                        \
    F(WebPMemoryWriterClear)                                                                       \
    F(WebPMemoryWrite)                                                                             \
    F(WebPFree)
CLOADER_LIBRARY(webp_library, "libwebp.so.7", WEBP)

/// Fills the picture with rows; `row` has room for one.
static void fill(
    WebPPicture *picture, ccodecs_webp_row_source *read, void *context, uint8_t *row) {
    for (int y = 0; y < picture->height; y++) {
        read(context, y, row);
        uint32_t *target = picture->argb + (size_t)y * (size_t)picture->argb_stride;
        for (int x = 0; x < picture->width; x++) {
            const uint8_t *pixel = row + (size_t)x * 4;
            target[x] = (uint32_t)pixel[3] << 24 | (uint32_t)pixel[0] << 16 |
                        (uint32_t)pixel[1] << 8 | pixel[2];
        }
    }
}

typedef struct {
    ccodecs_webp_progress *report;
    void *context;
} webp_progress;

/// Returns 1: the work goes on.
static int report_progress(int percent, const WebPPicture *picture) {
    (void)percent;
    const webp_progress *progress = picture->user_data;
    progress->report(progress->context);
    return 1;
}

static int encode(
    int width, int height, int quality, ccodecs_webp_row_source *read,
    ccodecs_webp_progress *report, void *context, uint8_t **result, size_t *length) {
    WebPConfig config;
    WebPPicture picture;
    if (!webp_library.WebPConfigInitInternal(
            &config, WEBP_PRESET_DEFAULT, (float)(quality > 0 ? quality : 70),
            WEBP_ENCODER_ABI_VERSION) ||
        !webp_library.WebPPictureInitInternal(&picture, WEBP_ENCODER_ABI_VERSION))
        return VP8_ENC_ERROR_INVALID_CONFIGURATION;
    config.lossless = quality <= 0;
    config.exact = 1;
    config.thread_level = 1;
    picture.use_argb = 1;
    picture.width = width;
    picture.height = height;
    uint8_t *row = malloc((size_t)width * 4);
    if (!row || !webp_library.WebPPictureAlloc(&picture)) {
        free(row);
        return VP8_ENC_ERROR_OUT_OF_MEMORY;
    }
    fill(&picture, read, context, row);
    free(row);
    WebPMemoryWriter writer;
    webp_library.WebPMemoryWriterInit(&writer);
    picture.writer = webp_library.WebPMemoryWrite;
    picture.custom_ptr = &writer;
    webp_progress progress = {.report = report, .context = context};
    picture.progress_hook = report_progress;
    picture.user_data = &progress;
    int is_done = webp_library.WebPEncode(&config, &picture);
    int error = is_done ? 0 : (int)picture.error_code;
    webp_library.WebPPictureFree(&picture);
    if (!is_done) {
        webp_library.WebPMemoryWriterClear(&writer);
        return error != 0 ? error : VP8_ENC_ERROR_BAD_WRITE;
    }
    *result = writer.mem;
    *length = writer.size;
    return 0;
}

static void release(void *result) { webp_library.WebPFree(result); }

const ccodecs_webp_writer *ccodecs_open_webp_writer(void) {
    static const ccodecs_webp_writer writer = {.encode = encode, .release = release};
    return webp_library_open() ? &writer : NULL;
}

#else

const ccodecs_webp_writer *ccodecs_open_webp_writer(void) { return 0; }

#endif
