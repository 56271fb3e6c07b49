#include "ccodecs_zlib.h"

#if __has_include(<zlib.h>)

#include <limits.h>
#include <zlib.h>

#include "cloader.h"

#define ZLIB(F)                                                                                    \
    F(inflateInit2_)                                                                               \
    F(inflate)                                                                                     \
    F(inflateEnd)
CLOADER_LIBRARY(zlib, "libz.so.1", ZLIB)

/// zlib's windowBits: 15 for the largest window, plus 16 for a gzip header.
enum { ZLIB_WINDOW = 15, GZIP_WINDOW = 15 + 16 };

static size_t unpack(
    int window, const uint8_t *bytes, size_t length, uint8_t *target, size_t limit,
    int *is_whole) {
    *is_whole = 0;
    if (length > UINT_MAX || limit > UINT_MAX) return 0;
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)length};
    if (zlib.inflateInit2_(&stream, window, ZLIB_VERSION, (int)sizeof stream) != Z_OK) return 0;
    stream.next_out = target;
    stream.avail_out = (uInt)limit;
    *is_whole = zlib.inflate(&stream, Z_FINISH) == Z_STREAM_END;
    zlib.inflateEnd(&stream);
    return limit - stream.avail_out;
}

static size_t ccodecs_gunzip(
    const uint8_t *bytes, size_t length, uint8_t *target, size_t limit, int *is_whole) {
    return unpack(GZIP_WINDOW, bytes, length, target, limit, is_whole);
}

static size_t ccodecs_inflate(
    const uint8_t *bytes, size_t length, uint8_t *target, size_t limit, int *is_whole) {
    return unpack(ZLIB_WINDOW, bytes, length, target, limit, is_whole);
}

static const ccodecs_zlib_library functions = {
    .gunzip = ccodecs_gunzip,
    .inflate = ccodecs_inflate,
};

const ccodecs_zlib_library *ccodecs_open_zlib(void) {
    return zlib_open() ? &functions : NULL;
}

#else

const ccodecs_zlib_library *ccodecs_open_zlib(void) { return NULL; }

#endif
