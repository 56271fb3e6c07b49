#include "huffman.h"

#include <string.h>

/// The symbol of a code of `length` bits that has a value in the Huffman table.
static entropy_symbol symbol_of(int length, uint8_t value, int is_dc_table) {
    int count = value & 15, zeros = is_dc_table ? 0 : value >> 4;
    if (count > 0) return entropy_symbol_make(length, zeros + 1, count, ENTROPY_IS_OPEN);
    // A run of sixteen zeros is fifteen zeros before a coefficient that is zero.
    if (is_dc_table || zeros == 15) return entropy_symbol_make(length, zeros + 1, 0, 0);
    return entropy_symbol_make(length, 0, 0, ENTROPY_IS_END);
}

/// Adds the value of the coefficient, if all of its bits are among the `rest` bits after the code,
/// which are `tail`.
static entropy_symbol with_value(entropy_symbol symbol, unsigned int tail, int rest) {
    if (!(symbol & ENTROPY_IS_OPEN) || entropy_value_of(symbol) > rest) return symbol;
    return entropy_symbol_close(symbol, (uint64_t)tail << (64 - rest));
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
                table->symbols[(code << rest) + tail] = with_value(symbol, tail, rest);
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
            int length = (int)entropy_bits_of(symbol);
            if (length == 0 || bits + length > RUN_BITS) break;
            is_end = (symbol & ENTROPY_IS_END) != 0;
            steps += entropy_steps_of(symbol);
            bits += length + (symbol & ENTROPY_IS_OPEN ? entropy_value_of(symbol) : 0);
        }
        runs[word] = (entropy_run)(bits | (is_end ? RUN_IS_END : 0) | steps << RUN_STEPS_SHIFT);
    }
}

/// The pair that `word`, of `LOOKUP_BITS` bits, begins with.
static entropy_pair pair_of(const entropy_table *table, unsigned int word) {
    entropy_symbol first = table->symbols[word];
    unsigned int bits = entropy_bits_of(first), end = 0;
    if (bits == 0 || bits > PAIR_BITS || first & (ENTROPY_IS_OPEN | ENTROPY_IS_END))
        return PAIR_IS_NONE;
    int steps = entropy_steps_of(first), all_steps = steps;
    uint16_t value = (uint16_t)entropy_value_of(first), last_value = value;
    entropy_symbol second = table->symbols[word << bits & (LOOKUPS - 1)];
    unsigned int more = entropy_bits_of(second);
    if (more > 0 && bits + more <= PAIR_BITS && !(second & ENTROPY_IS_OPEN)) {
        bits += more;
        end = second & ENTROPY_IS_END;
        all_steps += entropy_steps_of(second);
        if (!end) last_value = (uint16_t)entropy_value_of(second);
    }
    return bits | end | (entropy_pair)steps << PAIR_STEPS_SHIFT |
           (entropy_pair)all_steps << PAIR_ALL_STEPS_SHIFT |
           (entropy_pair)value << PAIR_VALUE_SHIFT |
           (entropy_pair)last_value << PAIR_LAST_VALUE_SHIFT;
}

static void make_pairs(entropy_pair *pairs, const entropy_table *table) {
    for (unsigned int word = 0; word < PAIRS; word++)
        pairs[word] = pair_of(table, word << (LOOKUP_BITS - PAIR_BITS));
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
        make_pairs(tables->pairs[ac], &tables->ac[ac]);
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
    return 0;
}
