#include "entropy.h"

void entropy_begin(entropy_reader *reader, const jpeg_input *input, const entropy_place *place) {
    reader->input = *input;
    if (input->bytes) {
        size_t start = place->offset < input->length ? (size_t)place->offset : input->length;
        reader->next = input->bytes + start;
        reader->end = input->bytes + input->length;
        reader->end_offset = input->length;
    } else {
        reader->next = reader->end = reader->block;
        reader->end_offset = place->offset;
    }
    reader->is_at_end = input->bytes != NULL;
    reader->is_at_marker = 0;
    reader->is_odd = 0;
    reader->count = 0;
    reader->bit = 0;
    memcpy(reader->last, place->last, sizeof reader->last);
    reader->left = place->left;
    reader->restart = place->restart;
    entropy_fill(reader);
    reader->bit = place->bit;
}

static uint64_t next_offset(const entropy_reader *reader) {
    return reader->end_offset - (uint64_t)(reader->end - reader->next);
}

entropy_place entropy_place_of(const entropy_reader *reader) {
    entropy_place place = {
        .bit = reader->bit % 8, .left = reader->left, .restart = reader->restart};
    memcpy(place.last, reader->last, sizeof place.last);
    // Each byte in `bytes` is one byte of the input, or two bytes if it is 0xFF.
    const uint8_t *byte = reader->bytes + reader->bit / 8, *end = reader->bytes + reader->count;
    size_t count = (size_t)(end - byte);
    for (; (byte = memchr(byte, 0xFF, (size_t)(end - byte))); byte++) count++;
    place.offset = next_offset(reader) - count;
    return place;
}

/// Reads the next part of the file, so that at least two bytes are at hand unless the file ends.
static void read_block(entropy_reader *reader) {
    if (reader->is_at_end) return;
    size_t left = (size_t)(reader->end - reader->next);
    memmove(reader->block, reader->next, left);
    size_t count = jpeg_input_read(
        &reader->input, reader->end_offset, reader->block + left, sizeof reader->block - left);
    reader->is_at_end = count == 0;
    reader->next = reader->block;
    reader->end = reader->block + left + count;
    reader->end_offset += count;
}

/// Copies bytes up to the next 0xFF, or as many as there is room for.
static void copy_plain_bytes(entropy_reader *reader) {
    size_t room = WINDOW_BYTES - reader->count, left = (size_t)(reader->end - reader->next);
    size_t most = left < room ? left : room;
    const uint8_t *special = most > 0 ? memchr(reader->next, 0xFF, most) : NULL;
    size_t count = special ? (size_t)(special - reader->next) : most;
    memcpy(reader->bytes + reader->count, reader->next, count);
    reader->count += count;
    reader->next += count;
}

void entropy_fill(entropy_reader *reader) {
    if (reader->is_at_marker) return;
    size_t done = reader->bit / 8;
    memmove(reader->bytes, reader->bytes + done, reader->count - done);
    reader->count -= done;
    reader->bit %= 8;
    while (reader->count < WINDOW_BYTES && !reader->is_at_marker) {
        copy_plain_bytes(reader);
        if (reader->count == WINDOW_BYTES) break;
        // The bytes at hand end here, or a 0xFF is next.
        if (reader->end - reader->next < 2) read_block(reader);
        size_t left = (size_t)(reader->end - reader->next);
        if (left > 0 && reader->next[0] != 0xFF) continue;
        if (left >= 2 && reader->next[1] == 0) {
            reader->bytes[reader->count++] = 0xFF;
            reader->next += 2;
        } else if (left >= 2 || reader->is_at_end) {
            reader->is_at_marker = 1;
            reader->is_odd = left < 2 || reader->next[1] == 0xFF;
        }
    }
    memset(reader->bytes + reader->count, 0, MOST_MCU_BYTES);
}

