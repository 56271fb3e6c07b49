#include "include/ccodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

struct ccodecs_jpeg {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    char message[JMSG_LENGTH_MAX];
    JOCTET *profile;
    unsigned int profile_length;
    /// Set for the four-ink pictures, which the library hands out as they are.
    int is_cmyk;
    /// Adobe writes inks inverted.
    int is_inverted;
    JSAMPLE *row;
};

static void fail(j_common_ptr common) {
    ccodecs_jpeg *jpeg = (ccodecs_jpeg *)common->client_data;
    common->err->format_message(common, jpeg->message);
    longjmp(jpeg->escape, 1);
}

static void stay_silent(j_common_ptr common) { (void)common; }

ccodecs_jpeg *ccodecs_jpeg_create(const uint8_t *bytes, size_t length) {
    ccodecs_jpeg *jpeg = calloc(1, sizeof *jpeg);
    if (!jpeg) return NULL;
    jpeg->info.err = jpeg_std_error(&jpeg->errors);
    jpeg->errors.error_exit = fail;
    jpeg->errors.output_message = stay_silent;
    jpeg->info.client_data = jpeg;
    if (setjmp(jpeg->escape)) {
        free(jpeg);
        return NULL;
    }
    jpeg_create_decompress(&jpeg->info);
    jpeg->info.client_data = jpeg;
    jpeg_mem_src(&jpeg->info, bytes, (unsigned long)length);
    return jpeg;
}

void ccodecs_jpeg_destroy(ccodecs_jpeg *jpeg) {
    if (!jpeg) return;
    jpeg_destroy_decompress(&jpeg->info);
    free(jpeg->profile);
    free(jpeg->row);
    free(jpeg);
}

int ccodecs_jpeg_read_header(ccodecs_jpeg *jpeg, int *width, int *height) {
    if (setjmp(jpeg->escape)) return -1;
    jpeg_save_markers(&jpeg->info, JPEG_APP0 + 2, 0xFFFF);
    if (jpeg_read_header(&jpeg->info, TRUE) != JPEG_HEADER_OK) return -1;
    *width = (int)jpeg->info.image_width;
    *height = (int)jpeg->info.image_height;
    jpeg_read_icc_profile(&jpeg->info, &jpeg->profile, &jpeg->profile_length);
    return 0;
}

int ccodecs_jpeg_start(ccodecs_jpeg *jpeg, int denominator, int *width, int *height) {
    if (setjmp(jpeg->escape)) return -1;
    struct jpeg_decompress_struct *info = &jpeg->info;
    info->scale_num = 1;
    info->scale_denom = (unsigned int)denominator;
    jpeg->is_cmyk = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
    jpeg->is_inverted = info->saw_Adobe_marker != 0;
    info->out_color_space = jpeg->is_cmyk ? JCS_CMYK : JCS_EXT_BGRA;
    jpeg_start_decompress(info);
    *width = (int)info->output_width;
    *height = (int)info->output_height;
    if (jpeg->is_cmyk) {
        jpeg->row = malloc((size_t)info->output_width * 4);
        if (!jpeg->row) {
            snprintf(jpeg->message, sizeof jpeg->message, "not enough memory");
            return -1;
        }
    }
    return 0;
}

/// Inks to light, without a profile: each ink takes its share, black takes from all.
static void convert_inks(const JSAMPLE *inks, uint8_t *pixels, unsigned width, int inverted) {
    for (unsigned x = 0; x < width; x++, inks += 4, pixels += 4) {
        unsigned c = inks[0], m = inks[1], y = inks[2], k = inks[3];
        if (!inverted) { c = 255 - c; m = 255 - m; y = 255 - y; k = 255 - k; }
        pixels[2] = (uint8_t)((c * k + 127) / 255);
        pixels[1] = (uint8_t)((m * k + 127) / 255);
        pixels[0] = (uint8_t)((y * k + 127) / 255);
        pixels[3] = 255;
    }
}

int ccodecs_jpeg_read_rows(ccodecs_jpeg *jpeg, uint8_t *const *rows, int count) {
    if (setjmp(jpeg->escape)) return -1;
    struct jpeg_decompress_struct *info = &jpeg->info;
    volatile int done = 0;
    while (done < count && info->output_scanline < info->output_height) {
        if (jpeg->is_cmyk) {
            JSAMPROW row = jpeg->row;
            if (jpeg_read_scanlines(info, &row, 1) != 1) break;
            convert_inks(jpeg->row, rows[done], info->output_width, jpeg->is_inverted);
            done += 1;
        } else {
            JDIMENSION read = jpeg_read_scanlines(
                info, (JSAMPARRAY)(rows + done), (JDIMENSION)(count - done));
            if (read == 0) break;
            done += (int)read;
        }
    }
    return done;
}

int ccodecs_jpeg_warnings(const ccodecs_jpeg *jpeg) { return (int)jpeg->errors.num_warnings; }

const char *ccodecs_jpeg_message(const ccodecs_jpeg *jpeg) { return jpeg->message; }

const uint8_t *ccodecs_jpeg_profile(const ccodecs_jpeg *jpeg, size_t *length) {
    *length = jpeg->profile_length;
    return jpeg->profile;
}
