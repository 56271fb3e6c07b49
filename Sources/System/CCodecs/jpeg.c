#include "jpeg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jerror.h>

static void record_row(ccodecs_jpeg *jpeg);

static void fail(j_common_ptr common) {
    ccodecs_jpeg *jpeg = (ccodecs_jpeg *)common->client_data;
    common->err->format_message(common, jpeg->message);
    longjmp(jpeg->escape, 1);
}

static void stay_silent(j_common_ptr common) { (void)common; }

ccodecs_jpeg *ccodecs_jpeg_create(const uint8_t *bytes, size_t length) {
    ccodecs_jpeg *jpeg = calloc(1, sizeof *jpeg);
    if (!jpeg) return NULL;
    jpeg->info.err = jpeg_std_error(&jpeg->errors);
    jpeg->errors.error_exit = fail;
    jpeg->errors.output_message = stay_silent;
    jpeg->info.client_data = jpeg;
    // An empty input is an error already here, before the header is read.
    if (setjmp(jpeg->escape)) {
        ccodecs_jpeg_destroy(jpeg);
        return NULL;
    }
    jpeg_create_decompress(&jpeg->info);
    jpeg->info.client_data = jpeg;
    jpeg_mem_src(&jpeg->info, bytes, (unsigned long)length);
    jpeg->bytes = bytes;
    jpeg->length = length;
    return jpeg;
}

void ccodecs_jpeg_destroy(ccodecs_jpeg *jpeg) {
    if (!jpeg) return;
    jpeg_destroy_decompress(&jpeg->info);
    free(jpeg->profile);
    free(jpeg->file);
    free(jpeg->spare_row);
    remove_jpeg_coefficient_reader(jpeg);
    free(jpeg);
}

int ccodecs_jpeg_read_header(ccodecs_jpeg *jpeg, int *width, int *height) {
    if (setjmp(jpeg->escape)) return -1;
    jpeg_save_markers(&jpeg->info, JPEG_APP0 + 2, 0xFFFF);
    if (jpeg_read_header(&jpeg->info, TRUE) != JPEG_HEADER_OK) return -1;
    *width = (int)jpeg->info.image_width;
    *height = (int)jpeg->info.image_height;
    jpeg_read_icc_profile(&jpeg->info, &jpeg->profile, &jpeg->profile_length);
    return 0;
}

int ccodecs_jpeg_channels(const ccodecs_jpeg *jpeg) {
    switch (jpeg->info.jpeg_color_space) {
    case JCS_CMYK:
    case JCS_YCCK: return 4;
    case JCS_GRAYSCALE: return 1;
    default: return 3;
    }
}

/// Starts decoding at the requested reduction.
static void start(ccodecs_jpeg *jpeg) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    info->scale_num = 1;
    info->scale_denom = (unsigned int)jpeg->denominator;
    int channels = ccodecs_jpeg_channels(jpeg);
    jpeg->is_inverted = channels == 4 && info->saw_Adobe_marker;
    info->out_color_space = channels == 4 ? JCS_CMYK : channels == 1 ? JCS_GRAYSCALE : JCS_EXT_BGRA;
    jpeg_start_decompress(info);
}

int ccodecs_jpeg_start(ccodecs_jpeg *jpeg, int denominator, int *width, int *height) {
    if (setjmp(jpeg->escape)) return -1;
    jpeg->denominator = denominator;
    start(jpeg);
    install_jpeg_coefficient_reader(jpeg);
    *width = (int)jpeg->info.output_width;
    *height = (int)jpeg->info.output_height;
    return 0;
}

/// Restarts decoding with the library's own entropy decoder, which can handle corrupt data, and
/// skips `rows` rows. Returns 0 if that is impossible.
static int start_over(ccodecs_jpeg *jpeg, JDIMENSION rows) {
    struct jpeg_decompress_struct *info = &jpeg->info;
    if (jpeg->entered_row < 0) return 0;
    remove_jpeg_coefficient_reader(jpeg);
    jpeg_abort_decompress(info);
    jpeg_mem_src(info, jpeg->bytes, (unsigned long)jpeg->length);
    if (jpeg_read_header(info, TRUE) != JPEG_HEADER_OK) return 0;
    start(jpeg);
    enter_jpeg(jpeg);
    size_t width = (size_t)info->output_width * (size_t)info->output_components;
    if (!jpeg->spare_row) jpeg->spare_row = malloc(width);
    if (!jpeg->spare_row) return 0;
    while (info->output_scanline < rows)
        if (jpeg_read_scanlines(info, &jpeg->spare_row, 1) == 0) return 0;
    return 1;
}

/// Inverts CMYK samples: Adobe's programs write 255 for no ink.
static void invert(uint8_t *row, size_t count) {
    for (size_t index = 0; index < count; index++) row[index] = 255 - row[index];
}

