#include "jpeg_entropy.h"

// MARK: Codes

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

static int make_table(entropy_table *table, const JHUFF_TBL *codes, int is_dc_table) {
    if (!codes) return 0;
    memset(table, 0, sizeof *table);
    table->is_dc_table = is_dc_table;
    unsigned int code = 0;
    int place = 0;
    for (int length = 1; length <= 16; length++) {
        int count = codes->bits[length];
        if (place + count > 256 || code + (unsigned int)count > 1u << length) return 0;
        table->offsets[length] = place - (int)code;
        for (int index = 0; index < count; index++, code++, place++) {
            uint8_t value = codes->huffval[place];
            // With 8-bit samples no coefficient has more bits.
            if (is_dc_table ? value > 11 : (value & 15) > 10) return 0;
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

int entropy_tables_make(entropy_tables *tables, const struct jpeg_decompress_struct *info) {
    int has_dc[NUM_HUFF_TBLS] = {0}, has_ac[NUM_HUFF_TBLS] = {0};
    for (int index = 0; index < info->comps_in_scan; index++) {
        const jpeg_component_info *component = info->cur_comp_info[index];
        int dc = component->dc_tbl_no, ac = component->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS) return 0;
        if (!has_dc[dc]++ &&
            !make_table(&tables->dc[dc], info->dc_huff_tbl_ptrs[dc], 1))
            return 0;
        if (has_ac[ac]++) continue;
        if (!make_table(&tables->ac[ac], info->ac_huff_tbl_ptrs[ac], 0)) return 0;
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

// MARK: Data

void entropy_begin(entropy_reader *reader, const entropy_place *place, const uint8_t *end) {
    reader->next = place->next;
    reader->end = end;
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

entropy_place entropy_place_of(const entropy_reader *reader) {
    entropy_place place = {
        .bit = reader->bit % 8, .left = reader->left, .restart = reader->restart};
    memcpy(place.last, reader->last, sizeof place.last);
    // Each byte in `bytes` is one byte of the file, or two bytes if it is 0xFF.
    const uint8_t *byte = reader->bytes + reader->bit / 8, *end = reader->bytes + reader->count;
    size_t count = (size_t)(end - byte);
    for (; (byte = memchr(byte, 0xFF, (size_t)(end - byte))); byte++) count++;
    place.next = reader->next - count;
    return place;
}

void entropy_fill(entropy_reader *reader) {
    if (reader->is_at_marker) return;
    size_t done = reader->bit / 8;
    memmove(reader->bytes, reader->bytes + done, reader->count - done);
    reader->count -= done;
    reader->bit %= 8;
    while (reader->count < WINDOW_BYTES && !reader->is_at_marker) {
        size_t room = WINDOW_BYTES - reader->count, left = (size_t)(reader->end - reader->next);
        size_t most = left < room ? left : room;
        const uint8_t *special = memchr(reader->next, 0xFF, most);
        size_t plain = special ? (size_t)(special - reader->next) : most;
        memcpy(reader->bytes + reader->count, reader->next, plain);
        reader->count += plain;
        reader->next += plain;
        if (special && reader->end - special >= 2 && special[1] == 0) {
            reader->bytes[reader->count++] = 0xFF;
            reader->next += 2;
        } else {
            reader->is_at_marker = special != NULL || plain == left;
            int is_marker = special && reader->end - special >= 2 && special[1] != 0xFF;
            reader->is_odd = reader->is_at_marker && !is_marker;
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
    reader->count = 0;
    reader->bit = 0;
    memset(reader->last, 0, sizeof reader->last);
    return 1;
}

// MARK: Blocks

size_t entropy_skip_ac(
    const uint8_t *bytes, size_t bit, const entropy_table *table, const entropy_run *runs) {
    int next = 1;
    while (next < DCTSIZE2) {
        uint64_t bits = entropy_bits(bytes, bit);
        // The bits suffice for two symbols.
        for (int count = 0; count < 2; count++) {
            entropy_run run = runs[bits >> (64 - RUN_BITS)];
            int steps = run >> RUN_STEPS_SHIFT, length = run & RUN_LENGTH;
            // A run that reaches the end of the block may include codes of the next block.
            if (run == 0 || next + steps >= DCTSIZE2) {
                entropy_symbol symbol = entropy_symbol_of(bits, table);
                bit += symbol.bits;
                if (symbol.bits == 0) return 0;
                if (symbol.kind & ENTROPY_END) return bit;
                next += (symbol.kind & ENTROPY_ZEROS) + 1;
                break;
            }
            bit += (size_t)length;
            if (run & RUN_IS_END) return bit;
            bits <<= length;
            next += steps;
        }
    }
    return next == DCTSIZE2 ? bit : 0;
}

size_t entropy_read_ac(
    const uint8_t *bytes, size_t bit, const entropy_table *table, JCOEF *block) {
    // Source: ITU-T T.81, figure 5.
    static const uint8_t order[DCTSIZE2] = {
        0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
        41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
        30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
    int next = 1;
    while (next < DCTSIZE2) {
        uint64_t bits = entropy_bits(bytes, bit);
        // The bits suffice for two symbols.
        for (int count = 0; count < 2 && next < DCTSIZE2; count++, next++) {
            entropy_symbol symbol = entropy_symbol_of(bits, table);
            bit += symbol.bits;
            if (symbol.kind & ENTROPY_END) return bit;
            next += symbol.kind & ENTROPY_ZEROS;
            if (symbol.bits == 0 || next >= DCTSIZE2) return 0;
            block[order[next]] = symbol.number;
            bits <<= symbol.bits;
        }
    }
    return bit;
}
