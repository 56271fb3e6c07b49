// Encodes the pixels of a JPEG that is written anew.

#include "writing.h"

#include <stdlib.h>
#include <string.h>

/// The luminance table of the standard at quality 50. Source: ITU-T T.81, table K.1.
static const int standard_luminance[DCTSIZE2] = {
    16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,  14, 13, 16, 24, 40, 57,
    69, 56, 14, 17, 22,  29,  51,  87,  80, 62, 18, 22, 37,  56,  68,  109, 103, 77, 24, 35, 55, 64,
    81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

/// The quality whose table has the mean of a file's table.
static int quality_of(const JQUANT_TBL *table) {
    if (!table) return 0;
    long sum = 0;
    for (int index = 0; index < DCTSIZE2; index++) sum += table->quantval[index];
    int best = 1;
    long best_difference = -1;
    for (int quality = 1; quality <= 100; quality++) {
        int scale = jpeg_quality_scaling(quality);
        long total = 0;
        for (int index = 0; index < DCTSIZE2; index++) {
            long step = ((long)standard_luminance[index] * scale + 50) / 100;
            total += step < 1 ? 1 : step > 255 ? 255 : step;
        }
        long difference = labs(total - sum);
        if (best_difference < 0 || difference <= best_difference) {
            best_difference = difference;
            best = quality;
        }
    }
    return best;
}

int ccodecs_jpeg_read_format(const uint8_t *bytes, size_t count, ccodecs_jpeg_format *format) {
    struct jpeg_decompress_struct info;
    memset(&info, 0, sizeof info);
    jpeg_errors errors;
    info.err = jpeg_errors_begin(&errors, NULL, 0);
    volatile int code = -1;
    if (!setjmp(errors.escape)) {
        jpeg_create_decompress(&info);
        jpeg_mem_src(&info, bytes, count);
        if (jpeg_read_header(&info, TRUE) == JPEG_HEADER_OK && info.num_components <= 4) {
            memset(format, 0, sizeof *format);
            format->components = info.num_components;
            for (int index = 0; index < info.num_components; index++) {
                format->horizontal[index] = info.comp_info[index].h_samp_factor;
                format->vertical[index] = info.comp_info[index].v_samp_factor;
            }
            format->is_progressive = info.progressive_mode;
            format->is_ycck = info.jpeg_color_space == JCS_YCCK;
            int table = info.comp_info[0].quant_tbl_no;
            format->quality = quality_of(
                table >= 0 && table < NUM_QUANT_TBLS ? info.quant_tbl_ptrs[table] : NULL);
            code = 0;
        }
    }
    jpeg_destroy_decompress(&info);
    return code;
}

static void set_format(struct jpeg_compress_struct *target, const ccodecs_jpeg_format *format) {
    target->input_components = format->components == 1 ? 1 : 4;
    target->in_color_space = format->components == 1   ? JCS_GRAYSCALE
                             : format->components == 4 ? JCS_CMYK
                                                       : JCS_EXT_RGBX;
    jpeg_set_defaults(target);
    if (format->is_ycck) jpeg_set_colorspace(target, JCS_YCCK);
    jpeg_set_quality(target, format->quality, TRUE);
    // The inks of CMYK are all equally sharp, as the library sets them; the rest has chroma.
    int is_subsampled = format->components == 3 || format->is_ycck;
    for (int index = 0; index < format->components && is_subsampled; index++) {
        target->comp_info[index].h_samp_factor = format->horizontal[index];
        target->comp_info[index].v_samp_factor = format->vertical[index];
    }
    target->optimize_coding = TRUE;
    target->dct_method = JDCT_ISLOW;
    if (format->is_progressive) jpeg_simple_progression(target);
    if (format->components == 4) target->write_Adobe_marker = TRUE;
}

int ccodecs_jpeg_encode(
    const ccodecs_jpeg_format *format, int width, int height, ccodecs_jpeg_row_source *read,
    ccodecs_jpeg_progress *report, void *context, uint8_t **result, size_t *result_length,
    char *message, size_t length) {
    struct jpeg_compress_struct target;
    memset(&target, 0, sizeof target);
    jpeg_errors errors;
    target.err = jpeg_errors_begin(&errors, message, length);
    jpeg_output output = {0};
    jpeg_progress progress;
    size_t row_length = (size_t)width * (format->components == 1 ? 1 : 4);
    uint8_t *row = malloc(row_length);
    if (!row) return -1;
    volatile int code = -1;
    if (!setjmp(errors.escape)) {
        jpeg_create_compress(&target);
        target.progress = jpeg_progress_begin(&progress, report, context);
        jpeg_output_begin(&output, &target);
        target.image_width = (JDIMENSION)width;
        target.image_height = (JDIMENSION)height;
        set_format(&target, format);
        jpeg_start_compress(&target, TRUE);
        while (target.next_scanline < target.image_height) {
            read(context, (int)target.next_scanline, row);
            // Adobe's programs write 255 for no coverage.
            if (format->components == 4)
                for (size_t index = 0; index < row_length; index++) row[index] = 255 - row[index];
            jpeg_write_scanlines(&target, &row, 1);
        }
        jpeg_finish_compress(&target);
        *result = output.bytes;
        *result_length = output.length;
        code = 0;
    }
    jpeg_destroy_compress(&target);
    free(row);
    if (code != 0) free(output.bytes);
    return code;
}
