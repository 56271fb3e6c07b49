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
};

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
