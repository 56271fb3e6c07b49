#pragma once

// The bytes of a JPEG, and the library's access to them.

#include <stddef.h>
#include <stdint.h>
// Before jpeglib.h, which needs it.
#include <stdio.h>

#include <jpeglib.h>

/// Number of bytes of a file that are read at once.
enum { JPEG_BLOCK_BYTES = 1 << 16 };

/// A JPEG in memory, or in a file. A file that another program truncates in the meantime only ends
/// early.
typedef struct {
    /// NULL if the JPEG is in a file.
    const uint8_t *bytes;
    size_t length;
    int descriptor;
} jpeg_input;

/// Copies at most `count` bytes at an offset. Returns the number of bytes, 0 at the end and on an
/// error.
size_t jpeg_input_read(const jpeg_input *input, uint64_t offset, uint8_t *target, size_t count);

/// A source manager of the library that reads an input. A header may replace the bytes before some
/// offset.
typedef struct {
    struct jpeg_source_mgr manager;
    jpeg_input input;
    /// Offset in the input of the end of the bytes that the library has at hand.
    uint64_t end;
    /// Whether the input ended, so that the library was given an end marker.
    int is_past_end;
    /// A part of the file; NULL if the input is in memory.
    uint8_t *block;
} jpeg_source;

/// Sets up a source that reads from the start. Returns 0 without memory. Free with
/// `jpeg_source_end`.
int jpeg_source_begin(jpeg_source *source, const jpeg_input *input);
void jpeg_source_end(jpeg_source *source);

/// Makes the library read `header` and then the input from an offset on. The header has to outlive
/// the library's reading; its length may be 0.
void jpeg_source_rewind(
    jpeg_source *source, const uint8_t *header, size_t length, uint64_t offset);

/// Offset in the input of the next byte that the library reads.
uint64_t jpeg_source_offset(const jpeg_source *source);
