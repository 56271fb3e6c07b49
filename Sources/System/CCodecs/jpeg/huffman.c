#include "huffman.h"

#include <string.h>

/// The symbol of a code of `length` bits that has a value in the Huffman table.
static entropy_symbol symbol_of(int length, uint8_t value, int is_dc_table) {
    int bits = value & 15, zeros = is_dc_table ? 0 : value >> 4;
    if (bits > 0 || is_dc_table)
        return (entropy_symbol){
            .number = (int16_t)bits, .bits = (uint8_t)length, .kind = (uint8_t)zeros};
    // A run of sixteen zeros is fifteen zeros before a coefficient that is zero.
    int kind = zeros == 15 ? ENTROPY_KNOWN | 15 : ENTROPY_KNOWN | ENTROPY_END;
    return (entropy_symbol){.bits = (uint8_t)length, .kind = (uint8_t)kind};
}

/// Adds the value of the coefficient, if all of its bits are among the `rest` bits after the code,
/// which are `tail`.
static entropy_symbol with_number(entropy_symbol symbol, unsigned int tail, int rest) {
    int count = symbol.number;
    if (symbol.kind & ENTROPY_KNOWN || count > rest) return symbol;
    uint64_t bits = rest > 0 ? (uint64_t)tail << (64 - rest) : 0;
    symbol.number = (int16_t)entropy_number(bits, count);
    symbol.bits = (uint8_t)(symbol.bits + count);
    symbol.kind |= ENTROPY_KNOWN;
    return symbol;
}

int entropy_table_make(
    entropy_table *table, const uint8_t counts[16], const uint8_t *values, int most_bits,
    int is_dc_table) {
    memset(table, 0, sizeof *table);
    table->is_dc_table = is_dc_table;
    unsigned int code = 0;
    int place = 0;
    for (int length = 1; length <= 16; length++) {
        int count = counts[length - 1];
        if (place + count > 256 || code + (unsigned int)count > 1u << length) return 0;
        table->offsets[length] = place - (int)code;
        for (int index = 0; index < count; index++, code++, place++) {
            uint8_t value = values[place];
            if ((is_dc_table ? value : value & 15) > most_bits) return 0;
            table->values[place] = value;
            int rest = LOOKUP_BITS - length;
            if (rest < 0) continue;
            entropy_symbol symbol = symbol_of(length, value, is_dc_table);
            for (unsigned int tail = 0; tail < 1u << rest; tail++)
                table->symbols[(code << rest) + tail] = with_number(symbol, tail, rest);
        }
        table->limits[length] = code << (16 - length);
        code <<= 1;
    }
    return 1;
}

static void make_runs(entropy_run *runs, const entropy_table *table) {
    for (unsigned int word = 0; word < RUNS; word++) {
        int bits = 0, steps = 0, is_end = 0;
        while (bits < RUN_BITS && !is_end) {
            unsigned int rest = (word << bits) & (RUNS - 1);
            entropy_symbol symbol = table->symbols[rest >> (RUN_BITS - LOOKUP_BITS)];
            // The code has to be within the word. The bits of its coefficient may be beyond it.
            if (symbol.bits == 0 || bits + symbol.bits > RUN_BITS) break;
            is_end = (symbol.kind & ENTROPY_END) != 0;
            if (!is_end) steps += (symbol.kind & ENTROPY_ZEROS) + 1;
            bits += symbol.bits + (symbol.kind & ENTROPY_KNOWN ? 0 : symbol.number);
        }
        runs[word] = (entropy_run)(bits | (is_end ? RUN_IS_END : 0) | steps << RUN_STEPS_SHIFT);
    }
}

static int make_from_library(entropy_table *table, const JHUFF_TBL *codes, int is_dc_table) {
    int most_bits = is_dc_table ? MOST_DC_BITS : MOST_AC_BITS;
    return codes && entropy_table_make(
                        table, codes->bits + 1, codes->huffval, most_bits, is_dc_table);
}

int entropy_tables_make(entropy_tables *tables, const struct jpeg_decompress_struct *info) {
    int has_dc[NUM_HUFF_TBLS] = {0}, has_ac[NUM_HUFF_TBLS] = {0};
    for (int index = 0; index < info->comps_in_scan; index++) {
        const jpeg_component_info *component = info->cur_comp_info[index];
        int dc = component->dc_tbl_no, ac = component->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS) return 0;
        if (!has_dc[dc]++ && !make_from_library(&tables->dc[dc], info->dc_huff_tbl_ptrs[dc], 1))
            return 0;
        if (has_ac[ac]++) continue;
        if (!make_from_library(&tables->ac[ac], info->ac_huff_tbl_ptrs[ac], 0)) return 0;
        make_runs(tables->runs[ac], &tables->ac[ac]);
    }
    return 1;
}

entropy_symbol entropy_long_symbol(const entropy_table *table, unsigned int bits) {
    for (int length = LOOKUP_BITS + 1; length <= 16; length++) {
        if (bits >= table->limits[length]) continue;
        int place = (int)(bits >> (16 - length)) + table->offsets[length];
        if (place < 0 || place > 255) break;
        return symbol_of(length, table->values[place], table->is_dc_table);
    }
    return (entropy_symbol){.kind = ENTROPY_KNOWN};
}
