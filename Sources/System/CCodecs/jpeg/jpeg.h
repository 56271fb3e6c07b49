#pragma once

// Declarations shared by the files of the JPEG wrapper.

#include "ccodecs_jpeg.h"
#include "entropy/entropy.h"
#include "errors.h"
#include "entropy/source.h"

/// The width of a picture in pixels, and how its planes are sampled, if it has planes.
struct jpeg_plane_sizes {
    JDIMENSION width;
    int are_planes, column_shift, row_shift;
};

struct ccodecs_jpeg {
    struct jpeg_decompress_struct info;
    jpeg_source source;
    /// The denominator that decoding was started with, and the columns that it is limited to; the
    /// width is 0 without a limit.
    int denominator;
    JDIMENSION crop_x, crop_width;
    /// Whether the library reads the coefficients, also where `coefficients.c` could.
    int is_library_alone;
    /// Where decoding was entered: the row of MCUs (0 at the top), the offset of its first byte,
    /// and the number of the next restart marker, which the library counts as number 0.
    int entered_row;
    uint64_t entered_offset;
    int first_restart;
    /// Whether the library's own entropy decoder can start there: a restart marker precedes.
    int is_entered_at_restart;
    /// The header that the library reads if decoding was entered below the top: the height is that
    /// of the rows from there on. Owned.
    uint8_t *header;
    size_t header_length;
    /// Set if `coefficients.c` reads the coefficients instead of the library.
    struct jpeg_coefficients *coefficients;
    /// Target of rows that are decoded and discarded.
    uint8_t *spare_row;
    /// Whether decoding was started to planes, and rows of samples for that.
    int has_planes;
    struct jpeg_plane_sizes plane_sizes;
    uint8_t *samples;
    /// Filled while rows are read; NULL without an index.
    ccodecs_jpeg_index *recorded;
    jpeg_errors errors;
    char message[JMSG_LENGTH_MAX];
    JOCTET *profile;
    unsigned int profile_length;
    /// Whether CMYK samples are stored inverted, with 255 for no coverage.
    int is_inverted;
};

// MARK: decoder.c

/// Starts the library, as `denominator`, `has_planes` and the cropped columns say. The library's errors
/// jump to `errors.escape`.
void jpeg_start_decoding(ccodecs_jpeg *jpeg);

/// Starts decoding, once more if it was started before, at the row where decoding was entered.
/// Returns 0 if the header cannot be read. The library's errors jump to `errors.escape`.
int jpeg_restart_decoder(ccodecs_jpeg *jpeg);

// MARK: planes.c

/// Whether a header that was read once more, perhaps from a file that was written meanwhile, describes
/// planes of the width and the sampling that decoding was started with.
int jpeg_planes_are_the_same(const ccodecs_jpeg *jpeg);

// MARK: coefficients.c

/// Whether the coefficients of a JPEG whose header was read can be read from any row of MCUs on:
/// the JPEG is sequential, Huffman-coded and has a single scan.
int jpeg_is_sequential(const ccodecs_jpeg *jpeg);

/// Whether `entropy.c` can read the coefficients of a JPEG that was started and of which no row was
/// read.
int jpeg_can_read_coefficients(const ccodecs_jpeg *jpeg);

/// Replaces the library's entropy decoder, if possible, in a JPEG that was just started at `place`.
void jpeg_install_coefficients(ccodecs_jpeg *jpeg, const entropy_place *place);
void jpeg_remove_coefficients(ccodecs_jpeg *jpeg);

/// Whether the entropy-coded data has an error. The pixels decoded from it are then invalid.
int jpeg_coefficients_are_invalid(const ccodecs_jpeg *jpeg);

/// Where the first MCU begins, in a JPEG that was just started.
entropy_place jpeg_start_place(const ccodecs_jpeg *jpeg);

// MARK: index.c

struct ccodecs_jpeg_index {
    /// Number of rows of MCUs in the image, and number of those whose data is known to be correct.
    int rows, correct;
    /// Whether there is an error after these rows, or `entropy.c` cannot read the JPEG.
    int has_error;
    /// Whether a restart marker precedes each place.
    int starts_at_restarts;
    /// Whether the header is as expected, so that decoders can enter.
    int can_enter;
    /// The input of the JPEG.
    jpeg_input input;
    /// A copy of the bytes before the scan's data, and the offset of the image height there.
    uint8_t *header;
    size_t header_length, height_offset;
    /// By row of MCUs, where the row begins; the offset is 0 if that is not known.
    entropy_place places[];
};

/// Makes an index without places for a decoder that was just started. NULL without memory.
ccodecs_jpeg_index *jpeg_index_create(const ccodecs_jpeg *jpeg);

/// Number of MCUs in a row of MCUs as the library counts rows: in a scan of a single component such
/// a row has several rows of blocks.
size_t jpeg_mcus_of_row(const struct jpeg_decompress_struct *info);
