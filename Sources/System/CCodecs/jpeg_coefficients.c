#include "jpeg.h"

#include <stdlib.h>

// For `decode_mcu`, by which the library gets an MCU's coefficients.
#include <jpegint.h>

struct jpeg_coefficients {
    entropy_tables tables;
    entropy_reader reader;
    int are_doubtful;
};

entropy_place jpeg_start_place(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    return (entropy_place){.next = info->src->next_input_byte, .left = info->restart_interval};
}

int are_jpeg_coefficients_ours(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    // Where a header is cut short the library goes on in an end of its own.
    return jpeg->bytes && ccodecs_jpeg_can_be_indexed(jpeg) && info->data_precision == 8 &&
           info->src->next_input_byte + info->src->bytes_in_buffer == jpeg->bytes + jpeg->length;
}

/// Whether a component's pixels are the means of its blocks.
static int is_of_means(const jpeg_component_info *component) {
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
        int others = component->ac_tbl_no, *last = &reader->last[number];
        JCOEF *block = *blocks[index];
        bit = entropy_read_mean(reader->bytes, bit, &tables->means[component->dc_tbl_no], last);
        if (!bit) return 0;
        block[0] = (JCOEF)*last;
        bit = is_of_means(component)
                  ? entropy_pass_block(
                        reader->bytes, bit, &tables->others[others], tables->runs[others])
                  : entropy_read_block(reader->bytes, bit, &tables->others[others], block);
        if (!bit) return 0;
    }
    return entropy_end_mcu(reader, bit);
}

static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks) {
    struct jpeg_coefficients *coefficients = ((ccodecs_jpeg *)info->client_data)->coefficients;
    if (!coefficients->are_doubtful && !read_mcu(info, coefficients, blocks))
        coefficients->are_doubtful = 1;
    return TRUE;
}

void read_jpeg_coefficients(ccodecs_jpeg *jpeg) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    if (!are_jpeg_coefficients_ours(jpeg)) return;
    struct jpeg_coefficients *coefficients = malloc(sizeof *coefficients);
    if (!coefficients || !entropy_tables_make(&coefficients->tables, info)) {
        free(coefficients);
        return;
    }
    coefficients->are_doubtful = 0;
    jpeg->coefficients = coefficients;
    info->entropy->decode_mcu = decode_mcu;
    entropy_place start = jpeg_start_place(jpeg);
    put_jpeg(jpeg, &start, 0);
}

void forget_jpeg_coefficients(ccodecs_jpeg *jpeg) {
    free(jpeg->coefficients);
    jpeg->coefficients = NULL;
}

void put_jpeg(ccodecs_jpeg *jpeg, const entropy_place *place, int row) {
    entropy_begin(&jpeg->coefficients->reader, place, jpeg->bytes + jpeg->length);
    // It counts rows of MCUs from here on, and smooths no colour past the last of them.
    jpeg->info.total_iMCU_rows -= (JDIMENSION)row;
}

int are_jpeg_coefficients_doubtful(const ccodecs_jpeg *jpeg) {
    return jpeg->coefficients && jpeg->coefficients->are_doubtful;
}
