#pragma once

// Huffman tables of a JPEG, made for fast decoding. Source: ITU-T T.81, C.2 and F.2.2.

#include <stdint.h>
// Before jpeglib.h, which needs it.
#include <stdio.h>

#include <jpeglib.h>

enum {
    /// Number of bits that index the table of codes.
    LOOKUP_BITS = 11,
    LOOKUPS = 1 << LOOKUP_BITS,
    /// Number of bits that index the table of runs, which skips several coefficients at once.
    RUN_BITS = 12,
    RUNS = 1 << RUN_BITS,
    /// Number of bits that index the table of pairs, which has two coefficients at once. The tables of
    /// luma and chroma are then as large as the first-level cache of a processor; with 10 bits, the same
    /// coefficients took a tenth longer.
    PAIR_BITS = 11,
    PAIRS = 1 << PAIR_BITS,
};

/// A code, and the value of the coefficient after the code if the looked-up bits contain all bits of
/// that coefficient. Packed: the number of bits, flags, the number of coefficients that the symbol
/// stands for, and the value.
typedef uint32_t entropy_symbol;

enum {
    /// Mask: the number of bits; 0 if the code has more than `LOOKUP_BITS` bits.
    ENTROPY_BITS = 63,
    /// Flag: the value is the number of bits of the coefficient, which are not among the bits yet.
    ENTROPY_IS_OPEN = 1 << 6,
    /// Flag: all remaining coefficients of the block are zero.
    ENTROPY_IS_END = 1 << 7,
    ENTROPY_STEPS_SHIFT = 8,
    /// Mask, after the shift.
    ENTROPY_STEPS = 31,
    ENTROPY_VALUE_SHIFT = 16,
};

static inline entropy_symbol entropy_symbol_make(int bits, int steps, int value, int flags) {
    return (entropy_symbol)(bits | flags | steps << ENTROPY_STEPS_SHIFT) |
           (entropy_symbol)value << ENTROPY_VALUE_SHIFT;
}

static inline unsigned int entropy_bits_of(entropy_symbol symbol) { return symbol & ENTROPY_BITS; }

/// The zero coefficients before the symbol's, and the symbol's.
static inline int entropy_steps_of(entropy_symbol symbol) {
    return (int)(symbol >> ENTROPY_STEPS_SHIFT & ENTROPY_STEPS);
}

static inline int entropy_value_of(entropy_symbol symbol) {
    return (int16_t)(symbol >> ENTROPY_VALUE_SHIFT);
}

/// The symbols whose codes are within the next `RUN_BITS` bits, packed: the number of their bits (0
/// if there is no such symbol), whether the block ends with them, and the number of coefficients
/// that they stand for before that end.
typedef uint16_t entropy_run;

enum { RUN_LENGTH = 63, RUN_IS_END = 64, RUN_STEPS_SHIFT = 8 };

/// One or two symbols of AC coefficients that are within the next `PAIR_BITS` bits. Packed: the number of
/// bits and the flags as in a symbol, the number of coefficients up to the first value and up to the second,
/// and both values. A single coefficient is in both places.
typedef uint64_t entropy_pair;

enum {
    /// Flag, in place of `ENTROPY_IS_OPEN`: the next symbol has to be read alone.
    PAIR_IS_NONE = ENTROPY_IS_OPEN,
    PAIR_STEPS_SHIFT = ENTROPY_STEPS_SHIFT,
    PAIR_ALL_STEPS_SHIFT = 16,
    /// Mask, after the shift.
    PAIR_ALL_STEPS = 63,
    PAIR_VALUE_SHIFT = 32,
    PAIR_LAST_VALUE_SHIFT = 48,
};

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

/// The tables for DC coefficients and for AC coefficients, and the runs and pairs of AC coefficients,
/// by table number.
typedef struct {
    entropy_table dc[NUM_HUFF_TBLS];
    entropy_table ac[NUM_HUFF_TBLS];
    entropy_run runs[NUM_HUFF_TBLS][RUNS];
    entropy_pair pairs[NUM_HUFF_TBLS][PAIRS];
} entropy_tables;

/// The largest number of bits of a DC difference and of an AC coefficient of 8-bit samples, and of
/// a DC difference in any JPEG.
enum { MOST_DC_BITS = 11, MOST_AC_BITS = 10, MOST_DC_BITS_EVER = 15 };

/// Makes a table from the number of codes of each length, 1 to 16 bits, and the `values` of all
/// codes. Returns 0 if the codes are invalid or a coefficient has more than `most_bits` bits.
int entropy_table_make(
    entropy_table *table, const uint8_t counts[16], const uint8_t *values, int most_bits,
    int is_dc_table);

/// Makes the tables that a decoder's scan uses. Returns 0 if a table is missing or has invalid
/// codes.
int entropy_tables_make(entropy_tables *tables, const struct jpeg_decompress_struct *info);

/// Looks up a code longer than `LOOKUP_BITS` by 16 bits. The symbol has 0 bits if there is no such
/// code.
entropy_symbol entropy_long_symbol(const entropy_table *table, unsigned int bits);

/// The value of a coefficient, from the first `count` of `bits`.
static inline int entropy_value(uint64_t bits, int count) {
    if (count == 0) return 0;
    int value = (int)(bits >> (64 - count));
    return bits >> 63 == 0 ? value - (1 << count) + 1 : value;
}

/// Adds the value of a coefficient, whose bits are the first of `bits`, to an open symbol.
static inline entropy_symbol entropy_symbol_close(entropy_symbol symbol, uint64_t bits) {
    int count = entropy_value_of(symbol);
    return entropy_symbol_make(
        (int)entropy_bits_of(symbol) + count, entropy_steps_of(symbol), entropy_value(bits, count),
        0);
}

/// The next symbol, with its value. The symbol has 0 bits if the code is invalid.
static inline entropy_symbol entropy_symbol_of(uint64_t bits, const entropy_table *table) {
    entropy_symbol symbol = table->symbols[bits >> (64 - LOOKUP_BITS)];
    if (entropy_bits_of(symbol) == 0)
        symbol = entropy_long_symbol(table, (unsigned int)(bits >> 48));
    return symbol & ENTROPY_IS_OPEN ? entropy_symbol_close(symbol, bits << entropy_bits_of(symbol))
                                    : symbol;
}