int entropy_skip_restart(entropy_reader *reader) {
    entropy_fill(reader);
    // The remaining bits of the last byte are padding.
    if (!reader->is_at_marker || (reader->bit + 7) / 8 != reader->count ||
        reader->end - reader->next < 2 || reader->next[0] != 0xFF ||
        reader->next[1] != JPEG_RST0 + reader->restart)
        return 0;
    reader->next += 2;
    reader->restart = (reader->restart + 1) & 7;
    reader->is_at_marker = 0;
    reader->is_odd = 0;
    reader->count = 0;
    reader->bit = 0;
    memset(reader->last, 0, sizeof reader->last);
    return 1;
}

uint64_t entropy_data_end(entropy_reader *reader) {
    while (!reader->is_at_marker) {
        reader->bit = reader->count * 8;
        entropy_fill(reader);
    }
    // A single 0xFF at the end of the input is no marker.
    return reader->is_at_end && reader->end - reader->next < 2 ? reader->end_offset
                                                              : next_offset(reader);
}

/// Moves a cursor to the end of a block.
static inline int end_block(entropy_cursor *cursor, const entropy_cursor *end) {
    *cursor = *end;
    return 1;
}

int entropy_skip_ac(
    entropy_cursor *cursor, const entropy_table *table, const entropy_run *runs) {
    entropy_cursor here = *cursor;
    int next = 1;
    while (next < DCTSIZE2) {
        entropy_refill(&here);
        // The bits suffice for two symbols.
        for (int count = 0; count < 2; count++) {
            entropy_run run = runs[here.bits >> (64 - RUN_BITS)];
            int steps = run >> RUN_STEPS_SHIFT;
            // A run that reaches the end of the block may include codes of the next block.
            if (run == 0 || next + steps >= DCTSIZE2) {
                entropy_symbol symbol = entropy_symbol_of(here.bits, table);
                if (entropy_bits_of(symbol) == 0) return 0;
                entropy_advance(&here, entropy_bits_of(symbol));
                if (symbol & ENTROPY_IS_END) return end_block(cursor, &here);
                next += entropy_steps_of(symbol);
                break;
            }
            entropy_advance(&here, run & RUN_LENGTH);
            if (run & RUN_IS_END) return end_block(cursor, &here);
            next += steps;
        }
    }
    return next == DCTSIZE2 && end_block(cursor, &here);
}

int entropy_read_ac(
    entropy_cursor *cursor, const entropy_table *table, const entropy_pair *pairs, JCOEF *block) {
    // Source: ITU-T T.81, figure 5.
    static const uint8_t order[DCTSIZE2] = {
        0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
        41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
    enum { LAST = DCTSIZE2 - 1 };
    entropy_cursor here = *cursor;
    int last = 0;
    while (last < LAST) {
        entropy_refill(&here);
        // The bits suffice for a pair and a symbol after it.
        for (int count = 0; count < 2; count++) {
            entropy_pair pair = pairs[here.bits >> (64 - PAIR_BITS)];
            int end = last + (int)(pair >> PAIR_ALL_STEPS_SHIFT & PAIR_ALL_STEPS);
            // A pair that reaches the end of the block may include a code of the next block.
            if (pair & PAIR_IS_NONE || end >= LAST) {
                entropy_symbol symbol = entropy_symbol_of(here.bits, table);
                entropy_advance(&here, entropy_bits_of(symbol));
                if (symbol & ENTROPY_IS_END) return end_block(cursor, &here);
                last += entropy_steps_of(symbol);
                if (entropy_bits_of(symbol) == 0 || last > LAST) return 0;
                block[order[last]] = (JCOEF)entropy_value_of(symbol);
                break;
            }
            entropy_advance(&here, pair & ENTROPY_BITS);
            block[order[last + (int)(pair >> PAIR_STEPS_SHIFT & ENTROPY_STEPS)]] =
                (JCOEF)(pair >> PAIR_VALUE_SHIFT);
            block[order[end]] = (JCOEF)(pair >> PAIR_LAST_VALUE_SHIFT);
            if (pair & ENTROPY_IS_END) return end_block(cursor, &here);
            last = end;
        }
    }
    return end_block(cursor, &here);
}
