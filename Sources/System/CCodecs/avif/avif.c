#include "ccodecs_avif.h"

#if __has_include(<avif/avif.h>)
#include <avif/avif.h>
#endif

// Older versions have other struct fields.
#if defined(AVIF_VERSION) && AVIF_VERSION >= 110000

#include <stdlib.h>
#include <unistd.h>

#include "cloader.h"

#define AVIF(F)                                                                                    \
    F(avifCodecName)                                                                               \
    F(avifDecoderCreate)                                                                           \
    F(avifDecoderDestroy)                                                                          \
    F(avifDecoderSetIO)                                                                            \
    F(avifDecoderSetSource)                                                                        \
    F(avifDecoderParse)                                                                            \
    F(avifDecoderNthImage)                                                                         \
    F(avifDecoderNthImageMaxExtent)                                                                \
    F(avifCropRectConvertCleanApertureBox)                                                         \
    F(avifImageCreateEmpty)                                                                        \
    F(avifImageSetViewRect)                                                                        \
    F(avifImageDestroy)                                                                            \
    F(avifRGBImageSetDefaults)                                                                     \
    F(avifImageYUVToRGB)
// The code reads structs of the library, so the library has to match the headers.
#if AVIF_VERSION >= 1000000
CLOADER_LIBRARY(library, "libavif.so.16", AVIF)
#else
CLOADER_LIBRARY(library, "libavif.so.15", AVIF)
#endif

/// More than half an hour at 30 frames a second. The library stores an entry for each frame, and
/// goes through all entries for every duration.
#define MOST_FRAMES (1 << 16)

struct ccodecs_avif {
    avifDecoder *decoder;
    avifIO io;
    const uint8_t *bytes;
    size_t length;
    /// The visible rectangle of a frame, and a view of that rectangle; `view` is NULL if the whole
    /// frame is visible.
    avifCropRect visible;
    avifImage *view;
    uint32_t width, height;
};

/// Reads as many bytes as there are, none beyond the end of the file. With the library's own reader
/// a truncated file fails before its first frame.
static avifResult read_bytes(
    avifIO *io, uint32_t flags, uint64_t offset, size_t size, avifROData *result) {
    const ccodecs_avif *avif = io->data;
    size_t start = offset < avif->length ? (size_t)offset : avif->length;
    size_t rest = avif->length - start;
    result->data = avif->bytes + start;
    result->size = size < rest ? size : rest;
    return AVIF_RESULT_OK;
}

static void set_up(ccodecs_avif *avif, size_t most_pixels) {
    avifDecoder *decoder = avif->decoder;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    decoder->maxThreads = processors > 0 ? (int)processors : 1;
    decoder->strictFlags = AVIF_STRICT_DISABLED;
    decoder->ignoreExif = decoder->ignoreXMP = AVIF_TRUE;
    decoder->imageSizeLimit = most_pixels < AVIF_DEFAULT_IMAGE_SIZE_LIMIT
                                  ? (uint32_t)most_pixels
                                  : AVIF_DEFAULT_IMAGE_SIZE_LIMIT;
    decoder->imageCountLimit = MOST_FRAMES;
    avif->io = (avifIO){.read = read_bytes, .persistent = AVIF_TRUE, .data = avif};
    library.avifDecoderSetIO(decoder, &avif->io);
}

/// Finds the visible rectangle of a frame. Returns 0 if the clean aperture is invalid.
static int crop(ccodecs_avif *avif) {
    const avifImage *image = avif->decoder->image;
    avif->visible = (avifCropRect){0, 0, image->width, image->height};
    if (!(image->transformFlags & AVIF_TRANSFORM_CLAP)) return 1;
    avifDiagnostics diagnostics = {{0}};
    avif->view = library.avifImageCreateEmpty();
    return avif->view &&
           library.avifCropRectConvertCleanApertureBox(
               &avif->visible, &image->clap, image->width, image->height, image->yuvFormat,
               &diagnostics);
}

/// Whether a frame, and all data that it depends on, is within the file.
static int has_frame(const ccodecs_avif *avif, uint32_t frame) {
    avifExtent extent;
    return library.avifDecoderNthImageMaxExtent(avif->decoder, frame, &extent) == AVIF_RESULT_OK &&
           extent.size <= avif->length && extent.offset <= avif->length - extent.size;
}

static int loops(const avifDecoder *decoder) {
#if AVIF_VERSION >= 1000000
    int repetitions = decoder->repetitionCount;
    return repetitions < 0 || repetitions == INT32_MAX ? 0 : repetitions + 1;
#else
    // This version has no repetition count.
    return 0;
#endif
}

static int mirroring(const avifImage *image) {
    if (!(image->transformFlags & AVIF_TRANSFORM_IMIR)) return 0;
#if AVIF_VERSION >= 1000000
    return image->imir.axis == 0 ? 1 : 2;
#else
    return image->imir.mode == 0 ? 1 : 2;
#endif
}

static ccodecs_avif_info info_of(const ccodecs_avif *avif) {
    const avifDecoder *decoder = avif->decoder;
    const avifImage *image = decoder->image;
    int is_rotated = image->transformFlags & AVIF_TRANSFORM_IROT;
    return (ccodecs_avif_info){
        .width = (int)avif->visible.width,
        .height = (int)avif->visible.height,
        .bits = (int)image->depth,
        .has_alpha = decoder->alphaPresent,
        .has_second = decoder->imageCount > 1 && has_frame(avif, 1),
        .loops = loops(decoder),
        .quarters = is_rotated ? image->irot.angle & 3 : 0,
        .mirroring = mirroring(image),
        .primaries = image->colorPrimaries,
        .transfer = image->transferCharacteristics,
    };
}

