// Paints random pictures with one set of instructions, and prints a checksum of each. The same number
// paints the same picture on every processor.
//
// Usage: kernel-checksums SET NUMBERS, or kernel-checksums SET KIND ZOOM FRAMES, which paints frames of
// 384 × 64 pixels, to count instructions. SET is a number of `enum cpainting_kernel`; the exit status
// is 2 if the processor does not support it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/// A picture of noise. Rows end at the end of the memory's rows or before.
struct picture {
    struct cpainting_source source;
    uint8_t *memory;
};

static struct picture noise(int32_t width, int32_t height, int32_t padding, int is_opaque) {
    ptrdiff_t stride = (width + padding) * 4;
    uint8_t *memory = malloc((size_t)(stride * height));
    for (ptrdiff_t index = 0; index < stride * height; index += 4) {
        // No colour is brighter than its alpha.
        uint32_t pixel = next() << 1 ^ next();
        pixel = is_opaque ? pixel | 0xff000000 : (pixel & 0xff7f7f7f) | 0x80000000;
        memcpy(memory + index, &pixel, 4);
    }
    return (struct picture){{memory, stride, width, height}, memory};
}

/// The part of a target that is painted.
struct part {
    int32_t x, end, top, bottom;
};

static struct cpainting_columns columns_of(
    const struct cpainting_source *source, double step, double origin, struct part part) {
    int32_t first = part.x & ~7, count = ((part.end + 7) & ~7) - first;
    int32_t *left = malloc((size_t)count * 4);
    uint16_t *weights = malloc((size_t)count * 2);
    struct cpainting_spacing spacing = cpainting_columns_fill(
        left, weights, first, count, part.x, part.end, (struct cpainting_axis){step, origin},
        source->width);
    return (struct cpainting_columns){first, count, left, weights, spacing};
}

/// A filter with random weights, of which some are negative.
static struct cpainting_taps taps(double step, double origin, struct part part, int is_column) {
    int32_t begin = is_column ? part.x : part.top, end = is_column ? part.end : part.bottom;
    // As many as the filters of the viewer have.
    int32_t pairs = (int32_t)(step > 1 ? 6 * step + 1 : 5) / 2 + 1;
    int32_t *first = malloc((size_t)(end - begin) * 4);
    int16_t *weights = calloc((size_t)((end - begin) * pairs * 2), 2);
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
    return (struct cpainting_taps){begin, pairs, first, weights};
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

static uint64_t checksum(const uint8_t *bytes, size_t length) {
    uint64_t sum = 14695981039346656037u;
    for (size_t index = 0; index < length; index++) sum = (sum ^ bytes[index]) * 1099511628211u;
    return sum;
}

static uint64_t paint_random(uint64_t number, enum cpainting_kernel set) {
    state = number * 0x9e3779b97f4a7c15u + 1;
    for (int index = 0; index < 4; index++) next();
    int32_t kind = between(0, 5), width = between(1, 90), height = between(1, 40);
    int is_opaque = between(0, 1), offset = between(0, 3);
    struct picture picture =
        noise(between(1, 150), between(1, 60), between(0, 3), is_opaque || kind == 0);
    ptrdiff_t stride = (width + between(0, 9)) * 4;
    size_t length = (size_t)(stride * height) + 12;
    uint8_t *memory = aligned_alloc(64, (length + 63) & ~(size_t)63), *target = memory + offset * 4;
    struct picture below = noise(width, height, between(0, 3), 1);
    const uint8_t *rows[64];
    struct part part = {between(0, width - 1), 0, between(0, height - 1), 0};
    part.end = between(part.x + 1, width);
    part.bottom = between(part.top + 1, height);
    memset(memory, 0x55, (length + 63) & ~(size_t)63);
    for (int32_t y = part.top; y < part.bottom; y++)
        rows[y - part.top] = below.memory + y * below.source.stride;
    double step = between(0, 9) == 0 ? 1 : pow(2, between(-5, 3)) * fraction(1, 2);
    double x0 = fraction(-20, 20), y0 = fraction(-20, 20);
    uint32_t opacity = (uint32_t)(between(0, 1) ? between(0, 255) : 255);
    struct cpainting_blending blending = {opacity, between(0, 1) ? rows : NULL};
    if (between(0, 3) == 0) x0 = floor(x0), y0 = floor(y0);
    if (kind <= 1) {
        struct cpainting_columns columns = columns_of(&picture.source, step, x0, part);
        cpainting_bilinear(
            &picture.source, &columns, (struct cpainting_axis){step, y0},
            target + part.top * stride, stride, part.x, part.end, part.top, part.bottom,
            kind == 0 ? NULL : &blending, set);
        free((void *)columns.left);
        free((void *)columns.weights);
    } else if (kind <= 3) {
        cpainting_rotated(
            &picture.source,
            rotation(&picture.source, step, fraction(-7, 7), width / 2.0, height / 2.0), is_opaque,
            target + part.top * stride, stride, part.x, part.end, part.top, part.bottom, opacity,
            set);
    } else {
        step = step < 0.25 ? 0.25 : step > 4 ? 4 : step;
        struct cpainting_taps columns = taps(step, x0, part, 1), rows = taps(step, y0, part, 0);
        int32_t flag = 0;
        cpainting_sharp(
            &picture.source, &columns, &rows, kind == 5, target, stride, part.x, part.end, part.top,
            part.bottom, &flag, set);
        free((void *)columns.first);
        free((void *)columns.weights);
        free((void *)rows.first);
        free((void *)rows.weights);
    }
    uint64_t sum = checksum(target, (size_t)(stride * height));
    free(memory);
    free(picture.memory);
    free(below.memory);
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
        strcmp(kind, "over") != 0);
    uint8_t *target = aligned_alloc(64, (size_t)WIDTH * HEIGHT * 4);
    const uint8_t *rows[HEIGHT];
    struct picture below = noise(WIDTH, 1, 0, 1);
    for (int y = 0; y < HEIGHT; y++) rows[y] = below.memory;
    struct part part = {0, WIDTH, 0, HEIGHT};
    struct cpainting_blending blending = {strcmp(kind, "half") == 0 ? 128 : 255, rows};
    int is_blended = strcmp(kind, "half") == 0 || strcmp(kind, "over") == 0;
    double origin = margin + 0.3;
    struct cpainting_columns columns = columns_of(&picture.source, step, origin, part);
    struct cpainting_taps taps_across = taps(step, origin, part, 1);
    struct cpainting_taps taps_down = taps(step, origin, part, 0);
    int32_t flag = 0;
    for (int frame = 0; frame < frames; frame++)
        if (strcmp(kind, "rotated") == 0)
            cpainting_rotated(
                &picture.source, rotation(&picture.source, step, 0.3, WIDTH / 2.0, HEIGHT / 2.0), 1,
                target, WIDTH * 4, 0, WIDTH, 0, HEIGHT, 255, set);
        else if (strcmp(kind, "sharp") == 0)
            cpainting_sharp(
                &picture.source, &taps_across, &taps_down, 1, target, WIDTH * 4, 0, WIDTH, 0,
                HEIGHT, &flag, set);
        else
            cpainting_bilinear(
                &picture.source, &columns, (struct cpainting_axis){step, origin}, target, WIDTH * 4,
                0, WIDTH, 0, HEIGHT, is_blended ? &blending : NULL, set);
    printf("%016llx\n", (unsigned long long)checksum(target, (size_t)WIDTH * HEIGHT * 4));
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
