// HEIF by libheif: HEIC and AVIF.
#ifndef CCODECS_HEIF_H
#define CCODECS_HEIF_H

#include <stddef.h>
#include <stdint.h>

enum ccodecs_heif_kind { CCODECS_HEIF_HEVC, CCODECS_HEIF_AV1 };

/// Whether the library is there and decodes that kind.
int ccodecs_heif_is_available(enum ccodecs_heif_kind kind);

/// The primary picture of a file in memory, which has to outlive it.
typedef struct ccodecs_heif ccodecs_heif;

/// Reads what comes before the pixels; NULL when there is no memory. Frees with
/// `ccodecs_heif_destroy`. The file is good if `ccodecs_heif_message` says nothing.
ccodecs_heif *ccodecs_heif_create(const uint8_t *bytes, size_t length);
void ccodecs_heif_destroy(ccodecs_heif *heif);

/// The library's words for the error that ended it; empty while there is none.
const char *ccodecs_heif_message(const ccodecs_heif *heif);

/// Whether the error was that the file ends too early.
int ccodecs_heif_is_cut_short(const ccodecs_heif *heif);

/// The size once it is turned, mirrored and cropped as the file says.
void ccodecs_heif_size(const ccodecs_heif *heif, int *width, int *height);

int ccodecs_heif_has_alpha(const ccodecs_heif *heif);

/// Bits of a sample, as far as the file's header says.
int ccodecs_heif_bits(const ccodecs_heif *heif);

/// The ICC profile to `target`, where it is not NULL; how many bytes it has, 0 where there is none.
size_t ccodecs_heif_profile(const ccodecs_heif *heif, uint8_t *target);

/// The code points of ITU-T H.273 for primaries and transfer function; 0 where there are none. Those
/// within the pictures' own data are known once it is decoded.
int ccodecs_heif_code_points(const ccodecs_heif *heif, int *primaries, int *transfer);

/// The EXIF data, with four bytes before it that say where in it the TIFF structure begins, to
/// `target`, where it is not NULL; how many bytes it has, 0 where there is none.
size_t ccodecs_heif_exif(const ccodecs_heif *heif, uint8_t *target);

/// Decodes all of it; 0 when that went well.
int ccodecs_heif_decode(ccodecs_heif *heif);

/// Whether there were no warnings.
int ccodecs_heif_is_complete(const ccodecs_heif *heif);

/// What a row is made of: words 0xFFRRGGBB where it has no alpha; R, G, B (A if it has alpha, straight)
/// of 8 bits; or of 16.
enum ccodecs_heif_samples { CCODECS_HEIF_WORDS, CCODECS_HEIF_8, CCODECS_HEIF_16 };

/// A row of what was decoded.
void ccodecs_heif_read_row(
    const ccodecs_heif *heif, int y, enum ccodecs_heif_samples samples, void *target);

#endif
