#include "jpeg.h"

#include <stdlib.h>

/// The library counts restart markers from the row where decoding was entered, so add the number of
/// the first one.
static boolean resync_from_entered_row(j_decompress_ptr info, int desired) {
    const ccodecs_jpeg *jpeg = (const ccodecs_jpeg *)info->client_data;
    int number = (desired + jpeg->first_restart) & 7;
    if (info->unread_marker != JPEG_RST0 + number) return jpeg_resync_to_restart(info, number);
    info->unread_marker = 0;
    return TRUE;
}

static ccodecs_jpeg *create(const jpeg_input *input) {
    ccodecs_jpeg *jpeg = calloc(1, sizeof *jpeg);
    if (!jpeg) return NULL;
    jpeg->info.err = jpeg_errors_begin(&jpeg->errors, jpeg->message, sizeof jpeg->message);
    // The library fails here if its version differs from that of the headers.
    if (setjmp(jpeg->errors.escape) || !jpeg_source_begin(&jpeg->source, input)) {
        ccodecs_jpeg_destroy(jpeg);
        return NULL;
    }
    jpeg_create_decompress(&jpeg->info);
    jpeg->info.client_data = jpeg;
    jpeg->source.manager.resync_to_restart = resync_from_entered_row;
    jpeg->info.src = &jpeg->source.manager;
    return jpeg;
}

ccodecs_jpeg *ccodecs_jpeg_create(const uint8_t *bytes, size_t length) {
    jpeg_input input = {.bytes = bytes, .length = length};
    return length > 0 ? create(&input) : NULL;
}

ccodecs_jpeg *ccodecs_jpeg_create_file(int descriptor) {
    jpeg_input input = {.descriptor = descriptor};
    return create(&input);
}

void ccodecs_jpeg_use_library_alone(ccodecs_jpeg *jpeg) { jpeg->is_library_alone = 1; }

void ccodecs_jpeg_destroy(ccodecs_jpeg *jpeg) {
    if (!jpeg) return;
    jpeg_destroy_decompress(&jpeg->info);
    jpeg_source_end(&jpeg->source);
    jpeg_remove_coefficients(jpeg);
    free(jpeg->profile);
    free(jpeg->header);
    free(jpeg->spare_row);
    free(jpeg->samples);
    free(jpeg);
}

int ccodecs_jpeg_read_header(ccodecs_jpeg *jpeg, int *width, int *height) {
    if (setjmp(jpeg->errors.escape)) return -1;
    jpeg_save_markers(&jpeg->info, JPEG_APP0 + 2, 0xFFFF);
    if (jpeg_read_header(&jpeg->info, TRUE) != JPEG_HEADER_OK) return -1;
    *width = (int)jpeg->info.image_width;
    *height = (int)jpeg->info.image_height;
    jpeg_read_icc_profile(&jpeg->info, &jpeg->profile, &jpeg->profile_length);
    return 0;
}

int ccodecs_jpeg_channels(const ccodecs_jpeg *jpeg) {
    switch (jpeg->info.jpeg_color_space) {
    case JCS_CMYK:
    case JCS_YCCK: return 4;
    case JCS_GRAYSCALE: return 1;
    default: return 3;
    }
}

void jpeg_start_decoding(ccodecs_jpeg *jpeg) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    info->scale_num = 1;
    info->scale_denom = (unsigned int)jpeg->denominator;
    int channels = ccodecs_jpeg_channels(jpeg);
    jpeg->is_inverted = channels == 4 && info->saw_Adobe_marker;
    info->out_color_space = channels == 4 ? JCS_CMYK : channels == 1 ? JCS_GRAYSCALE : JCS_EXT_BGRA;
    info->raw_data_out = jpeg->has_planes ? TRUE : FALSE;
    if (jpeg->has_planes && channels != 1) info->out_color_space = JCS_YCbCr;
    jpeg_start_decompress(info);
    if (jpeg->crop_width > 0) jpeg_crop_scanline(info, &jpeg->crop_x, &jpeg->crop_width);
}

int ccodecs_jpeg_start(ccodecs_jpeg *jpeg, int denominator, int *width, int *height) {
    if (setjmp(jpeg->errors.escape)) return -1;
    jpeg->denominator = denominator;
    jpeg_start_decoding(jpeg);
    entropy_place place = jpeg_start_place(jpeg);
    jpeg_install_coefficients(jpeg, &place);
    *width = (int)jpeg->info.output_width;
    *height = (int)jpeg->info.output_height;
    return 0;
}

