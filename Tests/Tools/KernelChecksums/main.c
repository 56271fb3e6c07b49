// Paints random pictures with one set of instructions, and prints a checksum of each. The same number
// paints the same picture on every processor. All memory that kernels get lies between pages that
// nobody may touch, next to one of them; the checksum is that of all memory that they may write to.
//
// Usage: kernel-checksums SET NUMBERS, or kernel-checksums SET KIND ZOOM FRAMES, which paints frames of
// 384 × 64 pixels, to count instructions. SET is a number of `enum cpainting_kernel`; the exit status
// is 2 if the processor does not support it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpainting.h"

#pragma clang fp contract(off)

static uint64_t state;

/// The generator of D. Lehmer with the constants of P. L'Ecuyer; the upper bits are good enough.
static uint32_t next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}
static int32_t between(int32_t low, int32_t high) {
    return low + (int32_t)(next() % (uint32_t)(high - low + 1));
}
static double fraction(double low, double high) { return low + (high - low) * next() / 2147483648.0; }

/// Memory between two inaccessible pages, next to one of them.
struct guarded {
    /// The first of the bytes that were asked for, and their number.
    uint8_t *bytes;
    size_t length;
    /// The pages between the inaccessible ones.
    uint8_t *pages;
    size_t room;
};

enum {
    /// The value of bytes that nobody has written to.
    UNTOUCHED = 0x55,
};

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/// Allocates `length` bytes, at the end of the pages or at their beginning.
static struct guarded allocate(size_t length, int is_at_end) {
    size_t page = page_size(), room = (length + page - 1) / page * page;
    uint8_t *base = mmap(
        NULL, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base, page, PROT_NONE) != 0 ||
        mprotect(base + page + room, page, PROT_NONE) != 0) {
        perror("memory between guard pages");
        exit(3);
    }
    memset(base + page, UNTOUCHED, room);
    return (struct guarded){base + page + (is_at_end ? room - length : 0), length, base + page, room};
}

/// Frees the memory. Ends the program if bytes of the pages that nobody asked for have changed.
static void release(struct guarded memory) {
    for (size_t index = 0; index < memory.room; index++) {
        uint8_t *byte = memory.pages + index;
        if (byte >= memory.bytes && byte < memory.bytes + memory.length) continue;
        if (*byte == UNTOUCHED) continue;
        fprintf(stderr, "a byte outside of the memory was written\n");
        exit(3);
    }
    size_t page = page_size();
    munmap(memory.pages - page, memory.room + 2 * page);
}

/// A picture of noise. Rows end at the end of the memory's rows or before.
struct picture {
    struct cpainting_source source;
    struct guarded memory;
};

/// The last row has no padding, so that a picture at the end ends with its last pixel.
static struct picture noise(
    int32_t width, int32_t height, int32_t padding, int is_opaque, int is_at_end) {
    ptrdiff_t stride = (width + padding) * 4, length = stride * height - padding * 4;
    struct guarded memory = allocate((size_t)length, is_at_end);
    for (ptrdiff_t index = 0; index < length; index += 4) {
        // No colour is brighter than its alpha.
        uint32_t pixel = next() << 1 ^ next();
        pixel = is_opaque ? pixel | 0xff000000 : (pixel & 0xff7f7f7f) | 0x80000000;
        memcpy(memory.bytes + index, &pixel, 4);
    }
    return (struct picture){{memory.bytes, stride, width, height}, memory};
}

/// A picture of planes of noise.
struct planar_picture {
    struct cpainting_planes planes;
    struct guarded luma, chroma;
};

/// A plane whose rows end with the memory's.
static struct cpainting_plane plane_of_noise(
    int32_t width, int32_t height, int32_t sample_bytes, int is_at_end, struct guarded *memory) {
    ptrdiff_t stride = (width * sample_bytes + 63) & ~63;
    *memory = allocate((size_t)(stride * height), is_at_end);
    for (size_t index = 0; index < memory->length; index++) memory->bytes[index] = (uint8_t)next();
    return (struct cpainting_plane){memory->bytes, stride, width, height};
}

/// Planes with `columns` × `rows` samples of chroma.
static struct planar_picture planes_of_noise(
    int32_t width, int32_t height, int32_t columns, int32_t rows, int is_at_end) {
    struct planar_picture picture;
    picture.planes.luma = plane_of_noise(width, height, 1, is_at_end, &picture.luma);
    picture.planes.chroma = plane_of_noise(columns, rows, 2, is_at_end, &picture.chroma);
    picture.planes.siting = (struct cpainting_siting){
        (double)columns / width, 0, (double)rows / height, 0};
    // Those of JPEG, or of BT.709 with a limited range.
    const struct cpainting_conversion conversions[] = {
        {8192, 4112, 11485, 2819, 5850, 14516}, {9539, 4189, 14686, 1747, 4366, 17305}};
    picture.planes.conversion = conversions[between(0, 1)];
    return picture;
}

