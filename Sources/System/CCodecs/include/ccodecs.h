// Shims over the decoding libraries: whatever needs setjmp, or memory that a library owns, stays
// in C.
#ifndef CCODECS_H
#define CCODECS_H

#include <stddef.h>
#include <stdint.h>

/// A JPEG being decoded row by row from memory, which has to outlive it.
typedef struct ccodecs_jpeg ccodecs_jpeg;

/// Starts on a JPEG; NULL when there is no memory. Frees with `ccodecs_jpeg_destroy`.
ccodecs_jpeg *ccodecs_jpeg_create(const uint8_t *bytes, size_t length);
void ccodecs_jpeg_destroy(ccodecs_jpeg *jpeg);

/// Reads the header. 0 when it could be read, else see `ccodecs_jpeg_message`.
int ccodecs_jpeg_read_header(ccodecs_jpeg *jpeg, int *width, int *height);

/// What its rows are, known from the header on: 1 for grey, 3 for colour, 4 for four inks.
int ccodecs_jpeg_inks(const ccodecs_jpeg *jpeg);

/// Starts decoding at 1/`denominator` (1, 2, 4 or 8), to a byte a pixel for grey and else four: B, G,
/// R and 0xff, or C, M, Y and K with 255 for full ink. 0 when it started.
int ccodecs_jpeg_start(ccodecs_jpeg *jpeg, int denominator, int *width, int *height);

/// Whether its scans make it better and better, so that reducing it saves next to nothing.
int ccodecs_jpeg_is_progressive(const ccodecs_jpeg *jpeg);

/// Bytes of memory that the library holds of it until its last scan: two for each coefficient, where
/// there are several scans.
size_t ccodecs_jpeg_held(const ccodecs_jpeg *jpeg);

/// Whether its colours are stored as luma and two differences.
int ccodecs_jpeg_is_ycc(const ccodecs_jpeg *jpeg);

/// Decodes at most `count` rows to `rows`; the number done, or -1 on an error that ends it.
int ccodecs_jpeg_read_rows(ccodecs_jpeg *jpeg, uint8_t *const *rows, int count);

/// How many warnings there were: a file that is cut short or damaged still gives rows.
int ccodecs_jpeg_warnings(const ccodecs_jpeg *jpeg);

/// The library's words for the last error.
const char *ccodecs_jpeg_message(const ccodecs_jpeg *jpeg);

/// The embedded ICC profile, which belongs to the JPEG; NULL where there is none.
const uint8_t *ccodecs_jpeg_profile(const ccodecs_jpeg *jpeg, size_t *length);

/// Starts on a JPEG in a file that stays open, which is read a piece at a time.
ccodecs_jpeg *ccodecs_jpeg_create_file(int descriptor);

/// Whether its rows can be gone back to: it is sequential, in one scan, and Huffman-coded.
int ccodecs_jpeg_can_be_indexed(const ccodecs_jpeg *jpeg);

/// The pixels of a row and of a column of MCUs, unreduced.
int ccodecs_jpeg_mcu_height(const ccodecs_jpeg *jpeg);
int ccodecs_jpeg_mcu_width(const ccodecs_jpeg *jpeg);

/// Where in a file rows of MCUs begin, and how the entropy decoder was then.
typedef struct ccodecs_jpeg_index ccodecs_jpeg_index;

/// Has every row of MCUs noted that is read from here on; call it once started, for a file. NULL when
/// there can be no index. Frees with `ccodecs_jpeg_index_destroy`, after the JPEG.
ccodecs_jpeg_index *ccodecs_jpeg_make_index(ccodecs_jpeg *jpeg);
void ccodecs_jpeg_index_destroy(ccodecs_jpeg_index *index);

/// How many rows of MCUs can be gone to.
int ccodecs_jpeg_index_rows(const ccodecs_jpeg_index *index);

/// Goes to a row of MCUs, in a decoder of the same file that was just started, at any reduction: the
/// rows that it reads are those from there on, and it takes them for the first. 0 when it is there.
int ccodecs_jpeg_seek(ccodecs_jpeg *jpeg, const ccodecs_jpeg_index *index, int row);

/// Where a JPEG in memory can be entered: at restart markers before the first MCU of a row.
typedef struct ccodecs_jpeg_restarts ccodecs_jpeg_restarts;

/// Whether there may be any, known from the header on.
int ccodecs_jpeg_has_restarts(const ccodecs_jpeg *jpeg);

