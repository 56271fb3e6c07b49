#pragma once

// Declarations shared by the files of the JPEG wrapper.

#include "include/ccodecs.h"
#include "jpeg_entropy.h"

#include <setjmp.h>
// Before jpeglib.h, which needs it.
#include <stdio.h>
#include <sys/types.h>

#include <jpeglib.h>

/// A source manager that reads a file block by block. A file that another program truncates in the
/// meantime only ends early.
typedef struct {
    struct jpeg_source_mgr manager;
    int descriptor;
    /// File offset of the end of the block.
    off_t end;
    JOCTET piece[1 << 18];
} file_source;

/// Position of the entropy decoder at the start of a row of MCUs.
typedef struct {
    /// File offset of the next byte to read.
    off_t offset;
    int unread_marker;
} index_entry;

struct ccodecs_jpeg_index {
    int rows;
    /// The last row that was recorded.
    int noted;
    index_entry *entries;
    /// Copies of the entropy decoder's memory: before the first row (`start`), and at each row
    /// (`states`).
    size_t state_size;
    unsigned char *start;
    unsigned char *states;
};

struct ccodecs_jpeg {
    struct jpeg_decompress_struct info;
    /// NULL if the JPEG is read from a file.
    const uint8_t *bytes;
    size_t length;
    /// The denominator that decoding was started with.
    int denominator;
    /// Where decoding was entered: the row of MCUs, the offset of the first byte after the restart
    /// marker, and the number of the next restart marker, which the library counts as number 0. All
    /// are 0 if decoding starts at the top. The row is -1 if the library's own entropy decoder
    /// cannot start there.
    int entered_row;
    size_t entered_offset;
    int first_restart;
    /// Set if `jpeg_coefficients.c` reads the coefficients instead of the library.
    struct jpeg_coefficients *coefficients;
    /// Target of rows that are decoded and discarded.
    uint8_t *spare_row;
    /// NULL if the JPEG is read from memory.
    file_source *file;
    /// The library's own allocator. `alloc_recording_size` wraps it to learn the size of the
    /// entropy decoder's memory.
    void *(*alloc_small)(j_common_ptr, int, size_t);
    size_t small_size;
    size_t entropy_size;
    /// Filled while rows are read; NULL without an index.
    ccodecs_jpeg_index *index;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    char message[JMSG_LENGTH_MAX];
    JOCTET *profile;
    unsigned int profile_length;
    /// Whether CMYK samples are stored inverted, with 255 for no ink.
    int is_inverted;
};

/// Whether `jpeg_coefficients.c` can read the coefficients of a JPEG that was started and of which
/// no row was read.
int can_read_jpeg_coefficients(const ccodecs_jpeg *jpeg);

/// Replaces the library's entropy decoder, if possible, in a JPEG in memory that was just started.
void install_jpeg_coefficient_reader(ccodecs_jpeg *jpeg);
void remove_jpeg_coefficient_reader(ccodecs_jpeg *jpeg);

/// Whether the entropy-coded data has an error. The pixels decoded from it are then invalid.
int are_jpeg_coefficients_invalid(const ccodecs_jpeg *jpeg);

/// Where the first MCU begins, in a JPEG that was just started.
entropy_place jpeg_start_place(const ccodecs_jpeg *jpeg);

/// Moves to the start of a row of MCUs, in a JPEG that was just started and whose coefficients
/// `jpeg_coefficients.c` reads.
void seek_jpeg(ccodecs_jpeg *jpeg, const entropy_place *place, int row);

/// Moves the library's own decoder to the row of MCUs where decoding was entered.
void enter_jpeg(ccodecs_jpeg *jpeg);