/// Planes with any number of samples of chroma at any places.
static struct planar_picture planar_noise(int32_t width, int32_t height, int is_at_end) {
    int32_t columns = (width + 1) >> between(0, 2) | 1, rows = (height + 1) >> between(0, 2) | 1;
    struct planar_picture picture = planes_of_noise(width, height, columns, rows, is_at_end);
    picture.planes.siting.column_edge = fraction(-2, 2);
    picture.planes.siting.row_edge = fraction(-2, 2);
    return picture;
}

/// The part of a target that is painted.
struct part {
    int32_t x, end, top, bottom;
};

/// The tables of columns, with their memory.
struct columns {
    struct cpainting_columns table;
    struct guarded left, weights;
};

static struct columns columns_of(
    const struct cpainting_source *source, double step, double origin, struct part part) {
    int32_t first = part.x & ~7, count = ((part.end + 7) & ~7) - first;
    struct guarded left = allocate((size_t)count * 4, 1);
    struct guarded weights = allocate((size_t)count * 2, 1);
    struct cpainting_spacing spacing = cpainting_columns_fill(
        (int32_t *)left.bytes, (uint16_t *)weights.bytes, first, count, part.x, part.end,
        (struct cpainting_axis){step, origin}, source->width);
    return (struct columns){
        {first, count, (int32_t *)left.bytes, (uint16_t *)weights.bytes, spacing}, left, weights};
}

static void release_columns(struct columns columns) {
    release(columns.left);
    release(columns.weights);
}

/// A filter of one axis, with its memory.
struct taps {
    struct cpainting_taps table;
    struct guarded first, weights;
};

/// A filter with random weights, of which some are negative.
static struct taps taps_of(double step, double origin, struct part part, int is_column) {
    int32_t begin = is_column ? part.x : part.top, end = is_column ? part.end : part.bottom;
    // As many as the filters of the viewer have.
    int32_t pairs = (int32_t)(step > 1 ? 6 * step + 1 : 5) / 2 + 1;
    struct guarded firsts = allocate((size_t)(end - begin) * 4, 1);
    struct guarded all = allocate((size_t)((end - begin) * pairs * 2) * sizeof(int16_t), 1);
    int32_t *first = (int32_t *)firsts.bytes;
    int16_t *weights = (int16_t *)all.bytes;
    memset(weights, 0, all.length);
    for (int32_t index = begin; index < end; index++) {
        int16_t *own = weights + (ptrdiff_t)(index - begin) * pairs * 2;
        double center = origin + (index + 0.5) * step;
        first[index - begin] = ((int32_t)floor(center) - pairs) & ~1;
        int32_t rest = 1 << 14;
        for (int32_t tap = 1; tap < pairs * 2 - 2; tap++) {
            own[tap] = (int16_t)between(-200, 300);
            rest -= own[tap];
        }
        own[pairs] = (int16_t)(own[pairs] + rest);
    }
    return (struct taps){{begin, pairs, first, weights}, firsts, all};
}

static void release_taps(struct taps taps) {
    release(taps.first);
    release(taps.weights);
}

/// The filters of both axes, with their memory.
struct filter {
    struct cpainting_filter table;
    struct taps columns, rows;
};

static struct filter filter_of(
    struct cpainting_axis columns, struct cpainting_axis rows, struct part part) {
    struct filter filter = {
        .columns = taps_of(columns.step, columns.origin, part, 1),
        .rows = taps_of(rows.step, rows.origin, part, 0)};
    filter.table = (struct cpainting_filter){filter.columns.table, filter.rows.table};
    return filter;
}

static void release_filter(struct filter filter) {
    release_taps(filter.columns);
    release_taps(filter.rows);
}

static struct cpainting_axis chroma_axis(
    struct cpainting_axis luma, double scale, double edge) {
    return (struct cpainting_axis){luma.step * scale, luma.origin * scale - edge};
}

/// The filter of the chroma plane that belongs to that of the luma plane.
static struct filter chroma_filter_of(
    const struct cpainting_siting *siting, struct cpainting_axis columns,
    struct cpainting_axis rows, struct part part) {
    return filter_of(
        chroma_axis(columns, siting->column_scale, siting->column_edge),
        chroma_axis(rows, siting->row_scale, siting->row_edge), part);
}

