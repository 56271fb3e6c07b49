#include "jpeg.h"

#include <stdlib.h>
#include <string.h>

struct ccodecs_jpeg_restarts {
    int rows;
    /// By row of MCUs: the offset of the end of the restart marker before the row; 0 if there is
    /// none.
    size_t *offsets;
    /// By row of MCUs: the number, 0 to 7, of the next restart marker.
    uint8_t *numbers;
};

/// The next marker in entropy-coded data, or NULL if there is none.
static const uint8_t *next_marker(const uint8_t *place, const uint8_t *end) {
    while (place < end && (place = memchr(place, 0xFF, (size_t)(end - place)))) {
        if (end - place < 2) return NULL;
        if (place[1] != 0) return place;
        // A data byte 0xFF with its stuffed zero.
        place += 2;
    }
    return NULL;
}

/// Records every restart marker at the start of a row of MCUs. Returns 0 if a marker is missing or
/// out of order.
static int record_markers(ccodecs_jpeg_restarts *restarts, const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    size_t interval = info->restart_interval;
    // In a scan of a single component a row of MCUs is a row of blocks, whatever the sampling
    // factors are.
    size_t rows_each =
        info->comps_in_scan == 1 ? (size_t)info->cur_comp_info[0]->v_samp_factor : 1;
    size_t row_mcus = (size_t)info->MCUs_per_row * rows_each;
    size_t mcus = (size_t)info->MCUs_per_row * info->MCU_rows_in_scan;
    size_t count = (mcus - 1) / interval;
    const uint8_t *place = info->src->next_input_byte;
    const uint8_t *end = place + info->src->bytes_in_buffer;
    for (size_t index = 0; index < count; index++) {
        place = next_marker(place, end);
        if (!place || place[1] != JPEG_RST0 + (int)(index & 7)) return 0;
        place += 2;
        size_t mcu = (index + 1) * interval;
        if (mcu % row_mcus != 0) continue;
        restarts->offsets[mcu / row_mcus] = (size_t)(place - jpeg->bytes);
        restarts->numbers[mcu / row_mcus] = (uint8_t)((index + 1) & 7);
    }
    const uint8_t *last = next_marker(place, end);
    return last && last[1] == JPEG_EOI;
}

int ccodecs_jpeg_has_restarts(const ccodecs_jpeg *jpeg) {
    return jpeg->bytes && jpeg->info.restart_interval != 0 && ccodecs_jpeg_can_be_indexed(jpeg);
}

ccodecs_jpeg_restarts *ccodecs_jpeg_find_restarts(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    if (!ccodecs_jpeg_has_restarts(jpeg) || !can_read_jpeg_coefficients(jpeg)) return NULL;
    ccodecs_jpeg_restarts *restarts = calloc(1, sizeof *restarts);
    if (!restarts) return NULL;
    restarts->rows = (int)info->total_iMCU_rows;
    restarts->offsets = calloc((size_t)restarts->rows, sizeof *restarts->offsets);
    restarts->numbers = calloc((size_t)restarts->rows, 1);
    if (!restarts->offsets || !restarts->numbers || !record_markers(restarts, jpeg)) {
        ccodecs_jpeg_restarts_destroy(restarts);
        return NULL;
    }
    return restarts;
}

void ccodecs_jpeg_restarts_destroy(ccodecs_jpeg_restarts *restarts) {
    if (!restarts) return;
    free(restarts->offsets);
    free(restarts->numbers);
    free(restarts);
}

int ccodecs_jpeg_restarts_rows(const ccodecs_jpeg_restarts *restarts) { return restarts->rows; }

int ccodecs_jpeg_restarts_before(const ccodecs_jpeg_restarts *restarts, int row) {
    if (row >= restarts->rows) row = restarts->rows - 1;
    while (row > 0 && restarts->offsets[row] == 0) row--;
    return row > 0 ? row : 0;
}

/// The library counts restart markers from the row where decoding was entered, so add the number of
/// the first one.
static boolean resync_from_entered_row(j_decompress_ptr info, int desired) {
    ccodecs_jpeg *jpeg = (ccodecs_jpeg *)info->client_data;
    int number = (desired + jpeg->first_restart) & 7;
    if (info->unread_marker != JPEG_RST0 + number) return jpeg_resync_to_restart(info, number);
    info->unread_marker = 0;
    return TRUE;
}

int ccodecs_jpeg_enter(ccodecs_jpeg *jpeg, const ccodecs_jpeg_restarts *restarts, int row) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    if (row == 0) return 0;
    if (row < 0 || row + 1 >= restarts->rows || (int)info->total_iMCU_rows != restarts->rows ||
        restarts->offsets[row] == 0 || restarts->offsets[row] > jpeg->length)
        return -1;
    jpeg->entered_row = row;
    jpeg->entered_offset = restarts->offsets[row];
    jpeg->first_restart = restarts->numbers[row];
    if (jpeg->coefficients) {
        entropy_place place = {
            .next = jpeg->bytes + jpeg->entered_offset,
            .left = info->restart_interval,
            .restart = jpeg->first_restart,
        };
        seek_jpeg(jpeg, &place, row);
    } else {
        enter_jpeg(jpeg);
    }
    return 0;
}

void enter_jpeg(ccodecs_jpeg *jpeg) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    if (jpeg->entered_row == 0) return;
    // Before its first byte the entropy decoder has the same state as after a restart marker.
    info->src->next_input_byte = jpeg->bytes + jpeg->entered_offset;
    info->src->bytes_in_buffer = jpeg->length - jpeg->entered_offset;
    info->src->resync_to_restart = resync_from_entered_row;
    // The library counts rows of MCUs from here on. With the reduced total it smooths no chroma
    // beyond the last row.
    info->total_iMCU_rows -= (JDIMENSION)jpeg->entered_row;
}
