// Luma and chroma samples as the file has them: without interpolation of chroma, and without conversion
// to other colours.
#include "jpeg.h"

#include <stdlib.h>
#include <string.h>

/// Rows of a component in a row of MCUs, at most.
enum { MOST_ROWS = MAX_SAMP_FACTOR * DCTSIZE };

/// Grey pictures get as few samples of chroma as there may be, which are all of this value.
enum { GRAY_SHIFT = 2, NO_CHROMA = 128 };

static int is_whole(int most, int factor) { return factor > 0 && most % factor == 0; }

int ccodecs_jpeg_has_planes(const ccodecs_jpeg *jpeg, int *column_shift, int *row_shift) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    if (info->data_precision != BITS_IN_JSAMPLE) return 0;
    if (info->jpeg_color_space == JCS_GRAYSCALE && info->num_components == 1) {
        *column_shift = *row_shift = GRAY_SHIFT;
        return info->max_v_samp_factor <= 2;
    }
    if (info->jpeg_color_space != JCS_YCbCr || info->num_components != 3) return 0;
    const jpeg_component_info *luma = info->comp_info, *blue = luma + 1, *red = luma + 2;
    int columns = info->max_h_samp_factor, rows = info->max_v_samp_factor;
    if (luma->h_samp_factor != columns || luma->v_samp_factor != rows ||
        blue->h_samp_factor != red->h_samp_factor || blue->v_samp_factor != red->v_samp_factor ||
        !is_whole(columns, blue->h_samp_factor) || !is_whole(rows, blue->v_samp_factor))
        return 0;
    int across = columns / blue->h_samp_factor, down = rows / blue->v_samp_factor;
    // More rows of MCUs than a band would be needed at once otherwise.
    if ((across != 1 && across != 2 && across != 4) || down > 2 || rows > 2) return 0;
    *column_shift = across / 2;
    *row_shift = down / 2;
    return 1;
}

/// What memory for rows depends on.
static struct jpeg_plane_sizes sizes_of(const ccodecs_jpeg *jpeg) {
    struct jpeg_plane_sizes sizes = {.width = jpeg->info.image_width};
    sizes.are_planes = ccodecs_jpeg_has_planes(jpeg, &sizes.column_shift, &sizes.row_shift);
    return sizes;
}

int jpeg_planes_are_the_same(const ccodecs_jpeg *jpeg) {
    struct jpeg_plane_sizes now = sizes_of(jpeg), first = jpeg->plane_sizes;
    return now.are_planes && now.width == first.width &&
           now.column_shift == first.column_shift && now.row_shift == first.row_shift;
}

int ccodecs_jpeg_start_planes(ccodecs_jpeg *jpeg) {
    if (setjmp(jpeg->errors.escape)) return -1;
    jpeg->plane_sizes = sizes_of(jpeg);
    if (!jpeg->plane_sizes.are_planes) return -1;
    jpeg->denominator = 1;
    jpeg->has_planes = 1;
    jpeg_start_decoding(jpeg);
    entropy_place place = jpeg_start_place(jpeg);
    jpeg_install_coefficients(jpeg, &place);
    return 0;
}

/// The width of a component's rows in samples, rounded up to whole blocks.
static size_t row_length(const jpeg_component_info *component) {
    return (size_t)component->width_in_blocks * DCTSIZE;
}

/// Allocates the rows of Cb and Cr, and one of luma for rows below the picture. Returns 0 without memory.
static int make_samples(ccodecs_jpeg *jpeg) {
    if (jpeg->samples) return 1;
    const struct jpeg_decompress_struct *info = &jpeg->info;
    size_t bytes = row_length(info->comp_info);
    for (int index = 1; index < info->num_components; index++)
        bytes += row_length(info->comp_info + index) * MOST_ROWS;
    jpeg->samples = malloc(bytes);
    return jpeg->samples != NULL;
}