static int read_info(ccodecs_avif *avif, ccodecs_avif_info *info) {
    avifDecoder *decoder = avif->decoder;
    if (library.avifDecoderSetSource(decoder, AVIF_DECODER_SOURCE_TRACKS) != AVIF_RESULT_OK ||
        library.avifDecoderParse(decoder) != AVIF_RESULT_OK)
        return 0;
    avif->width = decoder->image->width;
    avif->height = decoder->image->height;
    if (avif->width == 0 || avif->height == 0 || !crop(avif)) return 0;
    // The library creates the frame decoder at the first frame. With this limit the frame decoder
    // rejects frames larger than the size checked here.
    decoder->imageSizeLimit = avif->width * avif->height;
    *info = info_of(avif);
    return 1;
}

static void ccodecs_avif_destroy(ccodecs_avif *avif) {
    if (!avif) return;
    if (avif->view) library.avifImageDestroy(avif->view);
    if (avif->decoder) library.avifDecoderDestroy(avif->decoder);
    free(avif);
}

static ccodecs_avif *ccodecs_avif_create(
    const uint8_t *bytes, size_t length, size_t most_pixels, ccodecs_avif_info *info) {
    if (most_pixels == 0) return NULL;
    ccodecs_avif *avif = calloc(1, sizeof *avif);
    if (!avif) return NULL;
    avif->bytes = bytes;
    avif->length = length;
    avif->decoder = library.avifDecoderCreate();
    if (avif->decoder) {
        set_up(avif, most_pixels);
        if (read_info(avif, info)) return avif;
    }
    ccodecs_avif_destroy(avif);
    return NULL;
}

static const uint8_t *ccodecs_avif_profile(const ccodecs_avif *avif, size_t *length) {
    *length = avif->decoder->image->icc.size;
    return avif->decoder->image->icc.data;
}

/// Converts the visible rectangle of the decoded frame. Returns 0 on failure.
static int convert(ccodecs_avif *avif, enum ccodecs_avif_samples samples, void *pixels) {
    static const struct {
        avifRGBFormat format;
        uint32_t depth, bytes;
    } kinds[] = {
        // 0xFFRRGGBB, with the lowest byte first in memory.
        [CCODECS_AVIF_BGRX8] = {AVIF_RGB_FORMAT_BGRA, 8, 4},
        [CCODECS_AVIF_RGBA8] = {AVIF_RGB_FORMAT_RGBA, 8, 4},
        [CCODECS_AVIF_RGB16] = {AVIF_RGB_FORMAT_RGB, 16, 6},
        [CCODECS_AVIF_RGBA16] = {AVIF_RGB_FORMAT_RGBA, 16, 8},
    };
    const avifImage *image = avif->decoder->image;
    // A frame may differ in size from the sequence.
    if (image->width != avif->width || image->height != avif->height) return 0;
    if (avif->view) {
        if (library.avifImageSetViewRect(avif->view, image, &avif->visible) != AVIF_RESULT_OK)
            return 0;
        image = avif->view;
    }
    avifRGBImage target;
    library.avifRGBImageSetDefaults(&target, image);
    target.format = kinds[samples].format;
    target.depth = kinds[samples].depth;
    target.ignoreAlpha = samples == CCODECS_AVIF_BGRX8 || samples == CCODECS_AVIF_RGB16;
    target.pixels = pixels;
    target.rowBytes = image->width * kinds[samples].bytes;
    return library.avifImageYUVToRGB(image, &target) == AVIF_RESULT_OK;
}

static enum ccodecs_avif_status ccodecs_avif_decode(
    ccodecs_avif *avif, int frame, enum ccodecs_avif_samples samples, void *pixels,
    double *duration) {
    avifResult result = library.avifDecoderNthImage(avif->decoder, (uint32_t)frame);
    switch (result) {
    case AVIF_RESULT_OK: break;
    case AVIF_RESULT_NO_IMAGES_REMAINING: return CCODECS_AVIF_NO_MORE_FRAMES;
    case AVIF_RESULT_TRUNCATED_DATA: return CCODECS_AVIF_CUT_SHORT;
    default: return CCODECS_AVIF_DAMAGED;
    }
    const avifImageTiming *timing = &avif->decoder->imageTiming;
    // The duration in seconds that the library computes is rounded once more.
    *duration = timing->timescale > 0
                    ? 1000.0 * (double)timing->durationInTimescales / (double)timing->timescale
                    : 0;
    return convert(avif, samples, pixels) ? CCODECS_AVIF_FINE : CCODECS_AVIF_DAMAGED;
}

static const ccodecs_avif_library functions = {
    .create = ccodecs_avif_create,
    .destroy = ccodecs_avif_destroy,
    .profile = ccodecs_avif_profile,
    .decode = ccodecs_avif_decode,
};

const ccodecs_avif_library *ccodecs_open_avif(void) {
    int is_available =
        library_open() && library.avifCodecName(AVIF_CODEC_CHOICE_AUTO, AVIF_CODEC_FLAG_CAN_DECODE);
    return is_available ? &functions : NULL;
}

#else

const ccodecs_avif_library *ccodecs_open_avif(void) { return NULL; }

#endif
