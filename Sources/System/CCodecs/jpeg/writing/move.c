// Moves the coefficients of a JPEG without loss.
//
// The block at the moved place is the source's block with rows and columns exchanged (transposed), and with
// the signs of odd columns or rows changed (mirrored). Source: ITU-T T.81, A.3.3: the cosine of an odd
// frequency is antisymmetric in the middle of a block.

#include "writing.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    struct jpeg_decompress_struct source;
    jpeg_errors errors;
    jpeg_progress progress;
    ccodecs_jpeg_motion motion;
    ccodecs_jpeg_moved moved;
    jvirt_barray_ptr *from;
    /// By component: the moved blocks, their number in each direction, and the blocks before which the
    /// kept part begins.
    jvirt_barray_ptr to[MAX_COMPONENTS];
    JDIMENSION columns[MAX_COMPONENTS], rows[MAX_COMPONENTS];
    JDIMENSION left[MAX_COMPONENTS], top[MAX_COMPONENTS];
    /// By component: the size of the moved picture in blocks, of which mirroring is made.
    JDIMENSION whole_columns[MAX_COMPONENTS], whole_rows[MAX_COMPONENTS];
    /// Sampling factors of the moved picture.
    int horizontal[MAX_COMPONENTS], vertical[MAX_COMPONENTS];
    int most_horizontal, most_vertical;
} mover;

static JDIMENSION divided_up(JDIMENSION number, JDIMENSION by) { return (number + by - 1) / by; }

static void find_sampling(mover *mover) {
    const struct jpeg_decompress_struct *info = &mover->source;
    mover->most_horizontal = mover->most_vertical = 1;
    for (int index = 0; index < info->num_components; index++) {
        const jpeg_component_info *component = &info->comp_info[index];
        // A single component has no MCUs of several blocks, whatever its factors are.
        int across = info->num_components == 1 ? 1 : component->h_samp_factor;
        int down = info->num_components == 1 ? 1 : component->v_samp_factor;
        mover->horizontal[index] = mover->motion.transposes ? down : across;
        mover->vertical[index] = mover->motion.transposes ? across : down;
        if (mover->horizontal[index] > mover->most_horizontal)
            mover->most_horizontal = mover->horizontal[index];
        if (mover->vertical[index] > mover->most_vertical)
            mover->most_vertical = mover->vertical[index];
    }
}

/// Reads the header, and finds out what the motion makes of the picture. Returns 0 if it is impossible.
static int begin(mover *mover, const uint8_t *bytes, size_t count) {
    struct jpeg_decompress_struct *info = &mover->source;
    jpeg_mem_src(info, bytes, count);
    if (jpeg_read_header(info, TRUE) != JPEG_HEADER_OK) return 0;
    const ccodecs_jpeg_motion *motion = &mover->motion;
    ccodecs_jpeg_moved *moved = &mover->moved;
    find_sampling(mover);
    moved->mcu_width = mover->most_horizontal * DCTSIZE;
    moved->mcu_height = mover->most_vertical * DCTSIZE;
    int width = (int)(motion->transposes ? info->image_height : info->image_width);
    int height = (int)(motion->transposes ? info->image_width : info->image_height);
    moved->needs_trim = (motion->mirrors_columns && width % moved->mcu_width != 0) ||
                        (motion->mirrors_rows && height % moved->mcu_height != 0);
    if (motion->mirrors_columns && motion->trims) width -= width % moved->mcu_width;
    if (motion->mirrors_rows && motion->trims) height -= height % moved->mcu_height;
    moved->full_width = width;
    moved->full_height = height;
    moved->width = motion->width > 0 ? motion->width : width;
    moved->height = motion->width > 0 ? motion->height : height;
    return 1;
}

static int is_possible(const mover *mover) {
    const ccodecs_jpeg_motion *motion = &mover->motion;
    const ccodecs_jpeg_moved *moved = &mover->moved;
    if (moved->full_width <= 0 || moved->full_height <= 0) return 0;
    if (moved->needs_trim && !motion->trims) return 0;
    if (motion->width <= 0) return 1;
    return motion->x >= 0 && motion->y >= 0 && motion->height > 0 &&
           motion->x % moved->mcu_width == 0 && motion->y % moved->mcu_height == 0 &&
           motion->x <= moved->full_width - motion->width &&
           motion->y <= moved->full_height - motion->height;
}

