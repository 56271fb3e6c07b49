#include "jpeg.h"

#include <stdlib.h>

// MARK: The header

/// The offset of the image height in the frame header of a sequential JPEG; 0 if there is none.
/// Source: ITU-T T.81, B.2.2.
static size_t find_height(const uint8_t *header, size_t length) {
    size_t place = 2;
    while (length - place >= 9) {
        uint8_t marker = header[place + 1];
        // Like the library, skip bytes between segments, and fill bytes.
        if (header[place] != 0xFF || marker == 0xFF) {
            place++;
            continue;
        }
        if (marker == 0xC0 || marker == 0xC1) return place + 5;
        // Markers without a segment.
        if (marker <= 1 || (marker >= 0xD0 && marker <= 0xD8)) {
            place += 2;
            continue;
        }
        size_t next = place + 2 + ((size_t)header[place + 2] << 8 | header[place + 3]);
        if (next > length) return 0;
        place = next;
    }
    return 0;
}

static unsigned int height_in(const ccodecs_jpeg_index *index) {
    const uint8_t *place = index->header + index->height_offset;
    return (unsigned int)place[0] << 8 | place[1];
}

/// Copies the bytes before the scan's data. Returns 0 without memory, or if the header is not as
/// expected.
static int copy_header(ccodecs_jpeg_index *index, const ccodecs_jpeg *jpeg) {
    uint64_t length = jpeg_source_offset(&jpeg->source);
    if (jpeg->source.is_past_end || length < 2 || length > SIZE_MAX) return 0;
    index->header_length = (size_t)length;
    index->header = malloc(index->header_length);
    if (!index->header) return 0;
    for (size_t done = 0; done < index->header_length;) {
        size_t count = jpeg_input_read(
            &index->input, done, index->header + done, index->header_length - done);
        if (count == 0) return 0;
        done += count;
    }
    index->height_offset = find_height(index->header, index->header_length);
    return index->height_offset > 0 && height_in(index) == jpeg->info.image_height;
}

// MARK: The index

size_t jpeg_mcus_of_row(const struct jpeg_decompress_struct *info) {
    size_t rows = info->comps_in_scan == 1 ? (size_t)info->cur_comp_info[0]->v_samp_factor : 1;
    return (size_t)info->MCUs_per_row * rows;
}

ccodecs_jpeg_index *jpeg_index_create(const ccodecs_jpeg *jpeg) {
    size_t rows = (size_t)jpeg->info.total_iMCU_rows;
    ccodecs_jpeg_index *index = calloc(1, sizeof *index + rows * sizeof *index->places);
    if (!index) return NULL;
    index->rows = (int)rows;
    index->input = jpeg->source.input;
    index->can_enter = copy_header(index, jpeg);
    return index;
}

void ccodecs_jpeg_index_destroy(ccodecs_jpeg_index *index) {
    if (!index) return;
    free(index->header);
    free(index);
}

ccodecs_jpeg_index *ccodecs_jpeg_record_index(ccodecs_jpeg *jpeg) {
    ccodecs_jpeg_index *index = jpeg_index_create(jpeg);
    if (index) index->has_error = !jpeg->coefficients || !index->can_enter;
    jpeg->recorded = index;
    return index;
}

int ccodecs_jpeg_index_rows(const ccodecs_jpeg_index *index) { return index->rows; }

int ccodecs_jpeg_index_correct_rows(const ccodecs_jpeg_index *index) { return index->correct; }

int ccodecs_jpeg_index_has_error(const ccodecs_jpeg_index *index) { return index->has_error; }

int ccodecs_jpeg_index_before(const ccodecs_jpeg_index *index, int row) {
    if (row >= index->rows) row = index->rows - 1;
    while (row > 0 && index->places[row].offset == 0) row--;
    return row > 0 ? row : 0;
}

// MARK: Entering

static int is_same_input(const jpeg_input *input, const jpeg_input *other) {
    return input->bytes == other->bytes && input->length == other->length;
}

/// Gives the decoder a header with the height of the rows of MCUs from `row` on. Returns 0 without
/// memory.
static int replace_header(ccodecs_jpeg *jpeg, const ccodecs_jpeg_index *index, int row) {
    unsigned int height = height_in(index) - (unsigned int)(row * ccodecs_jpeg_mcu_height(jpeg));
    uint8_t *header = malloc(index->header_length);
    if (!header) return 0;
    memcpy(header, index->header, index->header_length);
    header[index->height_offset] = (uint8_t)(height >> 8);
    header[index->height_offset + 1] = (uint8_t)height;
    free(jpeg->header);
    jpeg->header = header;
    jpeg->header_length = index->header_length;
    return 1;
}

int ccodecs_jpeg_enter(ccodecs_jpeg *jpeg, const ccodecs_jpeg_index *index, int row) {
    if (row == 0) return 0;
    // With a single row of MCUs the library would smooth chroma differently.
    if (!index->can_enter || row < 0 || row + 1 >= index->rows || index->places[row].offset == 0 ||
        (int)jpeg->info.total_iMCU_rows != index->rows ||
        !is_same_input(&jpeg->source.input, &index->input) ||
        (!jpeg->coefficients && !index->starts_at_restarts))
        return -1;
    if (setjmp(jpeg->errors.escape) || !replace_header(jpeg, index, row)) return -1;
    const entropy_place *place = &index->places[row];
    jpeg->entered_row = row;
    jpeg->entered_offset = place->offset;
    jpeg->first_restart = place->restart;
    jpeg->is_entered_at_restart = index->starts_at_restarts;
    if (!jpeg_restart_decoder(jpeg)) return -1;
    if (jpeg->has_planes && !jpeg_planes_are_the_same(jpeg)) return -1;
    jpeg_install_coefficients(jpeg, place);
    return jpeg->coefficients || jpeg->is_entered_at_restart ? 0 : -1;
}
