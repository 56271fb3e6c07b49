#pragma once

// Progress and output of the functions that write JPEGs.

#include "ccodecs_jpeg_write.h"
#include "../errors.h"

/// The library's reports of its progress, for each row of MCUs that it reads or writes.
typedef struct {
    struct jpeg_progress_mgr manager;
    ccodecs_jpeg_progress *report;
    void *context;
} jpeg_progress;

/// Makes the library report to `report`, which is called with `context`.
struct jpeg_progress_mgr *jpeg_progress_begin(
    jpeg_progress *progress, ccodecs_jpeg_progress *report, void *context);

/// The memory that a JPEG is written to; it grows, and stays with its owner after an error.
typedef struct {
    struct jpeg_destination_mgr manager;
    uint8_t *bytes;
    size_t length, capacity;
} jpeg_output;

/// Makes the library write to `output`, which is empty.
void jpeg_output_begin(jpeg_output *output, struct jpeg_compress_struct *target);
