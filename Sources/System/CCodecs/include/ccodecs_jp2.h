// JPEG 2000 by OpenJPEG.
#ifndef CCODECS_JP2_H
#define CCODECS_JP2_H

#include <stddef.h>
#include <stdint.h>

/// Whether the library is there.
int ccodecs_jp2_is_available(void);

/// A file in memory, which has to outlive it.
typedef struct ccodecs_jp2 ccodecs_jp2;

/// How a file is made to end that does not end as it says.
typedef struct {
    /// What comes after so many bytes is left out, and the marker of an end put there.
    size_t end;
    /// Where in the file the length of its last part is, as four bytes, and what it is taken for; 0 where
    /// there is none.
    size_t length_at;
    uint32_t length;
    /// The most bytes that part may be taken to have besides, as zeros.
    uint32_t padding;
    /// Whether something is missing.
    int is_cut;
} ccodecs_jp2_ending;

/// Reads what comes before the pixels; NULL when there is no memory. `reduction` halvings are made
/// when it is decoded. `ending` is NULL where the file ends as it says. Frees with
/// `ccodecs_jp2_destroy`. The file is good if `ccodecs_jp2_message` says nothing.
ccodecs_jp2 *ccodecs_jp2_create(
    const uint8_t *bytes, size_t length, int reduction, const ccodecs_jp2_ending *ending);
void ccodecs_jp2_destroy(ccodecs_jp2 *jp2);

/// The library's words for the error that ended it; empty while there is none.
const char *ccodecs_jp2_message(const ccodecs_jp2 *jp2);

/// The whole picture's size, not reduced.
void ccodecs_jp2_size(const ccodecs_jp2 *jp2, int *width, int *height);

/// How many times it can be halved.
int ccodecs_jp2_deepest_reduction(const ccodecs_jp2 *jp2);

/// The height of the tiles it is coded in, the last one's apart.
int ccodecs_jp2_tile_height(const ccodecs_jp2 *jp2);

/// Has only `count` rows from `first` on decoded, of a picture that is not reduced, which are all there
/// is afterwards.
void ccodecs_jp2_select_rows(ccodecs_jp2 *jp2, int first, int count);

/// Decodes all of it; 0 when there is something to show. Not to be called again.
int ccodecs_jp2_decode(ccodecs_jp2 *jp2);

/// Whether nothing was missing.
int ccodecs_jp2_is_complete(const ccodecs_jp2 *jp2);

/// What was decoded: its size, and samples a pixel (1 grey, 3 colour, 4 with straight alpha or inks)
/// of 8 or, if deep, 16 bits.
void ccodecs_jp2_layout(
    const ccodecs_jp2 *jp2, int *width, int *height, int *samples, int *is_deep);

/// Whether the samples are inks, of which the largest number is the most; they are never deep.
int ccodecs_jp2_is_inks(const ccodecs_jp2 *jp2);

/// The ICC profile, which belongs to the file; NULL where there is none.
const uint8_t *ccodecs_jp2_profile(const ccodecs_jp2 *jp2, size_t *length);

/// A row of what was decoded.
void ccodecs_jp2_read_row(const ccodecs_jp2 *jp2, int y, void *target);

#endif