/// Looks for them in one that was started and of which no row was read. NULL where it has none, and
/// where any of them is not where it should be: so that rows from one of them on are those that a
/// decoder of the whole gives. Frees with `ccodecs_jpeg_restarts_destroy`.
ccodecs_jpeg_restarts *ccodecs_jpeg_find_restarts(const ccodecs_jpeg *jpeg);
void ccodecs_jpeg_restarts_destroy(ccodecs_jpeg_restarts *restarts);

/// How many rows of MCUs there are.
int ccodecs_jpeg_restarts_rows(const ccodecs_jpeg_restarts *restarts);

/// The last row of MCUs up to `row` that can be gone to.
int ccodecs_jpeg_restarts_before(const ccodecs_jpeg_restarts *restarts, int row);

/// Goes to such a row but the last, in a decoder of the same bytes that was just started, at any reduction:
/// the rows that it reads are those from there on, and it takes them for the first. 0 when it is there.
int ccodecs_jpeg_enter(ccodecs_jpeg *jpeg, const ccodecs_jpeg_restarts *restarts, int row);

/// What one pass over all coefficients of a JPEG in memory finds, in less time than it takes to decode
/// them: the mean of each block, and where rows of MCUs begin. Only of one that can be indexed, and in
/// whose data nothing is wrong.
typedef struct ccodecs_jpeg_scan ccodecs_jpeg_scan;

/// Begins it for one that was started and of which no row was read, which has to outlive the pass. NULL
/// where there can be none. Frees with `ccodecs_jpeg_scan_destroy`, after those that entered it.
ccodecs_jpeg_scan *ccodecs_jpeg_scan_create(const ccodecs_jpeg *jpeg);
void ccodecs_jpeg_scan_destroy(ccodecs_jpeg_scan *scan);

/// Goes on by a row of MCUs; 0 when it was there.
int ccodecs_jpeg_scan_row(ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg);

/// Whether that was the last one.
int ccodecs_jpeg_scan_is_done(const ccodecs_jpeg_scan *scan);

/// The means of a component's blocks, once it is done, without gaps and with whole MCUs; how many there are,
/// and how many an MCU has. They belong to the scan.
const uint8_t *ccodecs_jpeg_scan_means(
    const ccodecs_jpeg_scan *scan, const ccodecs_jpeg *jpeg, int component, size_t *count,
    int *columns, int *rows);

/// Goes to a row of MCUs that was passed, but the last, in a decoder of the same bytes that was just started,
/// at any reduction: the rows that it reads are those from there on, and it takes them for the first. 0 when
/// it is there.
int ccodecs_jpeg_enter_scan(ccodecs_jpeg *jpeg, const ccodecs_jpeg_scan *scan, int row);

/// Decodes only columns from `x` on, `width` of them, as reduced; call it once started. Takes in more
/// on the left where it has to, and says so. 0 when done.
int ccodecs_jpeg_crop(ccodecs_jpeg *jpeg, int *x, int *width);

/// What samples are: of 8 or 16 bits, straight alpha; CMYK with 255 as full ink; words are B, G, R
/// and 0xff in memory.
enum ccodecs_samples {
    CCODECS_GRAY8,
    CCODECS_RGB8,
    CCODECS_RGBA8,
    /// The fourth sample means nothing.
    CCODECS_RGBX8,
    CCODECS_CMYK8,
    CCODECS_GRAY16,
    CCODECS_RGB16,
    CCODECS_RGBA16,
    CCODECS_RGBX16,
    CCODECS_WORDS,
};

/// Takes numbers of one colour space to those of another; may be run by several threads at once.
typedef struct ccodecs_transform ccodecs_transform;

/// From an ICC profile (sRGB when `length` is 0) to another (likewise); NULL where a profile is none,
/// does not go with the samples, or lcms2 is not there. Frees with `ccodecs_transform_destroy`.
ccodecs_transform *ccodecs_transform_create(
    const uint8_t *profile, size_t length, enum ccodecs_samples samples, const uint8_t *target,
    size_t target_length);

/// From x and y of white, red, green and blue, and light = number ^ gamma; sRGB's curve when `gamma`
/// is 0.
ccodecs_transform *ccodecs_transform_create_rgb(
    const double *chromaticities, double gamma, enum ccodecs_samples samples, const uint8_t *target,
    size_t target_length);

/// To R, G, B of 16 bits, and A where the samples have alpha.
void ccodecs_transform_run(
    const ccodecs_transform *transform, const void *source, uint16_t *target, size_t pixels);

void ccodecs_transform_destroy(ccodecs_transform *transform);

/// Whether colours can be converted.
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
