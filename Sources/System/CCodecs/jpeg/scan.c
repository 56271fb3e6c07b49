#include "jpeg.h"

#include <stdlib.h>

struct ccodecs_jpeg_scan {
    entropy_tables tables;
    entropy_reader reader;
    /// By component, the mean of each block.
    uint8_t *planes[MAX_COMPS_IN_SCAN];
    /// Where each row of MCUs begins; `correct` is the next row to read.
    ccodecs_jpeg_index *index;
};

/// Number of blocks of a component in a row of MCUs, and number of its rows of blocks.
static size_t stride_of(const struct jpeg_decompress_struct *info, int component) {
    return (size_t)info->MCUs_per_row * (size_t)info->cur_comp_info[component]->MCU_width;
}

static size_t height_of(const struct jpeg_decompress_struct *info, int component) {
    return (size_t)info->MCU_rows_in_scan * (size_t)info->cur_comp_info[component]->MCU_height;
}

static int make_planes(ccodecs_jpeg_scan *scan, const struct jpeg_decompress_struct *info) {
    for (int index = 0; index < info->comps_in_scan; index++) {
        // Callers address the means by the index of the component among all components.
        if (info->cur_comp_info[index]->component_index != index) return 0;
        scan->planes[index] = malloc(stride_of(info, index) * height_of(info, index));
        if (!scan->planes[index]) return 0;
    }
    return 1;
}

ccodecs_jpeg_scan *ccodecs_jpeg_scan_create(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    if (!ccodecs_jpeg_can_be_indexed(jpeg) || !jpeg_can_read_coefficients(jpeg)) return NULL;
    ccodecs_jpeg_scan *scan = calloc(1, sizeof *scan);
    if (!scan) return NULL;
    scan->index = jpeg_index_create(jpeg);
    if (!scan->index || !scan->index->can_enter || !entropy_tables_make(&scan->tables, info) ||
        !make_planes(scan, info)) {
        ccodecs_jpeg_scan_destroy(scan);
        return NULL;
    }
    entropy_place start = jpeg_start_place(jpeg);
    entropy_begin(&scan->reader, &jpeg->source.input, &start);
    return scan;
}

void ccodecs_jpeg_scan_destroy(ccodecs_jpeg_scan *scan) {
    if (!scan) return;
    for (int index = 0; index < MAX_COMPS_IN_SCAN; index++) free(scan->planes[index]);
    ccodecs_jpeg_index_destroy(scan->index);
    free(scan);
}

const ccodecs_jpeg_index *ccodecs_jpeg_scan_index(const ccodecs_jpeg_scan *scan) {
    return scan->index;
}

const uint8_t *ccodecs_jpeg_scan_dc_means(
    const ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg, int component, size_t *count,
    int *columns, int *rows) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    if (component < 0 || component >= info->comps_in_scan) return NULL;
    *count = stride_of(info, component) * height_of(info, component);
    *columns = info->cur_comp_info[component]->MCU_width;
    *rows = info->cur_comp_info[component]->MCU_height;
    return scan->planes[component];
}

/// Reads the blocks of a component in an MCU and writes their means to `target`. Returns 0 on an error.
static int read_block_means(
    ccodecs_jpeg_scan *scan, const jpeg_component_info *component, entropy_cursor *cursor,
    int *last, uint8_t *target, size_t stride) {
    const entropy_table *dc = &scan->tables.dc[component->dc_tbl_no];
    const entropy_table *ac = &scan->tables.ac[component->ac_tbl_no];
    const entropy_run *runs = scan->tables.runs[component->ac_tbl_no];
    int step = component->quant_table->quantval[0];
    for (int y = 0; y < component->MCU_height; y++, target += stride)
        for (int x = 0; x < component->MCU_width; x++) {
            if (!entropy_read_dc(cursor, dc, last) || !entropy_skip_ac(cursor, ac, runs))
                return 0;
            target[x] = entropy_block_mean((JCOEF)*last, step);
        }
    return 1;
}

/// Reads a row of MCUs of the scan. Returns 0 on an error.
static int read_row(
    ccodecs_jpeg_scan *scan, const struct jpeg_decompress_struct *info, int row) {
    entropy_reader *reader = &scan->reader;
    uint8_t *targets[MAX_COMPS_IN_SCAN];
    size_t strides[MAX_COMPS_IN_SCAN];
    for (int index = 0; index < info->comps_in_scan; index++) {
        strides[index] = stride_of(info, index);
        targets[index] = scan->planes[index] + (size_t)row * strides[index] *
                                                   (size_t)info->cur_comp_info[index]->MCU_height;
    }
    for (JDIMENSION column = 0; column < info->MCUs_per_row; column++) {
        if (!entropy_begin_mcu(reader, info->restart_interval) || entropy_is_near_odd_end(reader))
            return 0;
        entropy_cursor cursor = entropy_cursor_of(reader);
        for (int index = 0; index < info->comps_in_scan; index++) {
            const jpeg_component_info *component = info->cur_comp_info[index];
            if (!read_block_means(
                    scan, component, &cursor, &reader->last[index], targets[index],
                    strides[index]))
                return 0;
            targets[index] += component->MCU_width;
        }
        if (!entropy_end_mcu(reader, &cursor)) return 0;
    }
    return 1;
}

int ccodecs_jpeg_scan_is_done(const ccodecs_jpeg_scan *scan) {
    return scan->index->correct == scan->index->rows;
}

int ccodecs_jpeg_scan_row(ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    ccodecs_jpeg_index *index = scan->index;
    if (index->correct >= index->rows) return -1;
    index->places[index->correct] = entropy_place_of(&scan->reader);
    int rows_each = (int)(jpeg_mcus_of_row(info) / info->MCUs_per_row);
    int first = index->correct * rows_each, end = first + rows_each;
    if (end > (int)info->MCU_rows_in_scan) end = (int)info->MCU_rows_in_scan;
    for (int row = first; row < end; row++)
        if (!read_row(scan, info, row)) return -1;
    index->correct++;
    return 0;
}