int jpeg_restart_decoder(ccodecs_jpeg *jpeg) {
    jpeg_remove_coefficients(jpeg);
    jpeg_abort_decompress(&jpeg->info);
    jpeg_source_rewind(
        &jpeg->source, jpeg->header, jpeg->header_length, jpeg->entered_offset);
    if (jpeg_read_header(&jpeg->info, TRUE) != JPEG_HEADER_OK) return 0;
    jpeg_start_decoding(jpeg);
    return 1;
}

/// Restarts decoding with the library's own entropy decoder, which can handle corrupt data, and
/// skips `rows` rows. Returns 0 if that is impossible.
static int start_over(ccodecs_jpeg *jpeg, JDIMENSION rows) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    if (jpeg->entered_row > 0 && !jpeg->is_entered_at_restart) return 0;
    if (!jpeg_restart_decoder(jpeg)) return 0;
    size_t width = (size_t)info->output_width * (size_t)info->output_components;
    if (!jpeg->spare_row) jpeg->spare_row = malloc(width);
    if (!jpeg->spare_row) return 0;
    while (info->output_scanline < rows)
        if (jpeg_read_scanlines(info, &jpeg->spare_row, 1) == 0) return 0;
    return 1;
}

/// Inverts CMYK samples: Adobe's programs write 255 for no coverage.
static void invert(uint8_t *row, size_t count) {
    for (size_t index = 0; index < count; index++) row[index] = 255 - row[index];
}

int ccodecs_jpeg_is_progressive(const ccodecs_jpeg *jpeg) { return jpeg->info.progressive_mode; }

size_t ccodecs_jpeg_coefficient_bytes(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    if (!info->progressive_mode && info->comps_in_scan == info->num_components) return 0;
    size_t samples = 0, area = (size_t)info->max_h_samp_factor * (size_t)info->max_v_samp_factor;
    for (int index = 0; index < info->num_components; index++)
        samples += (size_t)(info->comp_info[index].h_samp_factor *
                            info->comp_info[index].v_samp_factor);
    return 2 * (size_t)info->image_width * info->image_height * samples / area;
}

int ccodecs_jpeg_is_ycc(const ccodecs_jpeg *jpeg) {
    return jpeg->info.jpeg_color_space == JCS_YCbCr;
}

int ccodecs_jpeg_read_rows(ccodecs_jpeg *jpeg, uint8_t *const *rows, int count) {
    if (setjmp(jpeg->errors.escape)) return -1;
    struct jpeg_decompress_struct *info = &jpeg->info;
    volatile int done = 0;
    while (done < count && info->output_scanline < info->output_height) {
        JDIMENSION before = info->output_scanline;
        JDIMENSION read =
            jpeg_read_scanlines(info, (JSAMPARRAY)(rows + done), (JDIMENSION)(count - done));
        if (jpeg_coefficients_are_invalid(jpeg)) {
            if (!start_over(jpeg, before)) return -1;
            continue;
        }
        if (read == 0) break;
        if (jpeg->is_inverted)
            for (JDIMENSION row = 0; row < read; row++)
                invert(rows[done + (int)row], (size_t)info->output_width * 4);
        done += (int)read;
    }
    return done;
}

int ccodecs_jpeg_warnings(const ccodecs_jpeg *jpeg) { return (int)jpeg->errors.manager.num_warnings; }

const char *ccodecs_jpeg_message(const ccodecs_jpeg *jpeg) { return jpeg->message; }

const uint8_t *ccodecs_jpeg_profile(const ccodecs_jpeg *jpeg, size_t *length) {
    *length = jpeg->profile_length;
    return jpeg->profile;
}

int ccodecs_jpeg_mcu_height(const ccodecs_jpeg *jpeg) {
    return jpeg->info.max_v_samp_factor * DCTSIZE;
}

int ccodecs_jpeg_mcu_width(const ccodecs_jpeg *jpeg) {
    return jpeg->info.max_h_samp_factor * DCTSIZE;
}

int ccodecs_jpeg_crop(ccodecs_jpeg *jpeg, int *x, int *width) {
    if (setjmp(jpeg->errors.escape)) return -1;
    jpeg->crop_x = (JDIMENSION)*x;
    jpeg->crop_width = (JDIMENSION)*width;
    jpeg_crop_scanline(&jpeg->info, &jpeg->crop_x, &jpeg->crop_width);
    *x = (int)jpeg->crop_x;
    *width = (int)jpeg->crop_width;
    return 0;
}