/// Reads the next row of MCUs, with luma into `rows`, of which `count` are inside the picture.
static JDIMENSION read_mcu_row(ccodecs_jpeg *jpeg, uint8_t *const *rows, int count) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    JSAMPROW luma[MOST_ROWS], chroma[2][MOST_ROWS];
    uint8_t *next = jpeg->samples;
    int height = info->max_v_samp_factor * DCTSIZE;
    for (int row = 0; row < height; row++) luma[row] = row < count ? rows[row] : next;
    next += row_length(info->comp_info);
    for (int index = 0; index < info->num_components - 1; index++)
        for (int row = 0; row < MOST_ROWS; row++) {
            chroma[index][row] = next;
            next += row_length(info->comp_info + index + 1);
        }
    JSAMPARRAY planes[3] = {luma, chroma[0], chroma[1]};
    return jpeg_read_raw_data(info, planes, (JDIMENSION)height);
}

/// Writes pairs of Cb and Cr without colour to rows of a plane.
static void clear(const ccodecs_jpeg *jpeg, uint8_t *const *rows, int count) {
    size_t width = ((size_t)jpeg->plane_sizes.width + (1 << GRAY_SHIFT) - 1) >> GRAY_SHIFT;
    for (int row = 0; row < count; row++) memset(rows[row], NO_CHROMA, width * 2);
}

/// Restarts decoding with the library's own entropy decoder, and skips `rows` rows.
static int start_over(ccodecs_jpeg *jpeg, JDIMENSION rows) {
    if (jpeg->entered_row > 0 && !jpeg->is_entered_at_restart) return 0;
    if (!jpeg_restart_decoder(jpeg) || !jpeg_planes_are_the_same(jpeg)) return 0;
    while (jpeg->info.output_scanline < rows)
        if (read_mcu_row(jpeg, NULL, 0) == 0) return 0;
    return 1;
}

/// Writes pairs of Cb and Cr to a row of a plane.
static void join(uint8_t *restrict out, const uint8_t *restrict blue, const uint8_t *restrict red,
                 size_t count) {
    for (size_t index = 0; index < count; index++) {
        out[2 * index] = blue[index];
        out[2 * index + 1] = red[index];
    }
}

int ccodecs_jpeg_read_planes(
    ccodecs_jpeg *jpeg, uint8_t *const *luma, int luma_count, uint8_t *const *chroma,
    int chroma_count) {
    if (setjmp(jpeg->errors.escape)) return -1;
    struct jpeg_decompress_struct *info = &jpeg->info;
    if (!make_samples(jpeg)) return -1;
    // Numbers, because decoding that starts over replaces the components.
    const int height = info->max_v_samp_factor * DCTSIZE;
    const int is_gray = info->num_components == 1;
    if (is_gray) clear(jpeg, chroma, chroma_count);
    const jpeg_component_info *blue = is_gray ? NULL : info->comp_info + 1;
    const int rows = blue ? blue->v_samp_factor * DCTSIZE : 0;
    const size_t width = blue ? blue->downsampled_width : 0;
    const size_t luma_length = row_length(info->comp_info), length = blue ? row_length(blue) : 0;
    volatile int done = 0, chroma_done = 0;
    while (done < luma_count && info->output_scanline < info->output_height) {
        JDIMENSION before = info->output_scanline;
        int count = luma_count - done < height ? luma_count - done : height;
        JDIMENSION read = read_mcu_row(jpeg, luma + done, count);
        if (jpeg_coefficients_are_invalid(jpeg)) {
            if (!start_over(jpeg, before)) return -1;
            continue;
        }
        if (read == 0) break;
        const uint8_t *samples = jpeg->samples + luma_length;
        for (int row = 0; row < rows && chroma_done < chroma_count; row++, chroma_done++)
            join(
                chroma[chroma_done], samples + (size_t)row * length,
                samples + ((size_t)MOST_ROWS + (size_t)row) * length, width);
        done += count;
    }
    return done;
}