static struct cpainting_affine rotation(
    const struct cpainting_source *source, double step, double angle, double x, double y) {
    double c = cos(angle) * step, s = sin(angle) * step;
    // Libraries of mathematics differ in the last bit.
    c = floor(c * 1048576) / 1048576;
    s = floor(s * 1048576) / 1048576;
    return (struct cpainting_affine){
        c, s, source->width / 2.0 - c * x - s * y, -s, c, source->height / 2.0 + s * x - c * y};
}

static void paint_planar(
    const struct cpainting_planes *planes, double step, double x0, double y0, uint8_t *target,
    ptrdiff_t stride, struct part part, const struct cpainting_blending *blending,
    enum cpainting_kernel set) {
    int32_t first = part.x & ~7, count = ((part.end + 7) & ~7) - first;
    struct cpainting_planar_columns *columns = cpainting_planar_columns_create(
        planes, (struct cpainting_axis){step, x0}, first, count, set);
    cpainting_planar(
        planes, columns, (struct cpainting_axis){step, y0}, target, stride, part.x, part.end,
        part.top, part.bottom, blending, part.x % 2);
    cpainting_planar_columns_destroy(columns);
}

/// Columns of planes for the columns of a part, and for `more` columns to the left.
static struct cpainting_planar_layer layer_of(
    const struct cpainting_planes *planes, double step, double x0, double y0, struct part part,
    int32_t more, enum cpainting_kernel set) {
    int32_t first = (part.x & ~7) - more, count = ((part.end + 7) & ~7) - first;
    struct cpainting_axis columns = {step, x0};
    return (struct cpainting_planar_layer){
        planes, cpainting_planar_columns_create(planes, columns, first, count, set),
        {step, y0}};
}

static void release_layer(struct cpainting_planar_layer layer) {
    cpainting_planar_columns_destroy((struct cpainting_planar_columns *)layer.columns);
}

/// Paints one picture of planes over another one, which is a third larger.
static void paint_fade(
    const struct cpainting_planes *lower, const struct cpainting_planes *upper, double step,
    double x0, double y0, uint32_t opacity, uint8_t *target, ptrdiff_t stride, struct part part,
    int32_t more, int32_t more_above, enum cpainting_kernel set) {
    struct cpainting_planar_layer below = layer_of(lower, step * 0.75, y0, x0, part, more, set);
    struct cpainting_planar_layer above = layer_of(upper, step, x0, y0, part, more_above, set);
    cpainting_planar_fade(
        &below, &above, opacity, target, stride, part.x, part.end, part.top, part.bottom);
    release_layer(below);
    release_layer(above);
}

/// Makes rows of deep pixels with gains, and a part of them with something above.
static void paint_deep(
    const struct picture *base, uint8_t *target, ptrdiff_t stride, struct part part,
    enum cpainting_kernel set) {
    const int32_t width = part.end - part.x;
    const size_t length = (size_t)width * sizeof(struct cpainting_gains);
    struct picture codes = noise(width, 1, 0, 0, between(0, 1));
    const struct cpainting_gain_range range = {
        (int16_t)between(-4096, 0), (int16_t)between(0, 8192)};
    const float headroom = (float)fraction(1, 8);
    for (int32_t y = part.top; y < part.bottom; y++) {
        struct guarded gains = allocate(length, between(0, 1));
        memset(gains.bytes, 0, length);
        cpainting_gains_over(
            (struct cpainting_gains *)(void *)gains.bytes, codes.memory.bytes, (size_t)width, range);
        cpainting_deep(
            target + y * stride + part.x * 4,
            base->memory.bytes + y * base->source.stride + part.x * 4,
            between(0, 3) ? (struct cpainting_gains *)(void *)gains.bytes : NULL,
            between(0, 1) ? codes.memory.bytes : NULL, (size_t)width, headroom, set);
        release(gains);
        const struct cpainting_light_curve curve = cpainting_light_curve_make(
            range.least / 1024.0, range.most / 1024.0, headroom, between(0, 1));
        if (between(0, 1))
            cpainting_deep_codes(
                target + y * stride + part.x * 4,
                base->memory.bytes + y * base->source.stride + part.x * 4, codes.memory.bytes,
                between(0, 1) ? codes.memory.bytes : NULL, (size_t)width, &curve, headroom, set);
    }
    release(codes.memory);
}

static uint64_t checksum(struct guarded memory) {
    uint64_t sum = 14695981039346656037u;
    for (size_t index = 0; index < memory.length; index++)
        sum = (sum ^ memory.bytes[index]) * 1099511628211u;
    return sum;
}

