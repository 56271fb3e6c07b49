// gzip data and zlib streams by zlib.
#ifndef CCODECS_ZLIB_H
#define CCODECS_ZLIB_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The functions of this header.
typedef struct {
    /// Unpacks a gzip file into at most `limit` bytes. Returns the number of bytes up to the end of
    /// the data, to the first error, or to the limit. `is_whole` receives whether all data was
    /// unpacked.
    size_t (*_Nonnull gunzip)(
        const uint8_t *_Nullable bytes, size_t length, uint8_t *target, size_t limit,
        int *is_whole);
    /// The same for a zlib stream.
    size_t (*_Nonnull inflate)(
        const uint8_t *_Nullable bytes, size_t length, uint8_t *target, size_t limit,
        int *is_whole);
} ccodecs_zlib_library;

/// Opens zlib on the first call. NULL where the headers were missing when this was built, or the
/// library is missing now.
const ccodecs_zlib_library *_Nullable ccodecs_open_zlib(void);

#pragma clang assume_nonnull end

#endif
