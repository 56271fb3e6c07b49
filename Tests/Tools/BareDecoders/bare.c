// Decodes pictures by direct library calls, as the reference of meson-helpers/measure/decoding.
// "bare RUNS FILE [DENOMINATOR]" prints the median in milliseconds. With a denominator a JPEG is
// decoded at 1/DENOMINATOR of its size.
#define _GNU_SOURCE
// jpeglib.h requires stdio.h before it.
#include <stdio.h>

#include <cairo.h>
#include <jpeglib.h>
#include <jxl/decode.h>
#include <jxl/thread_parallel_runner.h>
#include <libheif/heif.h>
#include <librsvg/rsvg.h>
#include <spng.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <time.h>
#include <unistd.h>
#include <webp/decode.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static unsigned char *bytes;
static size_t count;

static int jpeg(int scale) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_EXT_BGRX;
    info.scale_denom = scale;
    jpeg_start_decompress(&info);
    size_t stride = (size_t)info.output_width * 4;
    unsigned char *pixels = malloc(stride * info.output_height);
    while (info.output_scanline < info.output_height) {
        JSAMPROW rows[16];
        for (int i = 0; i < 16; i++) rows[i] = pixels + (info.output_scanline + i) * stride;
        JDIMENSION left = info.output_height - info.output_scanline;
        jpeg_read_scanlines(&info, rows, left < 16 ? left : 16);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    free(pixels);
    return 1;
}

static int png(void) {
    spng_ctx *png = spng_ctx_new(0);
    spng_set_png_buffer(png, bytes, count);
    size_t size;
    if (spng_decoded_image_size(png, SPNG_FMT_RGBA8, &size)) return 0;
    void *pixels = malloc(size);
    int code = spng_decode_image(png, pixels, size, SPNG_FMT_RGBA8, 0);
    free(pixels);
    spng_ctx_free(png);
    return code == 0;
}

static int webp(void) {
    WebPDecoderConfig config;
    WebPInitDecoderConfig(&config);
    config.output.colorspace = MODE_BGRA;
    config.options.use_threads = 1;
    int code = WebPDecode(bytes, count, &config);
    WebPFreeDecBuffer(&config.output);
    return code == VP8_STATUS_OK;
}

static int heif(void) {
    struct heif_context *context = heif_context_alloc();
    heif_context_read_from_memory_without_copy(context, bytes, count, NULL);
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    heif_context_get_primary_image_handle(context, &handle);
    heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, NULL);
    int is_decoded = image != NULL;
    if (image) heif_image_release(image);
    heif_image_handle_release(handle);
    heif_context_free(context);
    return is_decoded;
}

static int jxl(void) {
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    void *runner = JxlThreadParallelRunnerCreate(NULL, (size_t)sysconf(_SC_NPROCESSORS_ONLN));
    JxlDecoderSetParallelRunner(decoder, JxlThreadParallelRunner, runner);
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_FULL_IMAGE);
    JxlDecoderSetInput(decoder, bytes, count);
    JxlPixelFormat format = {3, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    void *pixels = NULL;
    JxlDecoderStatus status;
    while ((status = JxlDecoderProcessInput(decoder)) == JXL_DEC_NEED_IMAGE_OUT_BUFFER) {
        size_t size;
        JxlDecoderImageOutBufferSize(decoder, &format, &size);
        pixels = malloc(size);
        JxlDecoderSetImageOutBuffer(decoder, &format, pixels, size);
    }
    free(pixels);
    JxlDecoderDestroy(decoder);
    JxlThreadParallelRunnerDestroy(runner);
    return status == JXL_DEC_FULL_IMAGE;
}

static int tiff(const char *path) {
    TIFF *tiff = TIFFOpen(path, "r");
    uint32_t width = 0, height = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    tmsize_t strip = TIFFStripSize(tiff);
    char *pixels = malloc((size_t)strip * TIFFNumberOfStrips(tiff));
    for (uint32_t i = 0; i < TIFFNumberOfStrips(tiff); i++)
        if (TIFFReadEncodedStrip(tiff, i, pixels + (size_t)strip * i, strip) < 0) return 0;
    free(pixels);
    TIFFClose(tiff);
    return 1;
}

// Renders the picture fitted into a surface of the given size.
static int svg(double width, double height) {
    RsvgHandle *handle = rsvg_handle_new_from_data(bytes, count, NULL);
    if (!handle) return 0;
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)width, (int)height);
    cairo_t *cairo = cairo_create(surface);
    RsvgRectangle viewport = {0, 0, width, height};
    int is_painted = rsvg_handle_render_document(handle, cairo, &viewport, NULL);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    g_object_unref(handle);
    return is_painted;
}

static int decode(const char *path, int denominator) {
    const char *kind = strrchr(path, '.') + 1;
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    fseek(file, 0, SEEK_END);
    count = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(count);
    if (fread(bytes, 1, count, file) != count) return 0;
    fclose(file);
    int result = !strcmp(kind, "jpg")    ? jpeg(denominator)
                 : !strcmp(kind, "png")  ? png()
                 : !strcmp(kind, "webp") ? webp()
                 : !strcmp(kind, "jxl")  ? jxl()
                 : !strcmp(kind, "tif")  ? tiff(path)
                 : !strcmp(kind, "svg")  ? svg(3240, 2160)
                                         : heif();
    free(bytes);
    return result;
}

static int order(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return difference < 0 ? -1 : difference > 0;
}

int main(int argc, char **argv) {
    int runs = argc >= 3 ? atoi(argv[1]) : 0;
    int denominator = argc == 4 ? atoi(argv[3]) : 1;
    if (runs < 1 || runs > 100 || argc > 4 || denominator < 1)
        return fprintf(stderr, "usage: bare RUNS FILE [DENOMINATOR]\n"), 2;
    double times[100];
    for (int i = 0; i < runs; i++) {
        double start = now();
        if (!decode(argv[2], denominator)) return fprintf(stderr, "cannot decode %s\n", argv[2]), 1;
        times[i] = now() - start;
    }
    qsort(times, (size_t)runs, sizeof *times, order);
    printf("%.1f\n", times[runs / 2]);
    return 0;
}