/// Any angle, or nearly a quarter turn.
static double random_angle(void) {
    if (between(0, 2) != 0) return fraction(-7, 7);
    return (double)between(0, 3) * 1.5707963267948966
        + fraction(-1, 1) * pow(10, -(double)between(3, 12));
}

static uint64_t paint_random(uint64_t number, enum cpainting_kernel set) {
    state = number * 0x9e3779b97f4a7c15u + 1;
    for (int index = 0; index < 4; index++) next();
    int32_t kind = between(0, 12);
    const int is_rotated = kind == 2 || kind == 3;
    // Planes are blended in parts of 256 columns, and rotated images in tiles of 256 × 64 pixels.
    int32_t width = between(1, kind == 11 || is_rotated ? 600 : 90);
    int32_t height = between(1, is_rotated ? 150 : 40);
    int is_opaque = between(0, 1), offset = between(0, 3);
    struct picture picture = noise(
        between(1, is_rotated ? 900 : 150), between(1, is_rotated ? 600 : 60), between(0, 3),
        is_opaque || kind == 0, between(0, 1));
    ptrdiff_t padding = between(0, 9) * 4;
    // Stores bypass the caches if rows are aligned.
    if (is_rotated && between(0, 1)) padding = -width * 4 & 31;
    ptrdiff_t stride = width * 4 + padding;
    // The first row begins at any pixel, and the last one may end with the memory.
    int is_at_end = between(0, 1);
    ptrdiff_t before = is_at_end ? 12 : offset * 4, after = is_at_end ? offset * 4 : 12;
    struct guarded memory =
        allocate((size_t)(before + stride * height - padding + after), is_at_end);
    uint8_t *target = memory.bytes + before;
    struct picture below = noise(width, height, between(0, 3), 1, between(0, 1));
    const uint8_t *rows[150];
    struct part part = {between(0, width - 1), 0, between(0, height - 1), 0};
    part.end = between(part.x + 1, width);
    part.bottom = between(part.top + 1, height);
    for (int32_t y = part.top; y < part.bottom; y++)
        rows[y - part.top] = below.memory.bytes + y * below.source.stride;
    double step = between(0, 9) == 0 ? 1 : pow(2, between(-5, 3)) * fraction(1, 2);
    double x0 = fraction(-20, 20), y0 = fraction(-20, 20);
    uint32_t opacity = (uint32_t)(between(0, 1) ? between(0, 255) : 255);
    struct cpainting_blending blending = {
        opacity, (int)between(0, 1), between(0, 1) ? rows : NULL};
    if (between(0, 3) == 0) x0 = floor(x0), y0 = floor(y0);
    if (kind <= 1) {
        struct columns columns = columns_of(&picture.source, step, x0, part);
        cpainting_bilinear(
            &picture.source, &columns.table, (struct cpainting_axis){step, y0},
            target + part.top * stride, stride, part.x, part.end, part.top, part.bottom,
            kind == 0 ? NULL : &blending, (int)between(0, 1), set);
        release_columns(columns);
    } else if (kind <= 3) {
        cpainting_rotated(
            &picture.source,
            rotation(&picture.source, step, random_angle(), width / 2.0, height / 2.0), is_opaque,
            target + part.top * stride, stride, part.x, part.end, part.top, part.bottom, opacity,
            set);
    } else if (kind <= 6) {
        struct planar_picture planar =
            planar_noise(between(1, 150), between(1, 60), between(0, 1));
        paint_planar(
            &planar.planes, step, x0, y0, target + part.top * stride, stride, part,
            kind == 4 ? NULL : &blending, set);
        release(planar.luma);
        release(planar.chroma);
    } else if (kind == 12) {
        paint_deep(&below, target, stride, part, set);
    } else if (kind == 11) {
        struct planar_picture lower =
            planar_noise(between(1, 700), between(1, 60), between(0, 1));
        struct planar_picture upper =
            planar_noise(between(1, 700), between(1, 60), between(0, 1));
        int32_t more = between(0, 1) * 8, more_above = between(0, 1) * 8;
        paint_fade(
            &lower.planes, &upper.planes, step, x0, y0, opacity % 255,
            target + part.top * stride, stride, part, more, more_above, set);
        release(lower.luma);
        release(lower.chroma);
        release(upper.luma);
        release(upper.chroma);
    } else {
        step = step < 0.25 ? 0.25 : step > 4 ? 4 : step;
        struct cpainting_axis columns = {step, x0}, rows = {step, y0};
        const int32_t flag = 0;
        struct cpainting_refinement refinement = {
            target, stride, part.x, part.end, part.top, part.bottom, kind % 2, &flag, set};
        struct filter filter = filter_of(columns, rows, part);
        if (kind <= 8) {
            cpainting_sharp(&picture.source, &filter.table, &refinement);
        } else {
            struct planar_picture planar =
                planar_noise(between(1, 150), between(1, 60), between(0, 1));
            struct filter chroma =
                chroma_filter_of(&planar.planes.siting, columns, rows, part);
            cpainting_sharp_planar(&planar.planes, &filter.table, &chroma.table, &refinement);
            release_filter(chroma);
            release(planar.luma);
            release(planar.chroma);
        }
        release_filter(filter);
    }
    uint64_t sum = checksum(memory);
    release(memory);
    release(picture.memory);
    release(below.memory);
    return sum;
}

