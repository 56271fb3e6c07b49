// JPEG by libjpeg-turbo, with an entropy decoder of our own.
#ifndef CCODECS_JPEG_H
#define CCODECS_JPEG_H

#include <stddef.h>
#include <stdint.h>

/// A JPEG decoder that returns rows. Memory that the decoder reads from has to outlive the decoder.
typedef struct ccodecs_jpeg ccodecs_jpeg;

/// Creates a decoder of a JPEG in memory; NULL when out of memory. Free with
/// `ccodecs_jpeg_destroy`.
ccodecs_jpeg *ccodecs_jpeg_create(const uint8_t *bytes, size_t length);
void ccodecs_jpeg_destroy(ccodecs_jpeg *jpeg);

/// Reads the header. Returns 0 on success; otherwise `ccodecs_jpeg_message` has the error.
int ccodecs_jpeg_read_header(ccodecs_jpeg *jpeg, int *width, int *height);

/// Number of colour channels, known once the header is read: 1 for grey, 3 for RGB, 4 for CMYK.
int ccodecs_jpeg_channels(const ccodecs_jpeg *jpeg);

/// Starts decoding at 1/`denominator` (1, 2, 4 or 8) of the size; `width` and `height` receive the
/// reduced size in pixels. Grey rows have one byte a pixel. Other rows have four: B, G, R and 0xff,
/// or C, M, Y and K with 255 for full coverage. Returns 0 on success.
int ccodecs_jpeg_start(ccodecs_jpeg *jpeg, int denominator, int *width, int *height);

/// Whether the JPEG is progressive. Decoding a progressive JPEG at a reduced size saves next to no
/// time.
int ccodecs_jpeg_is_progressive(const ccodecs_jpeg *jpeg);

/// Bytes of coefficients that the library holds in memory until the last scan: two for each
/// coefficient of a JPEG with several scans, otherwise 0.
size_t ccodecs_jpeg_coefficient_bytes(const ccodecs_jpeg *jpeg);

/// Whether the colours are stored as YCbCr.
int ccodecs_jpeg_is_ycc(const ccodecs_jpeg *jpeg);

/// Decodes at most `count` rows into `rows`. Returns the number of rows, or -1 on an error after
/// which decoding cannot go on.
int ccodecs_jpeg_read_rows(ccodecs_jpeg *jpeg, uint8_t *const *rows, int count);

/// Whether the file has planes of luma, Cb and Cr that can be read as such. `column_shift` and `row_shift`
/// receive the number of luma samples per chroma sample along each axis, as powers of two: 0 to 2, and 0
/// to 1; both 2 for a grey file, whose chroma is without colour. Known once the header is read.
int ccodecs_jpeg_has_planes(const ccodecs_jpeg *jpeg, int *column_shift, int *row_shift);

/// Starts decoding to planes, at full size. Returns 0 on success.
int ccodecs_jpeg_start_planes(ccodecs_jpeg *jpeg);

/// Decodes the next rows of planes. `luma_count` is a multiple of 16, or the number of the rows that are
/// left. `chroma` receives that many rows divided by the luma rows per chroma row, rounded up. Rows of
/// luma have room for whole blocks of 8 samples. Rows of chroma are pairs of Cb and Cr. Returns the number of luma rows,
/// or -1 on an error after which decoding cannot go on.
int ccodecs_jpeg_read_planes(
    ccodecs_jpeg *jpeg, uint8_t *const *luma, int luma_count, uint8_t *const *chroma,
    int chroma_count);

/// Number of warnings so far. A truncated or damaged file gives warnings and still gives rows.
int ccodecs_jpeg_warnings(const ccodecs_jpeg *jpeg);

/// The library's message for the last error.
const char *ccodecs_jpeg_message(const ccodecs_jpeg *jpeg);

/// The embedded ICC profile, owned by the decoder; NULL if there is none.
const uint8_t *ccodecs_jpeg_profile(const ccodecs_jpeg *jpeg, size_t *length);

/// Creates a decoder of a JPEG in a file, which is read block by block. The descriptor has to stay
/// open while the decoder exists.
ccodecs_jpeg *ccodecs_jpeg_create_file(int descriptor);

/// Whether the loaded library has the version of the headers, and the entropy decoder of this version is
/// known, so that the library takes coefficients from `coefficients.c`.
int ccodecs_jpeg_library_is_known(void);

/// Makes the library read all data by itself, as it does if its version is not that of the headers.
/// Call it before the decoder is started.
void ccodecs_jpeg_use_library_alone(ccodecs_jpeg *jpeg);

/// Height and width of an MCU in pixels at full size.
int ccodecs_jpeg_mcu_height(const ccodecs_jpeg *jpeg);
int ccodecs_jpeg_mcu_width(const ccodecs_jpeg *jpeg);

/// Limits decoding to `width` columns from `x` on, in reduced pixels. Call it once the decoder is
/// started. The library may have to extend the columns to the left; `x` and `width` receive the
/// columns that it decodes. Returns 0 on success.
int ccodecs_jpeg_crop(ccodecs_jpeg *jpeg, int *x, int *width);