int ccodecs_jpeg_is_progressive(const ccodecs_jpeg *jpeg) { return jpeg->info.progressive_mode; }

size_t ccodecs_jpeg_coefficient_bytes(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    if (!info->progressive_mode && info->comps_in_scan == info->num_components) return 0;
    size_t samples = 0, area = (size_t)info->max_h_samp_factor * (size_t)info->max_v_samp_factor;
    for (int index = 0; index < info->num_components; index++)
        samples += (size_t)(info->comp_info[index].h_samp_factor *
                            info->comp_info[index].v_samp_factor);
    return 2 * (size_t)info->image_width * info->image_height * samples / area;
}

int ccodecs_jpeg_is_ycc(const ccodecs_jpeg *jpeg) {
    return jpeg->info.jpeg_color_space == JCS_YCbCr;
}

int ccodecs_jpeg_read_rows(ccodecs_jpeg *jpeg, uint8_t *const *rows, int count) {
    if (setjmp(jpeg->escape)) return -1;
    struct jpeg_decompress_struct *info = &jpeg->info;
    volatile int done = 0;
    while (done < count && info->output_scanline < info->output_height) {
        JDIMENSION before = info->output_scanline;
        JDIMENSION read =
            jpeg_read_scanlines(info, (JSAMPARRAY)(rows + done), (JDIMENSION)(count - done));
        if (are_jpeg_coefficients_invalid(jpeg)) {
            if (!start_over(jpeg, before)) return -1;
            continue;
        }
        if (read == 0) break;
        if (jpeg->index) record_row(jpeg);
        if (jpeg->is_inverted)
            for (JDIMENSION row = 0; row < read; row++)
                invert(rows[done + (int)row], (size_t)info->output_width * 4);
        done += (int)read;
    }
    return done;
}

int ccodecs_jpeg_warnings(const ccodecs_jpeg *jpeg) { return (int)jpeg->errors.num_warnings; }

const char *ccodecs_jpeg_message(const ccodecs_jpeg *jpeg) { return jpeg->message; }

const uint8_t *ccodecs_jpeg_profile(const ccodecs_jpeg *jpeg, size_t *length) {
    *length = jpeg->profile_length;
    return jpeg->profile;
}

// MARK: Reading and indexing files

static void begin_source(j_decompress_ptr info) { (void)info; }

static boolean fill_from_file(j_decompress_ptr info) {
    file_source *file = (file_source *)info->src;
    ssize_t count;
    do {
        count = pread(file->descriptor, file->piece, sizeof file->piece, file->end);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) {
        // Like jpeg_mem_src, append an end marker to a truncated file.
        WARNMS(info, JWRN_JPEG_EOF);
        file->piece[0] = 0xFF;
        file->piece[1] = JPEG_EOI;
        count = 2;
    }
    file->end += count;
    file->manager.next_input_byte = file->piece;
    file->manager.bytes_in_buffer = (size_t)count;
    return TRUE;
}

static void skip_in_file(j_decompress_ptr info, long count) {
    struct jpeg_source_mgr *source = info->src;
    if (count <= 0) return;
    if ((size_t)count <= source->bytes_in_buffer) {
        source->next_input_byte += count;
        source->bytes_in_buffer -= (size_t)count;
        return;
    }
    file_source *file = (file_source *)source;
    file->end += count - (long)source->bytes_in_buffer;
    source->bytes_in_buffer = 0;
}

/// Records the size of each allocation, to find the size of the entropy decoder's memory.
static void *alloc_recording_size(j_common_ptr common, int pool, size_t size) {
    ccodecs_jpeg *jpeg = (ccodecs_jpeg *)common->client_data;
    void *memory = jpeg->alloc_small(common, pool, size);
    struct jpeg_decompress_struct *info = &jpeg->info;
    // The library allocates the entropy decoder just before it sets `info->entropy`. At the next
    // allocation, the size recorded last is the entropy decoder's.
    if (jpeg->entropy_size == 0 && info->entropy) jpeg->entropy_size = jpeg->small_size;
    jpeg->small_size = size;
    return memory;
}

ccodecs_jpeg *ccodecs_jpeg_create_file(int descriptor) {
    ccodecs_jpeg *jpeg = ccodecs_jpeg_create((const uint8_t *)"", 1);
    file_source *file = calloc(1, sizeof *file);
    if (!jpeg || !file) {
        ccodecs_jpeg_destroy(jpeg);
        free(file);
        return NULL;
    }
    file->descriptor = descriptor;
    file->manager.init_source = begin_source;
    file->manager.fill_input_buffer = fill_from_file;
    file->manager.skip_input_data = skip_in_file;
    file->manager.resync_to_restart = jpeg_resync_to_restart;
    file->manager.term_source = begin_source;
    jpeg->file = file;
    jpeg->bytes = NULL;
    jpeg->info.src = &file->manager;
    jpeg->alloc_small = jpeg->info.mem->alloc_small;
    jpeg->info.mem->alloc_small = alloc_recording_size;
    return jpeg;
}

