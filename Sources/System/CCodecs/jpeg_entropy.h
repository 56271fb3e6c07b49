#pragma once

// Reads the entropy-coded data of a sequential, Huffman-coded JPEG in memory, from any MCU on and
// in less time than the library. Source: ITU-T T.81, F.2.2.
//
// If the data has any error, all coefficients that were read are discarded, and the library's own
// decoder has to read the file.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

enum {
    /// Number of bits that index the table of codes.
    LOOKUP_BITS = 11,
    LOOKUPS = 1 << LOOKUP_BITS,
    /// Number of bits that index the table of runs, which skips several coefficients at once.
    RUN_BITS = 12,
    RUNS = 1 << RUN_BITS,
    /// More than the bytes of any MCU: ten blocks of 64 coefficients, each of at most 27 bits with
    /// its code.
    MOST_MCU_BYTES = 4096,
    /// Number of bytes that are unstuffed at once; few enough for a processor's cache.
    WINDOW_BYTES = 1 << 16,
};

// MARK: Codes

enum entropy_kind {
    /// Mask: the number of zero coefficients before this one.
    ENTROPY_ZEROS = 15,
    /// Flag: the symbol contains the coefficient's value.
    ENTROPY_KNOWN = 16,
    /// Flag: all remaining coefficients of the block are zero.
    ENTROPY_END = 32,
};

/// A code, and the value of the coefficient after it if the looked-up bits contain all of its bits.
typedef struct {
    /// The value of the coefficient; without `ENTROPY_KNOWN`, its number of bits.
    int16_t number;
    /// Number of bits that the symbol takes; 0 if the code has more than `LOOKUP_BITS`.
    uint8_t bits;
    uint8_t kind;
} entropy_symbol;

/// The symbols whose codes are within the next `RUN_BITS` bits, packed: the number of their bits (0
/// if there is no such symbol), whether the block ends with them, and the number of coefficients
/// that they stand for before that end.
typedef uint16_t entropy_run;

enum { RUN_LENGTH = 63, RUN_IS_END = 64, RUN_STEPS_SHIFT = 8 };

typedef struct {
    entropy_symbol symbols[LOOKUPS];
    /// By code length: the last code plus one, left-aligned in 16 bits.
    uint32_t limits[17];
    /// By code length: the index in `values` minus the code.
    int32_t offsets[17];
    uint8_t values[256];
    /// Whether the table is for DC coefficients.
    int is_dc_table;
} entropy_table;

/// The tables for DC coefficients and for AC coefficients, and the runs of AC coefficients, by
/// table number.
typedef struct {
    entropy_table dc[NUM_HUFF_TBLS];
    entropy_table ac[NUM_HUFF_TBLS];
    entropy_run runs[NUM_HUFF_TBLS][RUNS];
} entropy_tables;

/// Makes the tables that a decoder's scan uses. Returns 0 if a table is missing or has invalid
/// codes.
int entropy_tables_make(entropy_tables *tables, const struct jpeg_decompress_struct *info);

/// Looks up a code longer than `LOOKUP_BITS` by 16 bits. The symbol has 0 bits if there is no such
/// code.
entropy_symbol entropy_long_symbol(const entropy_table *table, unsigned int bits);

/// The value of a coefficient, from the first `count` of `bits`.
static inline int entropy_number(uint64_t bits, int count) {
    if (count == 0) return 0;
    int number = (int)(bits >> (64 - count));
    return bits >> 63 == 0 ? number - (1 << count) + 1 : number;
}

/// The next symbol with the value of its coefficient; its number of bits includes the
/// coefficient's. The symbol has 0 bits if the code is invalid.
static inline entropy_symbol entropy_symbol_of(uint64_t bits, const entropy_table *table) {
    entropy_symbol symbol = table->symbols[bits >> (64 - LOOKUP_BITS)];
    if (symbol.bits == 0) symbol = entropy_long_symbol(table, (unsigned int)(bits >> 48));
    if (symbol.kind & ENTROPY_KNOWN) return symbol;
    int count = symbol.number;
    symbol.number = (int16_t)entropy_number(bits << symbol.bits, count);
    symbol.bits = (uint8_t)(symbol.bits + count);
    return symbol;
}

// MARK: Data

/// Where an MCU begins.
typedef struct {
    const uint8_t *next;
    /// The first bit of the MCU in that byte.
    unsigned int bit;
    /// The last DC coefficient of each component, which predicts the next one.
    int last[MAX_COMPS_IN_SCAN];
    /// Number of MCUs before the next restart marker, and the number of that marker.
    unsigned int left;
    int restart;
} entropy_place;

typedef struct {
    /// The next byte of the file after those in `bytes`.
    const uint8_t *next;
    const uint8_t *end;
    /// Whether a marker or the end of the file comes next.
    int is_at_marker;
    /// Whether the file ends there without a marker, or has fill bytes before the marker. The
    /// library may then read more than it needs, and warn, so the data counts as invalid.
    int is_odd;
    /// Number of bytes in `bytes`, and position of the next bit in them.
    size_t count;
    size_t bit;
    int last[MAX_COMPS_IN_SCAN];
    unsigned int left;
    int restart;
    /// Data of the file without the stuffed zero after each 0xFF, followed by zeros.
    uint8_t bytes[WINDOW_BYTES + MOST_MCU_BYTES];
} entropy_reader;

/// Moves a reader to the start of an MCU.
void entropy_begin(entropy_reader *reader, const entropy_place *place, const uint8_t *end);

/// The position of a reader that is between two MCUs.
entropy_place entropy_place_of(const entropy_reader *reader);

/// Reads more of the file into `bytes`, up to a marker.
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
    return !reader->is_odd;
}

/// Call after each MCU with the position of the bit after it. Returns 0 if the data ended within
/// the MCU.
static inline int entropy_end_mcu(entropy_reader *reader, size_t bit) {
    if (bit > reader->count * 8) return 0;
    reader->bit = bit;
    return 1;
}

/// The next bits, the first one in the most significant place. At least 57 are valid, which is
/// enough for two codes with their coefficients.
static inline uint64_t entropy_bits(const uint8_t *bytes, size_t bit) {
    uint64_t word;
    memcpy(&word, bytes + (bit >> 3), 8);
    return __builtin_bswap64(word) << (bit & 7);
}

/// Reads the DC coefficient of the next block; `last` is the previous one and receives the new one.
/// Returns the position of the next bit, or 0 if the code is invalid.
static inline size_t entropy_read_dc(
    const uint8_t *bytes, size_t bit, const entropy_table *table, int *last) {
    entropy_symbol symbol = entropy_symbol_of(entropy_bits(bytes, bit), table);
    // The sum wraps around, as the library's does.
    *last = (int)((unsigned int)*last + (unsigned int)symbol.number);
    return symbol.bits ? bit + symbol.bits : 0;
}

/// Skips the AC coefficients of a block. Returns the position of the next bit, or 0 if they are
/// incomplete or invalid.
size_t entropy_skip_ac(
    const uint8_t *bytes, size_t bit, const entropy_table *table, const entropy_run *runs);

/// Reads the AC coefficients of a block, which has only zeros at first. Returns the position of the
/// next bit, or 0 if they are incomplete or invalid.
size_t entropy_read_ac(
    const uint8_t *bytes, size_t bit, const entropy_table *table, JCOEF *block);
