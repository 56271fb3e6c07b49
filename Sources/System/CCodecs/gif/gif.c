#include "ccodecs_gif.h"

#if __has_include(<gif_lib.h>)

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "cloader.h"

// DGifGetImageHeader instead of DGifGetImageDesc, which keeps data of every frame.
#define GIF(F)                                                                                     \
    F(DGifOpen)                                                                                    \
    F(DGifCloseFile)                                                                               \
    F(DGifGetRecordType)                                                                           \
    F(DGifGetImageHeader)                                                                          \
    F(DGifGetExtension)                                                                            \
    F(DGifGetExtensionNext)                                                                        \
    F(DGifExtensionToGCB)                                                                          \
    F(DGifGetLine)                                                                                 \
    F(GifErrorString)
CLOADER_LIBRARY(giflib, "libgif.so.7", GIF)

struct ccodecs_gif {
    GifFileType *file;
    const uint8_t *bytes;
    size_t length;
    size_t offset;
    /// Offset of the pixels of the current frame; 0 if there is no current frame.
    size_t pixels;
    int repetitions;
};

static int read_bytes(GifFileType *file, GifByteType *target, int count) {
    ccodecs_gif *gif = file->UserData;
    size_t rest = gif->length - gif->offset;
    size_t read = (size_t)count < rest ? (size_t)count : rest;
    memcpy(target, gif->bytes + gif->offset, read);
    gif->offset += read;
    return (int)read;
}

static ccodecs_gif *ccodecs_gif_create(
    const uint8_t *bytes, size_t length, int *width, int *height, const char **reason) {
    *reason = NULL;
    ccodecs_gif *gif = calloc(1, sizeof *gif);
    if (!gif) return NULL;
    gif->bytes = bytes;
    gif->length = length;
    gif->repetitions = -1;
    int code = 0;
    gif->file = giflib.DGifOpen(gif, read_bytes, &code);
    if (!gif->file) {
        // No reason means that the header is truncated.
        if (code != D_GIF_ERR_READ_FAILED && length > 13) *reason = giflib.GifErrorString(code);
        free(gif);
        return NULL;
    }
    *width = gif->file->SWidth;
    *height = gif->file->SHeight;
    return gif;
}

static void ccodecs_gif_destroy(ccodecs_gif *gif) {
    if (!gif) return;
    int code;
    giflib.DGifCloseFile(gif->file, &code);
    free(gif);
}

/// Skips the blocks of a frame's pixels, no matter how many rows were decoded.
static void skip_pixels(ccodecs_gif *gif) {
    size_t offset = gif->pixels;
    while (offset < gif->length && gif->bytes[offset] != 0) offset += 1 + gif->bytes[offset];
    gif->offset = offset < gif->length ? offset + 1 : gif->length;
    gif->pixels = 0;
}

/// Reads one extension with all of its blocks. Returns 0 if the file ends.
static int read_extension(ccodecs_gif *gif, ccodecs_gif_frame *frame) {
    int kind = 0;
    GifByteType *block = NULL;
    if (giflib.DGifGetExtension(gif->file, &kind, &block) != GIF_OK) return 0;
    int is_loop = 0;
    for (int first = 1; block; first = 0) {
        // The first byte is the block's length.
        GraphicsControlBlock control;
        if (kind == GRAPHICS_EXT_FUNC_CODE && first &&
            giflib.DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
            frame->disposal = control.DisposalMode;
            frame->delay = control.DelayTime;
            frame->transparent = control.TransparentColor;
        }
        if (kind == APPLICATION_EXT_FUNC_CODE) {
            if (first)
                is_loop = block[0] == 11 && (memcmp(block + 1, "NETSCAPE2.0", 11) == 0 ||
                                             memcmp(block + 1, "ANIMEXTS1.0", 11) == 0);
            else if (is_loop && block[0] >= 3 && (block[1] & 7) == 1)
                gif->repetitions = block[2] | block[3] << 8;
        }
        if (giflib.DGifGetExtensionNext(gif->file, &block) != GIF_OK) return 0;
    }
    return 1;
}

static void describe(const ccodecs_gif *gif, ccodecs_gif_frame *frame) {
    const GifImageDesc *image = &gif->file->Image;
    frame->left = image->Left;
    frame->top = image->Top;
    frame->width = image->Width;
    frame->height = image->Height;
    frame->is_interlaced = image->Interlace;
    const ColorMapObject *map = image->ColorMap ? image->ColorMap : gif->file->SColorMap;
    for (int index = 0; index < 256; index++) {
        GifColorType color = {0, 0, 0};
        if (map && index < map->ColorCount) color = map->Colors[index];
        frame->palette[index] =
            0xFF000000 | (uint32_t)color.Red << 16 | (uint32_t)color.Green << 8 | color.Blue;
    }
}

/// Skips zeros between blocks, which some programs write, as other decoders do.
static void skip_zeros(ccodecs_gif *gif) {
    while (gif->offset < gif->length && gif->bytes[gif->offset] == 0) gif->offset++;
}

static int ccodecs_gif_next(ccodecs_gif *gif, ccodecs_gif_frame *frame) {
    if (gif->pixels) skip_pixels(gif);
    *frame = (ccodecs_gif_frame){.transparent = -1};
    for (;;) {
        GifRecordType type;
        skip_zeros(gif);
        // Many files lack the trailer.
        if (gif->offset >= gif->length) return 0;
        if (giflib.DGifGetRecordType(gif->file, &type) != GIF_OK) return -1;
        switch (type) {
        case EXTENSION_RECORD_TYPE:
            if (!read_extension(gif, frame)) return -1;
            break;
        case IMAGE_DESC_RECORD_TYPE:
            if (giflib.DGifGetImageHeader(gif->file) != GIF_OK) return -1;
            gif->pixels = gif->offset;
            describe(gif, frame);
            return 1;
        case TERMINATE_RECORD_TYPE: return 0;
        default: return -1;
        }
    }
}

static int ccodecs_gif_read_row(ccodecs_gif *gif, uint8_t *row) {
    if (!gif->pixels) return 0;
    return giflib.DGifGetLine(gif->file, row, gif->file->Image.Width) == GIF_OK;
}

static int ccodecs_gif_repetitions(const ccodecs_gif *gif) { return gif->repetitions; }

static const ccodecs_gif_library functions = {
    .create = ccodecs_gif_create,
    .destroy = ccodecs_gif_destroy,
    .next = ccodecs_gif_next,
    .read_row = ccodecs_gif_read_row,
    .repetitions = ccodecs_gif_repetitions,
};

const ccodecs_gif_library *ccodecs_open_gif(void) {
    return giflib_open() ? &functions : NULL;
}

#else

const ccodecs_gif_library *ccodecs_open_gif(void) { return NULL; }

#endif
