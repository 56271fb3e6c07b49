#include "jpeg.h"

#include <stdlib.h>

struct ccodecs_jpeg_scan {
    const uint8_t *bytes;
    size_t length;
    entropy_tables tables;
    /// Number of rows of MCUs as the library counts them, and number of MCU rows of the scan in
    /// each of these.
    int rows;
    int rows_each;
    /// The next row to read.
    int next;
    entropy_reader reader;
    /// By component, the mean of each block.
    uint8_t *planes[MAX_COMPS_IN_SCAN];
    /// Where each row begins.
    entropy_place starts[];
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
    if (!can_read_jpeg_coefficients(jpeg)) return NULL;
    int rows = (int)info->total_iMCU_rows;
    ccodecs_jpeg_scan *scan = calloc(1, sizeof *scan + (size_t)rows * sizeof *scan->starts);
    if (!scan) return NULL;
    scan->bytes = jpeg->bytes;
    scan->length = jpeg->length;
    scan->rows = rows;
    scan->rows_each = info->comps_in_scan == 1 ? info->cur_comp_info[0]->v_samp_factor : 1;
    if (!entropy_tables_make(&scan->tables, info) || !make_planes(scan, info)) {
        ccodecs_jpeg_scan_destroy(scan);
        return NULL;
    }
    entropy_place start = jpeg_start_place(jpeg);
    entropy_begin(&scan->reader, &start, jpeg->bytes + jpeg->length);
    return scan;
}

void ccodecs_jpeg_scan_destroy(ccodecs_jpeg_scan *scan) {
    if (!scan) return;
    for (int index = 0; index < MAX_COMPS_IN_SCAN; index++) free(scan->planes[index]);
    free(scan);
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

static uint8_t mean_of(int coefficient, int step) {
    int mean = (((JCOEF)coefficient * step + 4) >> 3) + CENTERJSAMPLE;
    return (uint8_t)(mean < 0 ? 0 : mean > MAXJSAMPLE ? MAXJSAMPLE : mean);
}

/// Reads the blocks of a component in an MCU and writes their means to `target`. Returns the
/// position of the next bit, or 0 on an error.
static size_t read_block_means(
    ccodecs_jpeg_scan *scan, const jpeg_component_info *component, size_t bit, int *last,
    uint8_t *target, size_t stride) {
    const entropy_table *dc = &scan->tables.dc[component->dc_tbl_no];
    const entropy_table *ac = &scan->tables.ac[component->ac_tbl_no];
    const entropy_run *runs = scan->tables.runs[component->ac_tbl_no];
    const uint8_t *bytes = scan->reader.bytes;
    int step = component->quant_table->quantval[0];
    for (int y = 0; y < component->MCU_height; y++, target += stride)
        for (int x = 0; x < component->MCU_width; x++) {
            bit = entropy_read_dc(bytes, bit, dc, last);
            if (bit) bit = entropy_skip_ac(bytes, bit, ac, runs);
            if (!bit) return 0;
            target[x] = mean_of(*last, step);
        }
    return bit;
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
        if (!entropy_begin_mcu(reader, info->restart_interval)) return 0;
        size_t bit = reader->bit;
        for (int index = 0; index < info->comps_in_scan; index++) {
            const jpeg_component_info *component = info->cur_comp_info[index];
            bit = read_block_means(
                scan, component, bit, &reader->last[index], targets[index], strides[index]);
            if (!bit) return 0;
            targets[index] += component->MCU_width;
        }
        if (!entropy_end_mcu(reader, bit)) return 0;
    }
    return 1;
}

int ccodecs_jpeg_scan_is_done(const ccodecs_jpeg_scan *scan) { return scan->next == scan->rows; }

int ccodecs_jpeg_scan_row(ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg) {
    if (scan->next >= scan->rows) return -1;
    scan->starts[scan->next] = entropy_place_of(&scan->reader);
    int first = scan->next * scan->rows_each, end = first + scan->rows_each;
    if (end > (int)jpeg->info.MCU_rows_in_scan) end = (int)jpeg->info.MCU_rows_in_scan;
    for (int row = first; row < end; row++)
        if (!read_row(scan, &jpeg->info, row)) return -1;
    scan->next++;
    return 0;
}

int ccodecs_jpeg_enter_scan(ccodecs_jpeg *jpeg, const ccodecs_jpeg_scan *scan, int row) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    if (row < 0 || row >= scan->next || (row > 0 && row + 1 == scan->rows) || (int)info->total_iMCU_rows != scan->rows ||
        jpeg->bytes != scan->bytes || jpeg->length != scan->length || !jpeg->coefficients)
        return -1;
    jpeg->entered_row = -1;
    seek_jpeg(jpeg, &scan->starts[row], row);
    return 0;
}
