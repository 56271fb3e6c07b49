// Shims over the decoding libraries. Code that needs setjmp, or that handles memory owned by a
// library, stays in C.
#ifndef CCODECS_H
#define CCODECS_H

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
/// or C, M, Y and K with 255 for full ink. Returns 0 on success.
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

/// Number of warnings so far. A truncated or damaged file gives warnings and still gives rows.
int ccodecs_jpeg_warnings(const ccodecs_jpeg *jpeg);

/// The library's message for the last error.
const char *ccodecs_jpeg_message(const ccodecs_jpeg *jpeg);

/// The embedded ICC profile, owned by the decoder; NULL if there is none.
const uint8_t *ccodecs_jpeg_profile(const ccodecs_jpeg *jpeg, size_t *length);

/// Creates a decoder of a JPEG in a file, which is read block by block. The descriptor has to stay
/// open while the decoder exists.
ccodecs_jpeg *ccodecs_jpeg_create_file(int descriptor);

/// Whether decoding can start again at any row of MCUs: the JPEG is sequential, Huffman-coded and
/// has a single scan.
int ccodecs_jpeg_can_be_indexed(const ccodecs_jpeg *jpeg);

/// Height and width of an MCU in pixels at full size.
int ccodecs_jpeg_mcu_height(const ccodecs_jpeg *jpeg);
int ccodecs_jpeg_mcu_width(const ccodecs_jpeg *jpeg);

/// File offsets of the rows of MCUs, each with the state of the entropy decoder at that offset.
typedef struct ccodecs_jpeg_index ccodecs_jpeg_index;

/// Makes an index that records every row of MCUs that the decoder reads from now on. The decoder
/// reads from a file and was just started. NULL if the JPEG cannot be indexed or without memory.
/// Free with `ccodecs_jpeg_index_destroy`, after the decoder.
ccodecs_jpeg_index *ccodecs_jpeg_make_index(ccodecs_jpeg *jpeg);
void ccodecs_jpeg_index_destroy(ccodecs_jpeg_index *index);

/// Number of rows of MCUs that `ccodecs_jpeg_seek` can go to.
int ccodecs_jpeg_index_rows(const ccodecs_jpeg_index *index);

/// Moves a decoder of the same file, which was just started at any reduction, to a row of MCUs. The
/// decoder counts rows from there: its row 0 is the first pixel row of that row of MCUs. Returns 0
/// on success.
int ccodecs_jpeg_seek(ccodecs_jpeg *jpeg, const ccodecs_jpeg_index *index, int row);

/// Rows of MCUs at which decoding of a JPEG in memory can start, because a restart marker precedes
/// their first MCU.
typedef struct ccodecs_jpeg_restarts ccodecs_jpeg_restarts;

/// Whether the JPEG may have such rows; known once the header is read.
int ccodecs_jpeg_has_restarts(const ccodecs_jpeg *jpeg);

/// Finds these rows. The decoder was started and no row was read. NULL if there is no such row, or
/// if any restart marker is missing or out of order. A decoder that starts at one of these rows
/// therefore gives the same pixels as a decoder of the whole image. Free with
/// `ccodecs_jpeg_restarts_destroy`.
ccodecs_jpeg_restarts *ccodecs_jpeg_find_restarts(const ccodecs_jpeg *jpeg);
void ccodecs_jpeg_restarts_destroy(ccodecs_jpeg_restarts *restarts);

/// Number of rows of MCUs in the image.
int ccodecs_jpeg_restarts_rows(const ccodecs_jpeg_restarts *restarts);

/// The last row of MCUs, `row` or above it, at which decoding can start.
int ccodecs_jpeg_restarts_before(const ccodecs_jpeg_restarts *restarts, int row);

/// Moves a decoder of the same bytes, which was just started at any reduction, to such a row of
/// MCUs, but not to the last row of MCUs of the image. The decoder counts rows from there: its row
/// 0 is the first pixel row of that row of MCUs. Returns 0 on success.
int ccodecs_jpeg_enter(ccodecs_jpeg *jpeg, const ccodecs_jpeg_restarts *restarts, int row);