int ccodecs_jpeg_can_be_indexed(const ccodecs_jpeg *jpeg) {
    const struct jpeg_decompress_struct *info = &jpeg->info;
    // A lossless JPEG has no DCT coefficients, and its Ss is not 0.
    return !info->progressive_mode && !info->arith_code && info->Ss == 0 &&
           info->comps_in_scan == info->num_components;
}

int ccodecs_jpeg_mcu_height(const ccodecs_jpeg *jpeg) {
    return jpeg->info.max_v_samp_factor * DCTSIZE;
}

int ccodecs_jpeg_mcu_width(const ccodecs_jpeg *jpeg) {
    return jpeg->info.max_h_samp_factor * DCTSIZE;
}

static off_t offset_in_file(const ccodecs_jpeg *jpeg) {
    return jpeg->file->end - (off_t)jpeg->file->manager.bytes_in_buffer;
}

static void record_row(ccodecs_jpeg *jpeg) {
    ccodecs_jpeg_index *index = jpeg->index;
    int row = (int)jpeg->info.input_iMCU_row;
    if (row <= index->noted || row >= index->rows) return;
    index->noted = row;
    index->entries[row] = (index_entry){
        .offset = offset_in_file(jpeg),
        .unread_marker = jpeg->info.unread_marker,
    };
    memcpy(index->states + (size_t)row * index->state_size, jpeg->info.entropy, index->state_size);
}

ccodecs_jpeg_index *ccodecs_jpeg_make_index(ccodecs_jpeg *jpeg) {
    if (!jpeg->file || jpeg->entropy_size == 0 || !ccodecs_jpeg_can_be_indexed(jpeg)) return NULL;
    ccodecs_jpeg_index *index = calloc(1, sizeof *index);
    if (!index) return NULL;
    index->rows = (int)jpeg->info.total_iMCU_rows;
    index->state_size = jpeg->entropy_size;
    index->entries = calloc((size_t)index->rows, sizeof *index->entries);
    index->start = malloc(index->state_size);
    index->states = calloc((size_t)index->rows, index->state_size);
    if (!index->entries || !index->start || !index->states) {
        ccodecs_jpeg_index_destroy(index);
        return NULL;
    }
    memcpy(index->start, jpeg->info.entropy, index->state_size);
    memcpy(index->states, index->start, index->state_size);
    index->entries[0] = (index_entry){.offset = offset_in_file(jpeg)};
    jpeg->index = index;
    return index;
}

void ccodecs_jpeg_index_destroy(ccodecs_jpeg_index *index) {
    if (!index) return;
    free(index->entries);
    free(index->start);
    free(index->states);
    free(index);
}

int ccodecs_jpeg_index_rows(const ccodecs_jpeg_index *index) { return index->noted + 1; }

static boolean accept_restart(j_decompress_ptr info, int desired) {
    if (info->unread_marker < JPEG_RST0 || info->unread_marker > JPEG_RST0 + 7)
        return jpeg_resync_to_restart(info, desired);
    info->unread_marker = 0;
    return TRUE;
}

int ccodecs_jpeg_seek(ccodecs_jpeg *jpeg, const ccodecs_jpeg_index *index, int row) {
    if (row < 0 || row > index->noted || jpeg->entropy_size != index->state_size) return -1;
    // Bytes that differ from the start of the scan are the state of the entropy decoder. All other
    // bytes are pointers, which must stay those of this decoder.
    const unsigned char *saved = index->states + (size_t)row * index->state_size;
    unsigned char *state = (unsigned char *)jpeg->info.entropy;
    for (size_t place = 0; place < index->state_size; place++)
        if (saved[place] != index->start[place]) state[place] = saved[place];
    index_entry entry = index->entries[row];
    jpeg->info.unread_marker = entry.unread_marker;
    // The library counts restart markers from the beginning of the file, so it expects wrong
    // numbers here.
    jpeg->file->manager.resync_to_restart = accept_restart;
    jpeg->file->end = entry.offset;
    jpeg->file->manager.bytes_in_buffer = 0;
    // The library counts rows of MCUs from here on. With the reduced total it smooths no chroma
    // beyond the last row.
    jpeg->info.total_iMCU_rows -= (JDIMENSION)row;
    return 0;
}

int ccodecs_jpeg_crop(ccodecs_jpeg *jpeg, int *x, int *width) {
    if (setjmp(jpeg->escape)) return -1;
    JDIMENSION left = (JDIMENSION)*x, span = (JDIMENSION)*width;
    jpeg_crop_scanline(&jpeg->info, &left, &span);
    *x = (int)left;
    *width = (int)span;
    return 0;
}
