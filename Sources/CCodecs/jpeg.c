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
    /// Whether its inks are 255 where there are none.
    int is_inverted;
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

int ccodecs_jpeg_inks(const ccodecs_jpeg *jpeg) {
    switch (jpeg->info.jpeg_color_space) {
    case JCS_CMYK:
    case JCS_YCCK: return 4;
    case JCS_GRAYSCALE: return 1;
    default: return 3;
    }
}

int ccodecs_jpeg_start(ccodecs_jpeg *jpeg, int denominator, int *width, int *height) {
    if (setjmp(jpeg->escape)) return -1;
    struct jpeg_decompress_struct *info = &jpeg->info;
    info->scale_num = 1;
    info->scale_denom = (unsigned int)denominator;
    int inks = ccodecs_jpeg_inks(jpeg);
    jpeg->is_inverted = inks == 4 && info->saw_Adobe_marker;
    info->out_color_space = inks == 4 ? JCS_CMYK : inks == 1 ? JCS_GRAYSCALE : JCS_EXT_BGRA;
    jpeg_start_decompress(info);
    *width = (int)info->output_width;
    *height = (int)info->output_height;
    return 0;
}

/// Adobe's programs write 255 for no ink; turns that around.
static void invert(uint8_t *row, size_t count) {
    for (size_t index = 0; index < count; index++) row[index] = 255 - row[index];
}

int ccodecs_jpeg_read_rows(ccodecs_jpeg *jpeg, uint8_t *const *rows, int count) {
    if (setjmp(jpeg->escape)) return -1;
    struct jpeg_decompress_struct *info = &jpeg->info;
    volatile int done = 0;
    while (done < count && info->output_scanline < info->output_height) {
        JDIMENSION read =
            jpeg_read_scanlines(info, (JSAMPARRAY)(rows + done), (JDIMENSION)(count - done));
        if (read == 0) break;
        if (jpeg->is_inverted)
            for (JDIMENSION row = 0; row < read; row++)
                invert(rows[done + (int)row], (size_t)info->output_width * 4);
        done += (int)read;
    }
    return done;
}

int ccodecs_jpeg_warnings(const ccodecs_jpeg *jpeg) { return (int)jpeg->errors.num_warnings; }

const char *ccodecs_jpeg_message(const ccodecs_jpeg *jpeg) { return jpeg->message; }

const uint8_t *ccodecs_jpeg_profile(const ccodecs_jpeg *jpeg, size_t *length) {
    *length = jpeg->profile_length;
    return jpeg->profile;
}
