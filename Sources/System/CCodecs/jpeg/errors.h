#pragma once

// Errors of the library, which leave it by a jump.

#include <stddef.h>
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
