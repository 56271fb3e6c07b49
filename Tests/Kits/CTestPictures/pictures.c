#include "include/ctestpictures.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <spng.h>

int ctest_encode_jpeg(
    const uint8_t *samples, int width, int height, int components, int quality, int progressive,
    int restart_rows, int is_subsampled, const uint8_t *exif, size_t exif_length, uint8_t **result,
    size_t *length) {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    unsigned long size = 0;
    *result = NULL;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, result, &size);
    info.image_width = (JDIMENSION)width;
    info.image_height = (JDIMENSION)height;
    info.input_components = components;
    info.in_color_space = components == 1 ? JCS_GRAYSCALE : components == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    for (int i = 0; i < info.num_components; i++) {
        int factor = is_subsampled && i == 0 ? 2 : 1;
        info.comp_info[i].h_samp_factor = factor;
        info.comp_info[i].v_samp_factor = factor;
    }
    if (progressive) jpeg_simple_progression(&info);
    info.restart_in_rows = restart_rows;
    if (components == 4) info.write_Adobe_marker = TRUE;
    jpeg_start_compress(&info, TRUE);
    if (exif_length > 0) {
        jpeg_write_marker(&info, JPEG_APP0 + 1, exif, (unsigned int)exif_length);
    }
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(samples + (size_t)info.next_scanline * width * components);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *length = size;
    return 0;
}

int ctest_decode_jpeg(const uint8_t *bytes, size_t length, int denominator) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, length);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_EXT_BGRX;
    info.scale_num = 1;
    info.scale_denom = (unsigned int)denominator;
    jpeg_start_decompress(&info);
    JSAMPROW rows[16];
    size_t stride = (size_t)info.output_width * 4;
    uint8_t *memory = malloc(stride * info.output_height);
    while (memory && info.output_scanline < info.output_height) {
        JDIMENSION left = info.output_height - info.output_scanline;
        for (JDIMENSION row = 0; row < 16 && row < left; row++)
            rows[row] = memory + (info.output_scanline + row) * stride;
        jpeg_read_scanlines(&info, rows, left < 16 ? left : 16);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    free(memory);
    return memory ? 0 : -1;
}

struct escape {
    struct jpeg_error_mgr errors;
    jmp_buf place;
};

static void escape(j_common_ptr common) { longjmp(((struct escape *)common->err)->place, 1); }

static void stay_silent(j_common_ptr common) { (void)common; }

int ctest_read_jpeg(
    const uint8_t *bytes, size_t length, int denominator, uint8_t **result, int *row_length,
    int *rows, long *warnings) {
    struct jpeg_decompress_struct info;
    struct escape errors;
    *result = NULL;
    *rows = 0;
    info.err = jpeg_std_error(&errors.errors);
    errors.errors.error_exit = escape;
    errors.errors.output_message = stay_silent;
    jpeg_create_decompress(&info);
    if (setjmp(errors.place) == 0) {
        jpeg_mem_src(&info, bytes, length);
        jpeg_read_header(&info, TRUE);
        info.out_color_space = info.num_components == 1 ? JCS_GRAYSCALE : JCS_EXT_BGRA;
        info.scale_denom = (unsigned int)denominator;
        jpeg_start_decompress(&info);
        *row_length = (int)info.output_width * info.output_components;
        *result = calloc((size_t)*row_length, info.output_height);
        while (*result && info.output_scanline < info.output_height) {
            JSAMPROW row = *result + (size_t)*row_length * (size_t)*rows;
            if (jpeg_read_scanlines(&info, &row, 1) != 1) break;
            ++*rows;
        }
    }
    *warnings = errors.errors.num_warnings;
    jpeg_destroy_decompress(&info);
    return *result ? 0 : -1;
}

int ctest_encode_png(
    const uint8_t *samples, int width, int height, int color_type, int bit_depth, int interlaced,
    const uint8_t *palette, uint8_t **result, size_t *length) {
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    if (!png) return -1;
    spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    struct spng_ihdr header = {
        .width = (uint32_t)width, .height = (uint32_t)height, .bit_depth = (uint8_t)bit_depth,
        .color_type = (uint8_t)color_type, .interlace_method = interlaced ? 1 : 0,
    };
    int code = spng_set_ihdr(png, &header);
    if (code == 0 && color_type == 3) {
        struct spng_plte entries = {.n_entries = 256};
        for (int i = 0; i < 256; i++) {
            entries.entries[i].red = palette[3 * i];
            entries.entries[i].green = palette[3 * i + 1];
            entries.entries[i].blue = palette[3 * i + 2];
        }
        code = spng_set_plte(png, &entries);
    }
    static const int channels[] = {1, 0, 3, 1, 2, 0, 4};
    size_t row = ((size_t)width * channels[color_type] * bit_depth + 7) / 8;
    if (code == 0) {
        code = spng_encode_image(
            png, samples, row * height, SPNG_FMT_RAW, SPNG_ENCODE_FINALIZE);
    }
    if (code == 0) *result = spng_get_png_buffer(png, length, &code);
    spng_ctx_free(png);
    return code;
}

int ctest_decode_png(
    const uint8_t *bytes, size_t count, int *width, int *height, uint8_t **result) {
    spng_ctx *png = spng_ctx_new(0);
    if (!png) return -1;
    struct spng_ihdr header;
    size_t size = 0;
    *result = NULL;
    int code = spng_set_png_buffer(png, bytes, count);
    if (code == 0) code = spng_get_ihdr(png, &header);
    if (code == 0) code = spng_decoded_image_size(png, SPNG_FMT_RGBA8, &size);
    if (code == 0 && !(*result = malloc(size))) code = -1;
    if (code == 0) {
        code = spng_decode_image(png, *result, size, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
        *width = (int)header.width;
        *height = (int)header.height;
    }
    if (code != 0) free(*result);
    spng_ctx_free(png);
    return code;
}
