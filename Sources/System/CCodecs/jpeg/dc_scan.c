#include "jpeg.h"

#include <stdlib.h>

typedef struct {
    entropy_reader reader;
    entropy_table tables[MAX_COMPS_IN_SCAN];
} dc_reader;

/// Reads the MCU in column `x` and row `y`. Returns 0 on an error.
static int read_mcu(dc_reader *dc, const ccodecs_jpeg_dc_scan *scan, int x, int y) {
    entropy_reader *reader = &dc->reader;
    if (!entropy_begin_mcu(reader, (unsigned int)scan->interval)) return 0;
    entropy_cursor cursor = entropy_cursor_of(reader);
    for (int number = 0; number < scan->count; number++) {
        const ccodecs_jpeg_dc_component *component = &scan->components[number];
        size_t first_row = (size_t)y * (size_t)component->rows;
        size_t first_column = (size_t)x * (size_t)component->columns;
        uint8_t *means = component->means + first_row * component->stride + first_column;
        for (int row = 0; row < component->rows; row++, means += component->stride)
            for (int column = 0; column < component->columns; column++) {
                int *last = &reader->last[number];
                if (!entropy_read_dc(&cursor, &dc->tables[number], last)) return 0;
                // The coefficient wraps around, as the library's does.
                JCOEF coefficient = (JCOEF)((unsigned int)*last << scan->shift);
                means[column] = entropy_block_mean(coefficient, component->step);
            }
    }
    return entropy_end_mcu(reader, &cursor);
}

static size_t read_scan(dc_reader *dc, const ccodecs_jpeg_dc_scan *scan) {
    for (int number = 0; number < scan->count; number++) {
        const uint8_t *table = scan->components[number].table;
        if (!entropy_table_make(&dc->tables[number], table, table + 16, MOST_DC_BITS_EVER, 1))
            return 0;
    }
    for (int y = 0; y < scan->height; y++)
        for (int x = 0; x < scan->width; x++)
            if (!read_mcu(dc, scan, x, y)) return 0;
    return (size_t)entropy_data_end(&dc->reader);
}

size_t ccodecs_jpeg_read_dc_scan(
    const uint8_t *bytes, size_t length, size_t start, const ccodecs_jpeg_dc_scan *scan) {
    if (scan->count < 1 || scan->count > MAX_COMPS_IN_SCAN) return 0;
    dc_reader *dc = malloc(sizeof *dc);
    if (!dc) return 0;
    jpeg_input input = {.bytes = bytes, .length = length};
    entropy_place place = {.offset = start, .left = (unsigned int)scan->interval};
    entropy_begin(&dc->reader, &input, &place);
    size_t end = read_scan(dc, scan);
    free(dc);
    return end;
}
