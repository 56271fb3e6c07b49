#pragma once

// Reads the entropy-coded data of a sequential, Huffman-coded JPEG in memory: in less time than the
// library, and from any MCU on. Source: ITU-T T.81, F.2.2.
//
// Whatever is not as it should be is a doubt, after which nothing that was read counts: what to make of
// such a file is the library's to say.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

enum {
    /// Codes are looked up by so many of the next bits.
    LOOKUP_BITS = 11,
    LOOKUPS = 1 << LOOKUP_BITS,
    /// And so are all symbols that these hold, where their coefficients are not asked for.
    RUN_BITS = 12,
    RUNS = 1 << RUN_BITS,
    /// More bytes than an MCU has: ten blocks of 64 coefficients, each with its code in 27 bits.
    MOST_MCU_BYTES = 4096,
    /// So many are made ready at once; they stay in a processor's cache.
    WINDOW_BYTES = 1 << 16,
};

// MARK: Codes

enum entropy_kind {
    /// As many coefficients are zero before this one.
    ENTROPY_ZEROS = 15,
    /// The coefficient's bits were looked up too.
    ENTROPY_KNOWN = 16,
    /// All coefficients that are left are zero.
    ENTROPY_END = 32,
};

/// A code and perhaps the coefficient after it, as the next bits have them.
typedef struct {
    /// The coefficient; of one that is not known, how many bits it has.
    int16_t number;
    /// How many bits it was looked up by; 0 where the code has more than `LOOKUP_BITS`.
    uint8_t bits;
    uint8_t kind;
} entropy_symbol;

/// As many symbols as the next bits say something of: how many bits they have in all, 0 where those do not
/// hold one; whether the block ends with them; how many coefficients they stand for up to there.
typedef uint16_t entropy_run;

enum { RUN_LENGTH = 63, RUN_IS_END = 64, RUN_STEPS_SHIFT = 8 };

typedef struct {
    entropy_symbol symbols[LOOKUPS];
    /// By length, one more than the last code, filled up to 16 bits.
    uint32_t limits[17];
    /// By length, what a code lacks to its value's place.
    int32_t offsets[17];
    uint8_t values[256];
    /// Whether they are of coefficients of frequency zero.
    int are_means;
} entropy_table;

/// By number, of coefficients of frequency zero and of all others.
typedef struct {
    entropy_table means[NUM_HUFF_TBLS];
    entropy_table others[NUM_HUFF_TBLS];
    entropy_run runs[NUM_HUFF_TBLS][RUNS];
} entropy_tables;

/// Those that a decoder's scan asks for; whether their codes hold together.
int entropy_tables_make(entropy_tables *tables, const struct jpeg_decompress_struct *info);

/// What was looked up, of a code that is longer, by 16 bits; no bits where there is none.
entropy_symbol entropy_long_symbol(const entropy_table *table, unsigned int bits);

/// A coefficient of so many bits, the first of these.
static inline int entropy_number(uint64_t bits, int count) {
    if (count == 0) return 0;
    int number = (int)(bits >> (64 - count));
    return bits >> 63 == 0 ? number - (1 << count) + 1 : number;
}

/// The next symbol, with its coefficient and all of their bits; none where it is no code.
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
    /// Of that byte.
    unsigned int bit;
    /// The last coefficient of frequency zero of each component.
    int last[MAX_COMPS_IN_SCAN];
    /// MCUs before the next restart marker, and its number.
    unsigned int left;
    int restart;
} entropy_place;

typedef struct {
    /// What follows the bytes below in the file.
    const uint8_t *next;
    const uint8_t *end;
    /// Whether that is a marker, or nothing.
    int is_at_marker;
    /// Whether the file ends there, or is filled up: then the library may look for more than is needed, and
    /// say so.
    int is_odd;
    /// How many bytes there are, and the next bit in them.
    size_t count;
    size_t bit;
    int last[MAX_COMPS_IN_SCAN];
    unsigned int left;
    int restart;
    /// Without the zeros that follow a byte 0xFF; zeros follow them before a marker.
    uint8_t bytes[WINDOW_BYTES + MOST_MCU_BYTES];
} entropy_reader;

/// Puts a reader to where an MCU begins.
void entropy_begin(entropy_reader *reader, const entropy_place *place, const uint8_t *end);

/// Where it is, between two MCUs.
entropy_place entropy_place_of(const entropy_reader *reader);

/// Makes more bytes ready, up to a marker.
void entropy_fill(entropy_reader *reader);

/// Goes past the restart marker that has to be next; whether it is.
int entropy_pass_restart(entropy_reader *reader);

/// Before each MCU: makes its bytes ready, and goes past a restart marker where one has to be; whether all is
/// as it should be.
static inline int entropy_begin_mcu(entropy_reader *reader, unsigned int interval) {
    if (interval > 0) {
        if (reader->left == 0) {
            if (!entropy_pass_restart(reader)) return 0;
            reader->left = interval;
        }
        reader->left--;
    }
    if (reader->bit / 8 + MOST_MCU_BYTES > reader->count) entropy_fill(reader);
    return !reader->is_odd;
}

/// After each MCU, which came to an end at this bit; whether it was all there.
static inline int entropy_end_mcu(entropy_reader *reader, size_t bit) {
    if (bit > reader->count * 8) return 0;
    reader->bit = bit;
    return 1;
}

/// The next bits, the first one on top: 57 at least, which are two codes with their coefficients.
static inline uint64_t entropy_bits(const uint8_t *bytes, size_t bit) {
    uint64_t word;
    memcpy(&word, bytes + (bit >> 3), 8);
    return __builtin_bswap64(word) << (bit & 7);
}

/// Reads the coefficient of frequency zero of the next block; the bit after it, or 0 where there is none.
static inline size_t entropy_read_mean(
    const uint8_t *bytes, size_t bit, const entropy_table *table, int *last) {
    entropy_symbol symbol = entropy_symbol_of(entropy_bits(bytes, bit), table);
    // It wraps around where the library's does.
    *last = (int)((unsigned int)*last + (unsigned int)symbol.number);
    return symbol.bits ? bit + symbol.bits : 0;
}

/// Goes past the other coefficients of a block; the bit after them, or 0 where they are not all there.
size_t entropy_pass_block(
    const uint8_t *bytes, size_t bit, const entropy_table *table, const entropy_run *runs);

/// Reads the other coefficients of a block that is all zeros; the bit after them, or 0.
size_t entropy_read_block(
    const uint8_t *bytes, size_t bit, const entropy_table *table, JCOEF *block);
