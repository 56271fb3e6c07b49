#include "writing.h"

#include <jerror.h>
#include <stdlib.h>
#include <string.h>

static void report_progress(j_common_ptr common) {
    const jpeg_progress *progress = (const jpeg_progress *)common->progress;
    progress->report(progress->context);
}

struct jpeg_progress_mgr *jpeg_progress_begin(
    jpeg_progress *progress, ccodecs_jpeg_progress *report, void *context) {
    *progress = (jpeg_progress){
        .manager = {.progress_monitor = report_progress}, .report = report, .context = context};
    return &progress->manager;
}

/// The first bytes that are allocated, and the most that a JPEG may have.
static const size_t first_capacity = 1 << 16, most_capacity = (size_t)2 << 30;

static void grow(jpeg_output *output, j_compress_ptr target) {
    size_t capacity = output->capacity > 0 ? output->capacity * 2 : first_capacity;
    uint8_t *bytes = capacity <= most_capacity ? realloc(output->bytes, capacity) : NULL;
    if (!bytes) ERREXIT1(target, JERR_OUT_OF_MEMORY, 0);
    output->manager.next_output_byte = bytes + output->capacity;
    output->manager.free_in_buffer = capacity - output->capacity;
    output->bytes = bytes;
    output->capacity = capacity;
}

static void start_output(j_compress_ptr target) { grow((jpeg_output *)target->dest, target); }

/// The library calls this when the whole buffer is used.
static boolean extend_output(j_compress_ptr target) {
    grow((jpeg_output *)target->dest, target);
    return TRUE;
}

static void end_output(j_compress_ptr target) {
    jpeg_output *output = (jpeg_output *)target->dest;
    output->length = output->capacity - output->manager.free_in_buffer;
}

void jpeg_output_begin(jpeg_output *output, struct jpeg_compress_struct *target) {
    memset(output, 0, sizeof *output);
    output->manager.init_destination = start_output;
    output->manager.empty_output_buffer = extend_output;
    output->manager.term_destination = end_output;
    target->dest = &output->manager;
}
