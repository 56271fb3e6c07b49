// Gives the library coefficients that `entropy.c` has read. The library calls the second function of
// its entropy decoder for the coefficients of an MCU, and this file replaces that function. The decoder
// is declared in jpegint.h, which is not for applications and which libjpeg-turbo 3 does not install:
// so the loaded library must have the very version of the headers, and one whose decoder begins as
// `entropy_functions` (`version.c`). Any other library decodes by itself.

#include "jpeg.h"

#include <stdlib.h>

/// The beginning of the library's entropy decoder.
struct entropy_functions {
    void (*start_pass)(j_decompress_ptr info);
    boolean (*decode_mcu)(j_decompress_ptr info, JBLOCKROW *blocks);
};

struct jpeg_coefficients {
    entropy_tables tables;
    entropy_reader reader;
    int are_invalid;
    /// The row of MCUs that was read last, counted from the row where decoding was entered, and the
    /// number of its MCUs that are still to be read.
    int row;
    size_t left_in_row;
};

entropy_place jpeg_start_place(const ccodecs_jpeg *jpeg) {
    return (entropy_place){
        .offset = jpeg_source_offset(&jpeg->source), .left = jpeg->info.restart_interval};
}

int jpeg_is_sequential(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    // A lossless JPEG has no DCT coefficients, and its Ss is not 0.
    return !info->progressive_mode && !info->arith_code && info->Ss == 0 &&
           info->comps_in_scan == info->num_components;
}

int jpeg_can_read_coefficients(const ccodecs_jpeg *jpeg) {
    // If the header is truncated, the library reads on in an end marker of its own.
    return jpeg_is_sequential(jpeg) && jpeg->info.data_precision == 8 &&
           !jpeg->source.is_past_end;
}

int ccodecs_jpeg_can_be_indexed(const ccodecs_jpeg *jpeg) {
    return jpeg_is_sequential(jpeg) && !jpeg->is_library_alone && ccodecs_jpeg_library_is_known();
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

/// Records where a row of MCUs begins. The rows above it are then known to be correct.
static void begin_row(ccodecs_jpeg *jpeg) {
    struct jpeg_coefficients *coefficients = jpeg->coefficients;
    coefficients->left_in_row = jpeg_mcus_of_row(&jpeg->info);
    int row = ++coefficients->row;
    ccodecs_jpeg_index *index = jpeg->recorded;
    if (!index || row >= index->rows) return;
    index->places[row] = entropy_place_of(&coefficients->reader);
    index->correct = row;
}

/// Notes that the last row of MCUs is correct as well.
static void end_row(ccodecs_jpeg *jpeg) {
    ccodecs_jpeg_index *index = jpeg->recorded;
    if (!index->has_error && jpeg->coefficients->row + 1 == index->rows)
        index->correct = index->rows;
}

static int read_mcu(ccodecs_jpeg *jpeg, JBLOCKROW *blocks) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    struct jpeg_coefficients *coefficients = jpeg->coefficients;
    entropy_reader *reader = &coefficients->reader;
    const entropy_tables *tables = &coefficients->tables;
    if (coefficients->left_in_row == 0) begin_row(jpeg);
    if (!entropy_begin_mcu(reader, info->restart_interval) || entropy_is_near_odd_end(reader))
        return 0;
    entropy_cursor cursor = entropy_cursor_of(reader);
    for (int index = 0; index < info->blocks_in_MCU; index++) {
        int number = info->MCU_membership[index];
        const jpeg_component_info *component = info->cur_comp_info[number];
        int ac = component->ac_tbl_no, *last = &reader->last[number];
        JCOEF *block = *blocks[index];
        if (!entropy_read_dc(&cursor, &tables->dc[component->dc_tbl_no], last)) return 0;
        block[0] = (JCOEF)*last;
        int is_read = needs_only_dc(component)
                          ? entropy_skip_ac(&cursor, &tables->ac[ac], tables->runs[ac])
                          : entropy_read_ac(
                                &cursor, &tables->ac[ac], tables->pairs[ac], block);
        if (!is_read) return 0;
    }
    coefficients->left_in_row--;
    return entropy_end_mcu(reader, &cursor);
}

static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks) {
    ccodecs_jpeg *jpeg = (ccodecs_jpeg *)info->client_data;
    struct jpeg_coefficients *coefficients = jpeg->coefficients;
    if (coefficients->are_invalid) return TRUE;
    coefficients->are_invalid = !read_mcu(jpeg, blocks);
    if (jpeg->recorded && coefficients->are_invalid) jpeg->recorded->has_error = 1;
    if (jpeg->recorded && coefficients->left_in_row == 0) end_row(jpeg);
    return TRUE;
}

static void replace_decoder(struct jpeg_decompress_struct *info) {
    ((struct entropy_functions *)(void *)info->entropy)->decode_mcu = decode_mcu;
}

void jpeg_install_coefficients(ccodecs_jpeg *jpeg, const entropy_place *place) {
    if (jpeg->is_library_alone || !ccodecs_jpeg_library_is_known() || !jpeg_can_read_coefficients(jpeg))
        return;
    struct jpeg_coefficients *coefficients = malloc(sizeof *coefficients);
    if (!coefficients || !entropy_tables_make(&coefficients->tables, &jpeg->info)) {
        free(coefficients);
        return;
    }
    coefficients->are_invalid = 0;
    coefficients->row = -1;
    coefficients->left_in_row = 0;
    jpeg->coefficients = coefficients;
    entropy_begin(&coefficients->reader, &jpeg->source.input, place);
    replace_decoder(&jpeg->info);
}

void jpeg_remove_coefficients(ccodecs_jpeg *jpeg) {
    free(jpeg->coefficients);
    jpeg->coefficients = NULL;
}

int jpeg_coefficients_are_invalid(const ccodecs_jpeg *jpeg) {
    return jpeg->coefficients && jpeg->coefficients->are_invalid;
}