/// Rows of MCUs at which decoding can start: their offsets in the input, each with the state of the
/// entropy decoder there. Free with `ccodecs_jpeg_index_destroy`.
typedef struct ccodecs_jpeg_index ccodecs_jpeg_index;
void ccodecs_jpeg_index_destroy(ccodecs_jpeg_index *index);

/// Number of rows of MCUs in the image.
int ccodecs_jpeg_index_rows(const ccodecs_jpeg_index *index);

/// Number of rows of MCUs, from the top, that were read and have no error.
int ccodecs_jpeg_index_correct_rows(const ccodecs_jpeg_index *index);

/// Whether there is an error after these rows. Then only the library, from the top on, gives the
/// pixels of a decoder of the whole image.
int ccodecs_jpeg_index_has_error(const ccodecs_jpeg_index *index);

/// The last row of MCUs, `row` or above it, at which decoding can start.
int ccodecs_jpeg_index_before(const ccodecs_jpeg_index *index, int row);

/// Moves a decoder of the same input, which was just started at any reduction, to such a row of
/// MCUs, but not to the last row of MCUs of the image. The decoder counts rows from there: its row
/// 0 is the first pixel row of that row of MCUs. Returns 0 on success; otherwise the decoder cannot
/// be used any more.
int ccodecs_jpeg_enter(ccodecs_jpeg *jpeg, const ccodecs_jpeg_index *index, int row);

/// Whether decoding can start at any row of MCUs: the JPEG is sequential, Huffman-coded and has a
/// single scan, and the library's version is that of the headers. Known once the header is read.
int ccodecs_jpeg_can_be_indexed(const ccodecs_jpeg *jpeg);

/// Makes an index of the rows of MCUs that the decoder reads from now on. The decoder was just
/// started. NULL without memory. Destroy the index after the last row is read.
ccodecs_jpeg_index *ccodecs_jpeg_record_index(ccodecs_jpeg *jpeg);

/// Whether a JPEG in memory may have restart markers before rows of MCUs; known once the header is
/// read.
int ccodecs_jpeg_has_restarts(const ccodecs_jpeg *jpeg);

/// Makes an index of the rows of MCUs that follow a restart marker, where any version of the
/// library can start. The decoder was started and no row was read. NULL if there is no such row, or
/// if any restart marker is missing or out of order. A decoder that starts at one of these rows
/// therefore gives the same pixels as a decoder of the whole image.
ccodecs_jpeg_index *ccodecs_jpeg_find_restarts(const ccodecs_jpeg *jpeg);

/// The result of one pass over all coefficients of a JPEG: the mean of each block, from its DC
/// coefficient, and where each row of MCUs begins. The pass takes less time than decoding. The JPEG
/// has to be one that can be indexed, and its data must have no errors.
typedef struct ccodecs_jpeg_scan ccodecs_jpeg_scan;

/// Begins the pass for a decoder that was started and of which no row was read; the decoder has to
/// outlive the pass. NULL if the pass is not possible for the JPEG. Free with
/// `ccodecs_jpeg_scan_destroy`.
ccodecs_jpeg_scan *ccodecs_jpeg_scan_create(const ccodecs_jpeg *jpeg);
void ccodecs_jpeg_scan_destroy(ccodecs_jpeg_scan *scan);

/// Reads the next row of MCUs; 0 on success.
int ccodecs_jpeg_scan_row(ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg);

/// Whether the last row of MCUs was read.
int ccodecs_jpeg_scan_is_done(const ccodecs_jpeg_scan *scan);

/// The index of the rows of MCUs that the pass has read, owned by the scan.
const ccodecs_jpeg_index *ccodecs_jpeg_scan_index(const ccodecs_jpeg_scan *scan);

/// The block means of a component, 0 to 255, available once the pass is done: rows without gaps
/// that cover whole MCUs. `count` receives the number of means, `columns` and `rows` the blocks of
/// the component in an MCU. The means belong to the scan.
const uint8_t *ccodecs_jpeg_scan_dc_means(
    const ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg, int component, size_t *count,
    int *columns, int *rows);

/// A component of a scan of DC coefficients.
typedef struct {
    /// The Huffman table as stored in the file: 16 counts of codes, then at most 256 values.
    const uint8_t *table;
    /// The quantization step of the DC coefficient.
    int step;
    /// Blocks of the component in an MCU, horizontally and vertically.
    int columns, rows;
    /// The block means, 0 to 255, in rows of `stride` blocks that cover whole MCUs.
    uint8_t *means;
    size_t stride;
} ccodecs_jpeg_dc_component;

/// A scan of a progressive JPEG with the first bits of DC coefficients.
typedef struct {
    /// At most 4 components.
    const ccodecs_jpeg_dc_component *components;
    int count;
    /// MCUs in each direction, and MCUs between restart markers (0 without markers).
    int width, height, interval;
    /// Number of low bits that later scans add.
    int shift;
} ccodecs_jpeg_dc_scan;

/// Reads the scan whose entropy-coded data begins at `start`, and sets the means of its components.
/// Returns the offset of the marker after the data, or 0 if the data is damaged or truncated.
size_t ccodecs_jpeg_read_dc_scan(
    const uint8_t *bytes, size_t length, size_t start, const ccodecs_jpeg_dc_scan *scan);

#endif
