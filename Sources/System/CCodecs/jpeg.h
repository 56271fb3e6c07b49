#pragma once

// What the files of the JPEG wrapper share.

#include "include/ccodecs.h"
#include "jpeg_entropy.h"

#include <setjmp.h>
// Before jpeglib.h, which needs it.
#include <stdio.h>
#include <sys/types.h>

#include <jpeglib.h>

/// Reads a file a piece at a time: what another program cuts off meanwhile just ends early.
typedef struct {
    struct jpeg_source_mgr manager;
    int descriptor;
    /// Where in the file the piece ends.
    off_t end;
    JOCTET piece[1 << 18];
} file_source;

/// How far the entropy decoder was when it came to a row of MCUs.
typedef struct {
    /// Of the next byte that it reads.
    off_t offset;
    int unread_marker;
} index_entry;

struct ccodecs_jpeg_index {
    int rows;
    /// The last row that was noted.
    int noted;
    index_entry *entries;
    /// The entropy decoder's own memory: before the first row, and at each.
    size_t state_size;
    unsigned char *start;
    unsigned char *states;
};

struct ccodecs_jpeg {
    struct jpeg_decompress_struct info;
    /// Set where it is read from memory.
    const uint8_t *bytes;
    size_t length;
    /// As it was started.
    int denominator;
    /// Where it was entered: the row of MCUs, after which byte, and the number of the restart marker that
    /// the library takes for number 0. All of them 0 where it was not; -1 where the library cannot do so.
    int entered_row;
    size_t entered_offset;
    int first_restart;
    /// Set where they are read by `jpeg_coefficients.c` and not by the library.
    struct jpeg_coefficients *coefficients;
    /// A row that is not wanted.
    uint8_t *spare_row;
    /// Set where it is read from a file.
    file_source *file;
    /// The library's way to get memory, which is asked for the size of the entropy decoder's.
    void *(*alloc_small)(j_common_ptr, int, size_t);
    size_t small_size;
    size_t entropy_size;
    /// Filled while rows are read.
    ccodecs_jpeg_index *index;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    char message[JMSG_LENGTH_MAX];
    JOCTET *profile;
    unsigned int profile_length;
    /// Whether its inks are 255 where there are none.
    int is_inverted;
};

/// Whether the coefficients of one that was started and not read can be read without the library.
int are_jpeg_coefficients_ours(const ccodecs_jpeg *jpeg);

/// Has a JPEG in memory that was just started read without the library's entropy decoder, if it can be.
void read_jpeg_coefficients(ccodecs_jpeg *jpeg);
void forget_jpeg_coefficients(ccodecs_jpeg *jpeg);

/// Whether something in its data is not as it should be: what comes of it is worth nothing then.
int are_jpeg_coefficients_doubtful(const ccodecs_jpeg *jpeg);

/// Where the first MCU of one begins that was just started.
entropy_place jpeg_start_place(const ccodecs_jpeg *jpeg);

/// Goes to where a row of MCUs begins, in one that was just started and is read so.
void put_jpeg(ccodecs_jpeg *jpeg, const entropy_place *place, int row);

/// Has the library go to where it was entered.
void enter_jpeg(ccodecs_jpeg *jpeg);
