// HEIF by libheif: HEIC and AVIF.
#ifndef CCODECS_HEIF_H
#define CCODECS_HEIF_H

#include <stddef.h>
#include <stdint.h>

enum ccodecs_heif_kind { CCODECS_HEIF_HEVC, CCODECS_HEIF_AV1 };

/// Whether libheif is available and decodes that kind.
int ccodecs_heif_is_available(enum ccodecs_heif_kind kind);

/// A decoder of the primary image of a file in memory. The memory has to outlive the decoder.
typedef struct ccodecs_heif ccodecs_heif;

/// Reads the header; NULL without memory. On failure `ccodecs_heif_message` is not empty. Free with
/// `ccodecs_heif_destroy`.
ccodecs_heif *ccodecs_heif_create(const uint8_t *bytes, size_t length);
void ccodecs_heif_destroy(ccodecs_heif *heif);

/// The library's message for the error that ended decoding; empty if there was none.
const char *ccodecs_heif_message(const ccodecs_heif *heif);

/// Whether the error was that the file is truncated.
int ccodecs_heif_is_cut_short(const ccodecs_heif *heif);

/// Size in pixels after rotation, mirroring and cropping as the file says.
void ccodecs_heif_size(const ccodecs_heif *heif, int *width, int *height);

int ccodecs_heif_has_alpha(const ccodecs_heif *heif);

/// Bits of a sample, as the header says.
int ccodecs_heif_bits(const ccodecs_heif *heif);

/// Copies the ICC profile to `target`, if `target` is not NULL. Returns its length in bytes, 0 if
/// there is none.
size_t ccodecs_heif_profile(const ccodecs_heif *heif, uint8_t *target);

/// The code points of ITU-T H.273 for primaries and transfer function. Returns 0 if there are none.
/// Code points that only the coded image has are known once the image is decoded.
int ccodecs_heif_code_points(const ccodecs_heif *heif, int *primaries, int *transfer);

/// Copies the EXIF data to `target`, if `target` is not NULL. Four bytes precede the data: the
/// offset of the TIFF structure in it. Returns the length in bytes, 0 if there is none.
size_t ccodecs_heif_exif(const ccodecs_heif *heif, uint8_t *target);

/// Decodes the image; 0 on success.
int ccodecs_heif_decode(ccodecs_heif *heif);

/// Whether decoding gave no warnings.
int ccodecs_heif_is_complete(const ccodecs_heif *heif);

/// Row formats: 32-bit values 0xFFRRGGBB, for images without alpha; R, G, B (and straight A, if
/// there is alpha) of 8 bits; the same of 16 bits.
enum ccodecs_heif_samples { CCODECS_HEIF_BGRX8, CCODECS_HEIF_8, CCODECS_HEIF_16 };

/// Copies a decoded row to `target`.
void ccodecs_heif_read_row(
    const ccodecs_heif *heif, int y, enum ccodecs_heif_samples samples, void *target);

#endif