/// The result of one pass over all coefficients of a JPEG in memory: the mean of each block, from
/// its DC coefficient, and where each row of MCUs begins. The pass takes less time than decoding.
/// The JPEG has to be one that can be indexed, and its data must have no errors.
typedef struct ccodecs_jpeg_scan ccodecs_jpeg_scan;

/// Begins the pass for a decoder that was started and of which no row was read; the decoder has to
/// outlive the pass. NULL if the pass is not possible for the JPEG. Free with
/// `ccodecs_jpeg_scan_destroy`, after the decoders that entered the scan.
ccodecs_jpeg_scan *ccodecs_jpeg_scan_create(const ccodecs_jpeg *jpeg);
void ccodecs_jpeg_scan_destroy(ccodecs_jpeg_scan *scan);

/// Reads the next row of MCUs; 0 on success.
int ccodecs_jpeg_scan_row(ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg);

/// Whether the last row of MCUs was read.
int ccodecs_jpeg_scan_is_done(const ccodecs_jpeg_scan *scan);

/// The block means of a component, 0 to 255, available once the pass is done: rows without gaps
/// that cover whole MCUs. `count` receives the number of means, `columns` and `rows` the blocks of
/// the component in an MCU. The means belong to the scan.
const uint8_t *ccodecs_jpeg_scan_dc_means(
    const ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg, int component, size_t *count,
    int *columns, int *rows);

/// Moves a decoder of the same bytes, which was just started at any reduction, to a row of MCUs
/// that the pass has read, but not to the last row of MCUs of the image. The decoder counts rows
/// from there: its row 0 is the first pixel row of that row of MCUs. Returns 0 on success.
int ccodecs_jpeg_enter_scan(ccodecs_jpeg *jpeg, const ccodecs_jpeg_scan *scan, int row);

/// Limits decoding to `width` columns from `x` on, in reduced pixels. Call it once the decoder is
/// started. The library may have to extend the columns to the left; `x` and `width` receive the
/// columns that it decodes. Returns 0 on success.
int ccodecs_jpeg_crop(ccodecs_jpeg *jpeg, int *x, int *width);

/// Sample formats: 8 or 16 bits, straight alpha, CMYK with 255 for full ink. `CCODECS_BGRX8` is B,
/// G, R and 0xff in memory.
enum ccodecs_samples {
    CCODECS_GRAY8,
    CCODECS_RGB8,
    CCODECS_RGBA8,
    /// The fourth sample is ignored.
    CCODECS_RGBX8,
    CCODECS_CMYK8,
    CCODECS_GRAY16,
    CCODECS_RGB16,
    CCODECS_RGBA16,
    CCODECS_RGBX16,
    CCODECS_BGRX8,
};

/// A conversion from one colour space to another. Several threads may run the same transform at
/// once.
typedef struct ccodecs_transform ccodecs_transform;

/// Makes a transform from an ICC profile to another; sRGB where the length is 0. NULL if a profile
/// is invalid or does not fit the samples, or if lcms2 is missing. Free with
/// `ccodecs_transform_destroy`.
ccodecs_transform *ccodecs_transform_create(
    const uint8_t *profile, size_t length, enum ccodecs_samples samples, const uint8_t *target,
    size_t target_length);

/// Makes a transform from CIE x and y of white, red, green and blue, and a transfer function:
/// linear light = value ^ gamma, or sRGB's curve when `gamma` is 0.
ccodecs_transform *ccodecs_transform_create_rgb(
    const double *chromaticities, double gamma, enum ccodecs_samples samples, const uint8_t *target,
    size_t target_length);

/// Converts `pixels` pixels to R, G and B of 16 bits, and A where the samples have alpha.
void ccodecs_transform_run(
    const ccodecs_transform *transform, const void *source, uint16_t *target, size_t pixels);

void ccodecs_transform_destroy(ccodecs_transform *transform);

/// Whether lcms2 is available.
int ccodecs_has_color(void);

#include "ccodecs_avif.h"
#include "ccodecs_exif.h"
#include "ccodecs_exr.h"
#include "ccodecs_gif.h"
#include "ccodecs_heif.h"
#include "ccodecs_jp2.h"
#include "ccodecs_jxl.h"
#include "ccodecs_raw.h"
#include "ccodecs_svg.h"
#include "ccodecs_tiff.h"
#include "ccodecs_webp.h"

#include <spng.h>

#endif
