#include "source.h"

#include <errno.h>
#include <jerror.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t jpeg_input_read(const jpeg_input *input, uint64_t offset, uint8_t *target, size_t count) {
    if (input->bytes) {
        size_t start = offset < input->length ? (size_t)offset : input->length;
        if (count > input->length - start) count = input->length - start;
        memcpy(target, input->bytes + start, count);
        return count;
    }
    ssize_t got;
    do {
        got = pread(input->descriptor, target, count, (off_t)offset);
    } while (got < 0 && errno == EINTR);
    return got > 0 ? (size_t)got : 0;
}

static void do_nothing(j_decompress_ptr info) { (void)info; }

/// Gives the library the next bytes of the input, or an end marker after a truncated input, as
/// `jpeg_mem_src` does.
static boolean fill(j_decompress_ptr info) {
    jpeg_source *source = (jpeg_source *)info->src;
    const jpeg_input *input = &source->input;
    size_t count = 0;
    if (source->block) {
        count = jpeg_input_read(input, source->end, source->block, JPEG_BLOCK_BYTES);
        source->manager.next_input_byte = source->block;
    } else if (source->end < input->length) {
        count = input->length - (size_t)source->end;
        source->manager.next_input_byte = input->bytes + source->end;
    }
    if (count == 0) {
        static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
        WARNMS(info, JWRN_JPEG_EOF);
        source->is_past_end = 1;
        source->manager.next_input_byte = end_marker;
        source->manager.bytes_in_buffer = sizeof end_marker;
        return TRUE;
    }
    source->end += count;
    source->manager.bytes_in_buffer = count;
    return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
    struct jpeg_source_mgr *manager = info->src;
    if (count <= 0) return;
    if ((size_t)count <= manager->bytes_in_buffer) {
        manager->next_input_byte += count;
        manager->bytes_in_buffer -= (size_t)count;
        return;
    }
    ((jpeg_source *)manager)->end += (size_t)count - manager->bytes_in_buffer;
    manager->bytes_in_buffer = 0;
}

int jpeg_source_begin(jpeg_source *source, const jpeg_input *input) {
    *source = (jpeg_source){
        .manager = {
            .init_source = do_nothing,
            .fill_input_buffer = fill,
            .skip_input_data = skip,
            .resync_to_restart = jpeg_resync_to_restart,
            .term_source = do_nothing,
        },
        .input = *input,
    };
    if (input->bytes) return 1;
    source->block = malloc(JPEG_BLOCK_BYTES);
    return source->block != NULL;
}

void jpeg_source_end(jpeg_source *source) { free(source->block); }

void jpeg_source_rewind(
    jpeg_source *source, const uint8_t *header, size_t length, uint64_t offset) {
    source->manager.next_input_byte = header;
    source->manager.bytes_in_buffer = length;
    source->end = offset;
    source->is_past_end = 0;
}

uint64_t jpeg_source_offset(const jpeg_source *source) {
    return source->end - source->manager.bytes_in_buffer;
}
