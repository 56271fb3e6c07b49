#include "jpeg.h"

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
static int record_markers(ccodecs_jpeg_index *index, const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    size_t interval = info->restart_interval, row_mcus = jpeg_mcus_of_row(info);
    size_t mcus = (size_t)info->MCUs_per_row * info->MCU_rows_in_scan;
    size_t count = (mcus - 1) / interval;
    const jpeg_input *input = &index->input;
    const uint8_t *place = input->bytes + jpeg_source_offset(&jpeg->source);
    const uint8_t *end = input->bytes + input->length;
    for (size_t number = 0; number < count; number++) {
        place = next_marker(place, end);
        if (!place || place[1] != JPEG_RST0 + (int)(number & 7)) return 0;
        place += 2;
        size_t mcu = (number + 1) * interval;
        if (mcu % row_mcus != 0) continue;
        index->places[mcu / row_mcus] = (entropy_place){
            .offset = (uint64_t)(place - input->bytes),
            .left = (unsigned int)interval,
            .restart = (int)((number + 1) & 7),
        };
    }
    const uint8_t *last = next_marker(place, end);
    return last && last[1] == JPEG_EOI;
}

int ccodecs_jpeg_has_restarts(const ccodecs_jpeg *jpeg) {
    return jpeg->source.input.bytes && jpeg->info.restart_interval != 0 &&
           jpeg_is_sequential(jpeg);
}

ccodecs_jpeg_index *ccodecs_jpeg_find_restarts(const ccodecs_jpeg *jpeg) {
    if (!ccodecs_jpeg_has_restarts(jpeg) || !jpeg_can_read_coefficients(jpeg)) return NULL;
    ccodecs_jpeg_index *index = jpeg_index_create(jpeg);
    if (!index) return NULL;
    index->starts_at_restarts = 1;
    if (!index->can_enter || !record_markers(index, jpeg)) {
        ccodecs_jpeg_index_destroy(index);
        return NULL;
    }
    return index;
}
