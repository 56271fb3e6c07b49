// Shims over the decoding libraries, one header per library. Code that needs setjmp, or that
// handles memory owned by a library, stays in C.
//
// The functions of a library that may be missing are in a table, which is NULL without the library.
#ifndef CCODECS_H
#define CCODECS_H

#include "ccodecs_avif.h"
#include "ccodecs_exif.h"
#include "ccodecs_exr.h"
#include "ccodecs_gif.h"
#include "ccodecs_heif.h"
#include "ccodecs_jp2.h"
#include "ccodecs_jpeg.h"
#include "ccodecs_jpeg_write.h"
#include "ccodecs_jxl.h"
#include "ccodecs_lcms.h"
#include "ccodecs_png.h"
#include "ccodecs_raw.h"
#include "ccodecs_svg.h"
#include "ccodecs_tiff.h"
#include "ccodecs_webp.h"
#include "ccodecs_webp_write.h"
#include "ccodecs_zlib.h"

#endif
