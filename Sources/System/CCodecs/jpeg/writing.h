#pragma once

// Errors and output of the functions that write JPEGs.

#include "ccodecs_jpeg_write.h"

#include <stdio.h>
// After stdio.h.
#include <jpeglib.h>
#include <setjmp.h>

/// The library's error handler, with the place that its errors jump to.
typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
    char *message;
    size_t length;
} jpeg_errors;

/// Sets the handler; `message` receives the text of an error.
struct jpeg_error_mgr *jpeg_errors_begin(jpeg_errors *errors, char *message, size_t length);

/// The memory that a JPEG is written to; it grows, and stays with its owner after an error.
typedef struct {
    struct jpeg_destination_mgr manager;
    uint8_t *bytes;
    size_t length, capacity;
} jpeg_output;

/// Makes the library write to `output`, which is empty.
void jpeg_output_begin(jpeg_output *output, struct jpeg_compress_struct *target);
