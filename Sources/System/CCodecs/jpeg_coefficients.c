#include "jpeg.h"

#include <stdlib.h>

// Declares `decode_mcu`, which the library calls for the coefficients of an MCU.
#include <jpegint.h>

struct jpeg_coefficients {
    entropy_tables tables;
    entropy_reader reader;
    int are_invalid;
};

entropy_place jpeg_start_place(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    return (entropy_place){.next = info->src->next_input_byte, .left = info->restart_interval};
}

int can_read_jpeg_coefficients(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    // If the header is truncated, the library reads on in an end marker of its own, outside the
    // JPEG's bytes.
    return jpeg->bytes && ccodecs_jpeg_can_be_indexed(jpeg) && info->data_precision == 8 &&
           info->src->next_input_byte + info->src->bytes_in_buffer == jpeg->bytes + jpeg->length;
}

/// Whether a component is reduced to 1/8 in both directions: its pixels are then the block means,
/// which need only the DC coefficients.
static int needs_only_dc(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
    return component->DCT_h_scaled_size == 1 && component->DCT_v_scaled_size == 1;
#else
    return component->DCT_scaled_size == 1;
#endif
}

static int read_mcu(
    const struct jpeg_decompress_struct *info, struct jpeg_coefficients *coefficients,
    JBLOCKROW *blocks) {
    entropy_reader *reader = &coefficients->reader;
    const entropy_tables *tables = &coefficients->tables;
    if (!entropy_begin_mcu(reader, info->restart_interval)) return 0;
    size_t bit = reader->bit;
    for (int index = 0; index < info->blocks_in_MCU; index++) {
        int number = info->MCU_membership[index];
        const jpeg_component_info *component = info->cur_comp_info[number];
        int ac = component->ac_tbl_no, *last = &reader->last[number];
        JCOEF *block = *blocks[index];
        bit = entropy_read_dc(reader->bytes, bit, &tables->dc[component->dc_tbl_no], last);
        if (!bit) return 0;
        block[0] = (JCOEF)*last;
        bit = needs_only_dc(component)
                  ? entropy_skip_ac(
                        reader->bytes, bit, &tables->ac[ac], tables->runs[ac])
                  : entropy_read_ac(reader->bytes, bit, &tables->ac[ac], block);
        if (!bit) return 0;
    }
    return entropy_end_mcu(reader, bit);
}

static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks) {
    struct jpeg_coefficients *coefficients = ((ccodecs_jpeg *)info->client_data)->coefficients;
    if (!coefficients->are_invalid && !read_mcu(info, coefficients, blocks))
        coefficients->are_invalid = 1;
    return TRUE;
}

void install_jpeg_coefficient_reader(ccodecs_jpeg *jpeg) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    if (!can_read_jpeg_coefficients(jpeg)) return;
    struct jpeg_coefficients *coefficients = malloc(sizeof *coefficients);
    if (!coefficients || !entropy_tables_make(&coefficients->tables, info)) {
        free(coefficients);
        return;
    }
    coefficients->are_invalid = 0;
    jpeg->coefficients = coefficients;
    info->entropy->decode_mcu = decode_mcu;
    entropy_place start = jpeg_start_place(jpeg);
    seek_jpeg(jpeg, &start, 0);
}

void remove_jpeg_coefficient_reader(ccodecs_jpeg *jpeg) {
    free(jpeg->coefficients);
    jpeg->coefficients = NULL;
}

void seek_jpeg(ccodecs_jpeg *jpeg, const entropy_place *place, int row) {
    entropy_begin(&jpeg->coefficients->reader, place, jpeg->bytes + jpeg->length);
    // The library counts rows of MCUs from here on. With the reduced total it smooths no chroma
    // beyond the last row.
    jpeg->info.total_iMCU_rows -= (JDIMENSION)row;
}

int are_jpeg_coefficients_invalid(const ccodecs_jpeg *jpeg) {
    return jpeg->coefficients && jpeg->coefficients->are_invalid;
}
