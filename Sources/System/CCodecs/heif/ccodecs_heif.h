// HEIF by libheif: HEIC and AVIF.
#ifndef CCODECS_HEIF_H
#define CCODECS_HEIF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum ccodecs_heif_kind { CCODECS_HEIF_HEVC, CCODECS_HEIF_AV1 };

/// A decoder of the primary image of a file in memory. The memory has to outlive the decoder.
typedef struct ccodecs_heif ccodecs_heif;

/// Row formats: 32-bit values 0xFFRRGGBB, for images without alpha; R, G, B (and straight A, if
/// there is alpha) of 8 bits; the same of 16 bits.
enum ccodecs_heif_samples { CCODECS_HEIF_BGRX8, CCODECS_HEIF_8, CCODECS_HEIF_16 };

/// The functions of this header.
typedef struct {
    /// Whether libheif decodes that kind.
    int (*_Nonnull decodes)(enum ccodecs_heif_kind kind);

    /// Reads the header; NULL without memory. On failure `message` is not empty. Free
    /// with `destroy`.
    ccodecs_heif *_Nullable (*_Nonnull create)(const uint8_t *_Nullable bytes, size_t length);
    void (*_Nonnull destroy)(ccodecs_heif *_Nullable heif);

    /// The library's message for the error that ended decoding; empty if there was none.
    const char *_Nonnull (*_Nonnull message)(const ccodecs_heif *heif);

    /// Whether the error was that the file is truncated.
    int (*_Nonnull is_cut_short)(const ccodecs_heif *heif);

    /// Size in pixels after rotation, mirroring and cropping as the file says.
    void (*_Nonnull size)(const ccodecs_heif *heif, int *width, int *height);
    int (*_Nonnull has_alpha)(const ccodecs_heif *heif);

    /// Bits of a sample, as the header says.
    int (*_Nonnull bits)(const ccodecs_heif *heif);

    /// Copies the ICC profile to `target`, if `target` is not NULL. Returns its length in bytes, 0
    /// if there is none.
    size_t (*_Nonnull profile)(const ccodecs_heif *heif, uint8_t *_Nullable target);

    /// The code points of ITU-T H.273 for primaries and transfer function. Returns 0 if there are
    /// none. Code points that only the coded image has are known once the image is decoded.
    int (*_Nonnull code_points)(const ccodecs_heif *heif, int *primaries, int *transfer);

    /// Whether the code points say that the file stores red, green and blue, or what gives these without
    /// loss.
    int (*_Nonnull is_rgb)(const ccodecs_heif *heif);

    /// Copies the EXIF data to `target`, if `target` is not NULL. Four bytes precede the data: the
    /// offset of the TIFF structure in it. Returns the length in bytes, 0 if there is none.
    size_t (*_Nonnull exif)(const ccodecs_heif *heif, uint8_t *_Nullable target);

    /// Decodes the image; 0 on success.
    int (*_Nonnull decode)(ccodecs_heif *heif);

    /// Whether decoding gave no warnings.
    int (*_Nonnull is_complete)(const ccodecs_heif *heif);

    /// Copies a decoded row to `target`.
    void (*_Nonnull read_row)(
        const ccodecs_heif *heif, int y, enum ccodecs_heif_samples samples, void *target);

    /// Whether all samples of the decoded image have 8 bits.
    int (*_Nonnull has_bytes)(const ccodecs_heif *heif);

    /// Computes row `y` of luma of a decoded image without alpha, by BT.601 with full range: bytes where
    /// `has_bytes`, and samples of 16 bits elsewhere. Any thread may read any row.
    void (*_Nonnull read_luma)(const ccodecs_heif *heif, int y, void *target);

    /// The same for row `y` of chroma: pairs of Cb and Cr, each the mean of 2^`column_shift` columns and
    /// 2^`row_shift` rows, 0 or 1.
    void (*_Nonnull read_chroma)(
        const ccodecs_heif *heif, int y, int column_shift, int row_shift, void *target);
} ccodecs_heif_library;

/// Opens libheif on the first call. NULL where the headers were missing when this was built, or the
/// library is missing now.
const ccodecs_heif_library *_Nullable ccodecs_open_heif(void);

#pragma clang assume_nonnull end

#endif
