// Shims over the decoding libraries, one header per library. Code that needs setjmp, or that
// handles memory owned by a library, stays in C.
//
// The functions of a library that may be missing are in a table, which is NULL without the library.
#ifndef CCODECS_H
#define CCODECS_H

#include "../avif/ccodecs_avif.h"
#include "../exif/ccodecs_exif.h"
#include "../exr/ccodecs_exr.h"
#include "../gif/ccodecs_gif.h"
#include "../heif/ccodecs_heif.h"
#include "../jp2/ccodecs_jp2.h"
#include "../jpeg/ccodecs_jpeg.h"
#include "../jpeg/writing/ccodecs_jpeg_write.h"
#include "../jxl/ccodecs_jxl.h"
#include "../lcms/ccodecs_lcms.h"
#include "../png/ccodecs_png.h"
#include "../raw/ccodecs_raw.h"
#include "../svg/ccodecs_svg.h"
#include "../tiff/ccodecs_tiff.h"
#include "../webp/ccodecs_webp.h"
#include "../webp/ccodecs_webp_write.h"
#include "../zlib/ccodecs_zlib.h"

#endif