/// Lays out the moved blocks, and reads the source's coefficients.
static void read_coefficients(mover *mover) {
    struct jpeg_decompress_struct *info = &mover->source;
    const ccodecs_jpeg_moved *moved = &mover->moved;
    int x = mover->motion.width > 0 ? mover->motion.x : 0;
    int y = mover->motion.width > 0 ? mover->motion.y : 0;
    for (int index = 0; index < info->num_components; index++) {
        JDIMENSION across = (JDIMENSION)mover->horizontal[index];
        JDIMENSION down = (JDIMENSION)mover->vertical[index];
        JDIMENSION mcu_columns = divided_up((JDIMENSION)moved->width, (JDIMENSION)moved->mcu_width);
        JDIMENSION mcu_rows = divided_up((JDIMENSION)moved->height, (JDIMENSION)moved->mcu_height);
        mover->columns[index] = mcu_columns * across;
        mover->rows[index] = mcu_rows * down;
        mover->left[index] = (JDIMENSION)(x / moved->mcu_width) * across;
        mover->top[index] = (JDIMENSION)(y / moved->mcu_height) * down;
        mover->whole_columns[index] =
            (JDIMENSION)(moved->full_width / moved->mcu_width) * across;
        mover->whole_rows[index] =
            (JDIMENSION)(moved->full_height / moved->mcu_height) * down;
        mover->to[index] = info->mem->request_virt_barray(
            (j_common_ptr)info, JPOOL_IMAGE, FALSE, mover->columns[index], mover->rows[index],
            down);
    }
    mover->from = jpeg_read_coefficients(info);
}

static void move_block(const ccodecs_jpeg_motion *motion, const JCOEF *from, JCOEF *to) {
    for (int row = 0; row < DCTSIZE; row++)
        for (int column = 0; column < DCTSIZE; column++) {
            JCOEF value = from[motion->transposes ? column * DCTSIZE + row : row * DCTSIZE + column];
            int is_negative = (motion->mirrors_columns & column) ^ (motion->mirrors_rows & row);
            to[row * DCTSIZE + column] = is_negative & 1 ? (JCOEF)-value : value;
        }
}

/// Fills a row of moved blocks.
static void move_row(mover *mover, int index, JDIMENSION y, JBLOCKROW to) {
    struct jpeg_decompress_struct *info = &mover->source;
    const ccodecs_jpeg_motion *motion = &mover->motion;
    const jpeg_component_info *component = &info->comp_info[index];
    JDIMENSION source_columns = component->width_in_blocks;
    JDIMENSION source_rows = component->height_in_blocks;
    for (JDIMENSION x = 0; x < mover->columns[index]; x++) {
        JDIMENSION column = mover->left[index] + x, row = mover->top[index] + y;
        if (motion->mirrors_columns) column = mover->whole_columns[index] - 1 - column;
        if (motion->mirrors_rows) row = mover->whole_rows[index] - 1 - row;
        JDIMENSION source_column = motion->transposes ? row : column;
        JDIMENSION source_row = motion->transposes ? column : row;
        // Blocks beyond the picture complete MCUs, and show nothing.
        if (source_column >= source_columns || source_row >= source_rows) {
            memset(to[x], 0, sizeof(JBLOCK));
            continue;
        }
        JBLOCKARRAY from = info->mem->access_virt_barray(
            (j_common_ptr)info, mover->from[index], source_row, 1, FALSE);
        move_block(motion, from[0][source_column], to[x]);
    }
}

static void report_progress(const mover *mover) {
    mover->progress.report(mover->progress.context);
}

static void move_all(mover *mover) {
    struct jpeg_decompress_struct *info = &mover->source;
    for (int index = 0; index < info->num_components; index++)
        for (JDIMENSION y = 0; y < mover->rows[index]; y++) {
            report_progress(mover);
            JBLOCKARRAY to = info->mem->access_virt_barray(
                (j_common_ptr)info, mover->to[index], y, 1, TRUE);
            move_row(mover, index, y, to[0]);
        }
}

static mover *mover_create(const ccodecs_jpeg_motion *motion, char *message, size_t length) {
    mover *created = calloc(1, sizeof *created);
    if (!created) return NULL;
    created->motion = *motion;
    created->source.err = jpeg_errors_begin(&created->errors, message, length);
    if (setjmp(created->errors.escape)) {
        free(created);
        return NULL;
    }
    jpeg_create_decompress(&created->source);
    return created;
}

static void mover_destroy(mover *mover) {
    jpeg_destroy_decompress(&mover->source);
    free(mover);
}

static void write_message(char *message, size_t length, const char *text) {
    if (length > 0) snprintf(message, length, "%s", text);
}

int ccodecs_jpeg_describe_motion(
    const uint8_t *bytes, size_t count, const ccodecs_jpeg_motion *motion, ccodecs_jpeg_moved *moved,
    char *message, size_t length) {
    mover *mover = mover_create(motion, message, length);
    if (!mover) return -1;
    int result = -1;
    if (!setjmp(mover->errors.escape) && begin(mover, bytes, count)) {
        *moved = mover->moved;
        result = 0;
    }
    mover_destroy(mover);
    return result;
}

/// The quantization table of a component, as the moved picture has it.
static void moved_table(const mover *mover, const JQUANT_TBL *table, UINT16 *values) {
    for (int row = 0; row < DCTSIZE; row++)
        for (int column = 0; column < DCTSIZE; column++)
            values[row * DCTSIZE + column] =
                table->quantval[mover->motion.transposes ? column * DCTSIZE + row
                                                         : row * DCTSIZE + column];
}

