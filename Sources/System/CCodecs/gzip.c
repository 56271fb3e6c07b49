#include "include/ccodecs_svg.h"

#if __has_include(<zlib.h>)

#include <limits.h>
#include <zlib.h>

#include "library.h"

#define ZLIB(F)                                                                                    \
    F(inflateInit2_)                                                                               \
    F(inflate)                                                                                     \
    F(inflateEnd)
CCODECS_LIBRARY(zlib, "libz.so.1", ZLIB)

/// zlib's windowBits: 15 for the largest window, plus 16 for a gzip header.
#define GZIP_WINDOW (15 + 16)

size_t ccodecs_gunzip(
    const uint8_t *bytes, size_t length, uint8_t *target, size_t limit, int *is_whole) {
    *is_whole = 0;
    if (!zlib_open() || length > UINT_MAX || limit > UINT_MAX) return 0;
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)length};
    if (zlib.inflateInit2_(&stream, GZIP_WINDOW, ZLIB_VERSION, (int)sizeof stream) != Z_OK) return 0;
    stream.next_out = target;
    stream.avail_out = (uInt)limit;
    *is_whole = zlib.inflate(&stream, Z_FINISH) == Z_STREAM_END;
    zlib.inflateEnd(&stream);
    return limit - stream.avail_out;
}

#else

size_t ccodecs_gunzip(
    const uint8_t *bytes, size_t length, uint8_t *target, size_t limit, int *is_whole) {
    *is_whole = 0;
    return 0;
}

#endif
