#pragma once

// Reads the entropy-coded data of a Huffman-coded JPEG, from any MCU on and in less time than the
// library. All previews, parallel decoding and tiles use this reader. Source: ITU-T T.81, F.2.2.
//
// If the data has any error, all coefficients that were read are discarded, and the library's own
// decoder has to read the file.

#include <string.h>

#include "huffman.h"
#include "source.h"

enum {
    /// More than the bytes of any MCU: ten blocks of 64 coefficients, each of at most 27 bits with
    /// its code.
    MOST_MCU_BYTES = 4096,
    /// Number of bytes that are unstuffed at once; few enough for the first-level cache of a processor.
    WINDOW_BYTES = 1 << 14,
};

/// Where an MCU begins.
typedef struct {
    /// Offset in the input.
    uint64_t offset;
    /// The first bit of the MCU in that byte.
    unsigned int bit;
    /// The last DC coefficient of each component, which predicts the next one.
    int last[MAX_COMPS_IN_SCAN];
    /// Number of MCUs before the next restart marker, and the number of that marker.
    unsigned int left;
    int restart;
} entropy_place;

typedef struct {
    jpeg_input input;
    /// The next byte of the input after those in `bytes`, and the end of the bytes at hand: those
    /// of the whole input, or those of `block`.
    const uint8_t *next, *end;
    /// Offset of `end` in the input, and whether the input ends there.
    uint64_t end_offset;
    int is_at_end;
    /// Whether a marker or the end of the input comes next.
    int is_at_marker;
    /// Whether the input ends there without a marker, or has fill bytes before the marker. The
    /// library may then read more than it needs, and warn.
    int is_odd;
    /// Number of bytes in `bytes`, and position of the next bit in them.
    size_t count;
    size_t bit;
    int last[MAX_COMPS_IN_SCAN];
    unsigned int left;
    int restart;
    /// Data of the input without the stuffed zero after each 0xFF, followed by zeros.
    uint8_t bytes[WINDOW_BYTES + MOST_MCU_BYTES];
    /// A part of the file; unused if the input is in memory.
    uint8_t block[JPEG_BLOCK_BYTES];
} entropy_reader;

/// Moves a reader to the start of an MCU.
void entropy_begin(entropy_reader *reader, const jpeg_input *input, const entropy_place *place);

/// The position of a reader that is between two MCUs.
entropy_place entropy_place_of(const entropy_reader *reader);

/// The offset in the input of the marker that ends the data, or of the end of the input.
uint64_t entropy_data_end(entropy_reader *reader);

/// Reads more of the input into `bytes`, up to a marker.
void entropy_fill(entropy_reader *reader);

/// Skips the restart marker that has to come next. Returns 0 if anything else comes next.
int entropy_skip_restart(entropy_reader *reader);

/// Call before each MCU: reads the bytes of the MCU, and skips a restart marker where one is due.
/// Returns 0 on an error.
static inline int entropy_begin_mcu(entropy_reader *reader, unsigned int interval) {
    if (interval > 0) {
        if (reader->left == 0) {
            if (!entropy_skip_restart(reader)) return 0;
            reader->left = interval;
        }
        reader->left--;
    }
    if (reader->bit / 8 + MOST_MCU_BYTES > reader->count) entropy_fill(reader);
    return 1;
}

/// Whether the input ends without a marker so soon that the library may read more than the next MCU, and
/// warn. The answer depends on the position of the MCU only, not on where the reader has begun.
static inline int entropy_is_near_odd_end(const entropy_reader *reader) {
    return reader->is_odd && reader->bit / 8 + MOST_MCU_BYTES > reader->count;
}

/// The next bits of a reader, which are taken one symbol after another.
typedef struct {
    /// The next bits, the first one in the most significant place, and the number of those that count.
    uint64_t bits;
    unsigned int count;
    /// The byte that has the bit after those.
    const uint8_t *next;
} entropy_cursor;

/// Adds bytes, so that at least 56 bits count, which is enough for two codes with their coefficients.
///
/// Only the number of bits depends on the symbol before, and not the address that is read. So the
/// processor reads the bytes while the symbol is looked up.
static inline void entropy_refill(entropy_cursor *cursor) {
    uint64_t word;
    memcpy(&word, cursor->next, 8);
    cursor->bits |= __builtin_bswap64(word) >> cursor->count;
    cursor->next += (63 - cursor->count) / 8;
    cursor->count |= 56;
}

static inline void entropy_advance(entropy_cursor *cursor, unsigned int bits) {
    cursor->bits <<= bits;
    cursor->count -= bits;
}

/// The bits from a reader's position on.
static inline entropy_cursor entropy_cursor_of(const entropy_reader *reader) {
    entropy_cursor cursor = {.next = reader->bytes + reader->bit / 8};
    entropy_refill(&cursor);
    entropy_advance(&cursor, reader->bit % 8);
    return cursor;
}

/// Call after each MCU with the bits after it. Returns 0 if the data ended within the MCU.
static inline int entropy_end_mcu(entropy_reader *reader, const entropy_cursor *cursor) {
    size_t bit = (size_t)(cursor->next - reader->bytes) * 8 - cursor->count;
    if (bit > reader->count * 8) return 0;
    reader->bit = bit;
    return 1;
}

/// Reads the DC coefficient of the next block; `last` is the previous one and receives the new one.
/// Returns 0 if the code is invalid.
static inline int entropy_read_dc(entropy_cursor *cursor, const entropy_table *table, int *last) {
    entropy_refill(cursor);
    entropy_symbol symbol = entropy_symbol_of(cursor->bits, table);
    entropy_advance(cursor, entropy_bits_of(symbol));
    // The sum wraps around, as the library's does.
    *last = (int)((unsigned int)*last + (unsigned int)entropy_value_of(symbol));
    return entropy_bits_of(symbol) > 0;
}

/// The mean of a block as a sample, from its DC coefficient and the quantization step.
static inline uint8_t entropy_block_mean(JCOEF coefficient, int step) {
    int mean = ((coefficient * step + 4) >> 3) + CENTERJSAMPLE;
    return (uint8_t)(mean < 0 ? 0 : mean > MAXJSAMPLE ? MAXJSAMPLE : mean);
}

/// Skips the AC coefficients of a block. Returns 0 if they are incomplete or invalid.
int entropy_skip_ac(
    entropy_cursor *cursor, const entropy_table *table, const entropy_run *runs);

/// Reads the AC coefficients of a block, which has only zeros at first. Returns 0 if they are incomplete
/// or invalid.
int entropy_read_ac(
    entropy_cursor *cursor, const entropy_table *table, const entropy_pair *pairs, JCOEF *block);