static void give_component(
    mover *mover, int index, ccodecs_jpeg_receiver *receive, void *context) {
    struct jpeg_decompress_struct *info = &mover->source;
    const JQUANT_TBL *table = info->comp_info[index].quant_table;
    JDIMENSION columns = divided_up(
        (JDIMENSION)mover->moved.width * (JDIMENSION)mover->horizontal[index],
        (JDIMENSION)mover->moved.mcu_width);
    JDIMENSION rows = divided_up(
        (JDIMENSION)mover->moved.height * (JDIMENSION)mover->vertical[index],
        (JDIMENSION)mover->moved.mcu_height);
    int32_t numbers[] = {
        mover->horizontal[index], mover->vertical[index], (int32_t)columns, (int32_t)rows};
    receive(context, numbers, sizeof numbers);
    UINT16 values[DCTSIZE2] = {0};
    if (table) moved_table(mover, table, values);
    receive(context, values, sizeof values);
    for (JDIMENSION y = 0; y < rows && y < mover->rows[index]; y++) {
        report_progress(mover);
        JBLOCKARRAY blocks =
            info->mem->access_virt_barray((j_common_ptr)info, mover->to[index], y, 1, FALSE);
        receive(context, blocks[0], columns * sizeof(JBLOCK));
    }
}

int ccodecs_jpeg_moved_coefficients(
    const uint8_t *bytes, size_t count, const ccodecs_jpeg_motion *motion,
    ccodecs_jpeg_receiver *receive, ccodecs_jpeg_progress *progress, void *context, char *message,
    size_t length) {
    mover *mover = mover_create(motion, message, length);
    if (!mover) return -1;
    mover->source.progress = jpeg_progress_begin(&mover->progress, progress, context);
    volatile int result = -1;
    if (!setjmp(mover->errors.escape) && begin(mover, bytes, count)) {
        if (is_possible(mover)) {
            read_coefficients(mover);
            move_all(mover);
            int32_t numbers[] = {
                mover->moved.width, mover->moved.height, mover->source.num_components,
                mover->source.jpeg_color_space};
            receive(context, numbers, sizeof numbers);
            for (int index = 0; index < mover->source.num_components; index++)
                give_component(mover, index, receive, context);
            result = mover->errors.manager.num_warnings > 0;
        } else {
            write_message(message, length, "the blocks cannot be moved");
        }
    }
    mover_destroy(mover);
    return result;
}

/// Gives the new picture the source's parameters, as the motion changes them.
static void set_parameters(mover *mover, struct jpeg_compress_struct *target) {
    jpeg_copy_critical_parameters(&mover->source, target);
    target->image_width = (JDIMENSION)mover->moved.width;
    target->image_height = (JDIMENSION)mover->moved.height;
    for (int index = 0; index < target->num_components; index++) {
        target->comp_info[index].h_samp_factor = mover->horizontal[index];
        target->comp_info[index].v_samp_factor = mover->vertical[index];
    }
    for (int index = 0; mover->motion.transposes && index < NUM_QUANT_TBLS; index++) {
        JQUANT_TBL *table = target->quant_tbl_ptrs[index];
        if (!table) continue;
        UINT16 values[DCTSIZE2];
        moved_table(mover, table, values);
        memcpy(table->quantval, values, sizeof values);
    }
    target->optimize_coding = !mover->source.arith_code;
    target->arith_code = mover->source.arith_code;
    if (mover->source.progressive_mode) jpeg_simple_progression(target);
    target->write_JFIF_header = mover->source.saw_JFIF_marker;
    target->write_Adobe_marker = mover->source.saw_Adobe_marker;
    if (mover->source.saw_JFIF_marker) {
        target->density_unit = mover->source.density_unit;
        target->X_density =
            mover->motion.transposes ? mover->source.Y_density : mover->source.X_density;
        target->Y_density =
            mover->motion.transposes ? mover->source.X_density : mover->source.Y_density;
    }
}

int ccodecs_jpeg_move(
    const uint8_t *bytes, size_t count, const ccodecs_jpeg_motion *motion,
    ccodecs_jpeg_progress *progress, void *context, uint8_t **result, size_t *result_length,
    char *message, size_t length) {
    mover *mover = mover_create(motion, message, length);
    if (!mover) return -1;
    mover->source.progress = jpeg_progress_begin(&mover->progress, progress, context);
    struct jpeg_compress_struct target;
    memset(&target, 0, sizeof target);
    target.err = &mover->errors.manager;
    jpeg_output output = {0};
    volatile int code = -1;
    if (!setjmp(mover->errors.escape)) {
        jpeg_create_compress(&target);
        target.progress = mover->source.progress;
        if (begin(mover, bytes, count) && is_possible(mover)) {
            read_coefficients(mover);
            move_all(mover);
            jpeg_output_begin(&output, &target);
            set_parameters(mover, &target);
            jpeg_write_coefficients(&target, mover->to);
            jpeg_finish_compress(&target);
            *result = output.bytes;
            *result_length = output.length;
            code = 0;
        } else {
            write_message(message, length, "the blocks cannot be moved");
        }
    }
    jpeg_destroy_compress(&target);
    mover_destroy(mover);
    if (code != 0) free(output.bytes);
    return code;
}