/// Paints frames whose pixels are all inside the source.
static void paint_frames(const char *kind, double zoom, int frames, enum cpainting_kernel set) {
    enum { WIDTH = 384, HEIGHT = 64 };
    state = 1;
    double step = 1 / zoom, margin = 8 * (step > 1 ? step : 1);
    // A rotated row needs more rows of the source.
    int32_t height = strcmp(kind, "rotated") == 0 ? WIDTH : HEIGHT;
    struct picture picture = noise(
        (int32_t)((WIDTH + HEIGHT) * step + 2 * margin), (int32_t)(height * step + 2 * margin), 5,
        strcmp(kind, "over") != 0, 1);
    struct guarded memory = allocate((size_t)WIDTH * HEIGHT * 4, 1);
    uint8_t *target = memory.bytes;
    const uint8_t *rows[HEIGHT];
    struct picture below = noise(WIDTH, 1, 0, 1, 1);
    for (int y = 0; y < HEIGHT; y++) rows[y] = below.memory.bytes;
    struct part part = {0, WIDTH, 0, HEIGHT};
    const int is_half = strcmp(kind, "half") == 0;
    struct cpainting_blending blending = {is_half ? 128 : 255, is_half, rows};
    int is_blended = is_half || strcmp(kind, "over") == 0;
    double origin = margin + 0.3;
    struct columns columns = columns_of(&picture.source, step, origin, part);
    struct cpainting_axis axis = {step, origin};
    struct filter filter = filter_of(axis, axis, part);
    const int32_t flag = 0;
    struct cpainting_refinement refinement = {
        target, WIDTH * 4, 0, WIDTH, 0, HEIGHT, 1, &flag, set};
    // 4:2:0
    int32_t width = picture.source.width & ~1, planar_height = picture.source.height & ~1;
    struct planar_picture planar =
        planes_of_noise(width, planar_height, width / 2, planar_height / 2, 1);
    struct filter chroma = chroma_filter_of(&planar.planes.siting, axis, axis, part);
    for (int frame = 0; frame < frames; frame++)
        if (strcmp(kind, "planar") == 0)
            paint_planar(
                &planar.planes, step, origin, origin, target, WIDTH * 4, part, NULL, set);
        else if (strcmp(kind, "fade") == 0)
            paint_fade(
                &planar.planes, &planar.planes, step, origin, origin, 100, target, WIDTH * 4, part,
                0, 0, set);
        else if (strcmp(kind, "rotated") == 0)
            cpainting_rotated(
                &picture.source, rotation(&picture.source, step, 0.3, WIDTH / 2.0, HEIGHT / 2.0), 1,
                target, WIDTH * 4, 0, WIDTH, 0, HEIGHT, 255, set);
        else if (strcmp(kind, "sharp") == 0)
            cpainting_sharp(&picture.source, &filter.table, &refinement);
        else if (strcmp(kind, "sharp-planar") == 0)
            cpainting_sharp_planar(
                &planar.planes, &filter.table, &chroma.table, &refinement);
        else
            cpainting_bilinear(
                &picture.source, &columns.table, (struct cpainting_axis){step, origin}, target,
                WIDTH * 4, 0, WIDTH, 0, HEIGHT, is_blended ? &blending : NULL, 1, set);
    printf("%016llx\n", (unsigned long long)checksum(memory));
}

int main(int count, char **arguments) {
    if (count != 3 && count != 5) return 1;
    enum cpainting_kernel set = (enum cpainting_kernel)atoi(arguments[1]);
    if (!cpainting_supports(set)) return 2;
    if (count == 5) {
        paint_frames(arguments[2], atof(arguments[3]), atoi(arguments[4]), set);
        return 0;
    }
    int numbers = atoi(arguments[2]);
    for (int number = 0; number < numbers; number++)
        printf("%d %016llx\n", number, (unsigned long long)paint_random((uint64_t)number, set));
    return 0;
}
