#include "tiff_rows.h"

#include <math.h>
#include <string.h>

int tiff_rows_used(const tiff_rows *rows) {
    int colors = rows->kind == TIFF_RGB || rows->kind == TIFF_LAB ? 3 : rows->kind == TIFF_CMYK ? 4 : 1;
    return colors + (rows->alpha != TIFF_NO_ALPHA);
}

/// Sample `index` of a row, as an integer. Samples of other widths than 8, 16 and 32 bits are
/// packed from the most significant bit on.
static uint32_t integer_sample(const tiff_rows *rows, const uint8_t *row, size_t index) {
    switch (rows->bits) {
    case 8: return row[index];
    case 16: {
        uint16_t value;
        memcpy(&value, row + 2 * index, 2);
        return value;
    }
    case 32: {
        uint32_t value;
        memcpy(&value, row + 4 * index, 4);
        return value;
    }
    default: {
        size_t bit = index * (size_t)rows->bits;
        uint32_t value = 0;
        for (int left = rows->bits; left > 0;) {
            int offset = (int)(bit & 7);
            int count = 8 - offset < left ? 8 - offset : left;
            uint32_t part = (uint32_t)row[bit >> 3] >> (8 - offset - count);
            value = value << count | (part & ((1u << count) - 1));
            bit += (size_t)count;
            left -= count;
        }
        return value;
    }
    }
}

/// Decodes a float of 16 bits (IEEE 754 half precision) or 24 bits (TIFF technical note 3).
static float small_float(uint32_t value, int exponent_bits, int fraction_bits) {
    uint32_t fraction = value & ((1u << fraction_bits) - 1);
    int exponent = (int)(value >> fraction_bits & ((1u << exponent_bits) - 1));
    int bias = (1 << (exponent_bits - 1)) - 1;
    float sign = value >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1) return fraction ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * ldexpf((float)fraction, 1 - bias - fraction_bits);
    return sign * ldexpf((float)(fraction | 1u << fraction_bits), exponent - bias - fraction_bits);
}

static float float_sample(const tiff_rows *rows, const uint8_t *row, size_t index) {
    switch (rows->bits) {
    case 16: return small_float(integer_sample(rows, row, index), 5, 10);
    case 24: {
        // libtiff returns them in the machine's byte order.
        uint32_t value = 0;
        memcpy(&value, row + 3 * index, 3);
        return small_float(value, 7, 16);
    }
    case 64: {
        double value;
        memcpy(&value, row + 8 * index, 8);
        return (float)value;
    }
    default: {
        float value;
        memcpy(&value, row + 4 * index, 4);
        return value;
    }
    }
}

/// A sample scaled to 0…`limit`.
static uint32_t scaled(const tiff_rows *rows, const uint8_t *row, size_t index, uint32_t limit) {
    if (rows->is_float) {
        float value = float_sample(rows, row, index);
        return value > 0 ? (uint32_t)(fminf(value, 1) * (float)limit + 0.5f) : 0;
    }
    uint32_t value = integer_sample(rows, row, index);
    if (rows->is_signed) value ^= 1u << (rows->bits - 1);
    uint32_t most = rows->bits == 32 ? UINT32_MAX : (1u << rows->bits) - 1;
    if (most == limit) return value;
    return (uint32_t)(((uint64_t)value * limit + most / 2) / most);
}

typedef struct pixel {
    uint32_t samples[5];
} pixel;

/// The used samples of a pixel, straight alpha last. Samples of min-is-white are inverted.
static pixel read_pixel(
    const tiff_rows *rows, const uint8_t *const *planes, size_t x, uint32_t limit) {
    pixel result;
    int used = tiff_rows_used(rows);
    for (int sample = 0; sample < used; sample++) {
        const uint8_t *row = rows->is_separate ? planes[sample] : planes[0];
        size_t index = rows->is_separate ? x : x * (size_t)rows->samples + (size_t)sample;
        result.samples[sample] = rows->kind == TIFF_PALETTE && sample == 0
                                     ? integer_sample(rows, row, index)
                                     : scaled(rows, row, index, limit);
    }
    if (rows->is_inverted) result.samples[0] = limit - result.samples[0];
    if (rows->alpha == TIFF_PREMULTIPLIED && rows->kind != TIFF_PALETTE) {
        uint32_t alpha = result.samples[used - 1];
        for (int sample = 0; sample < used - 1; sample++) {
            uint64_t value = alpha ? ((uint64_t)result.samples[sample] * limit + alpha / 2) / alpha : 0;
            result.samples[sample] = value < limit ? (uint32_t)value : limit;
        }
    }
    return result;
}

/// Writes a pixel to column `x` of a row in the layout.
static void write_pixel(const tiff_rows *rows, const pixel *source, void *target, size_t x) {
    int used = tiff_rows_used(rows);
    uint32_t out[4] = {source->samples[0], source->samples[0], source->samples[0], 0};
    if (rows->kind == TIFF_PALETTE)
        for (int color = 0; color < 3; color++)
            out[color] = rows->colors[color][source->samples[0] & 0xFFFF];
    else if (rows->kind != TIFF_GRAY)
        memcpy(out, source->samples, sizeof out);
    if (rows->alpha != TIFF_NO_ALPHA) out[3] = source->samples[used - 1];
    size_t count = 3;
    int is_deep = 0;
    switch (rows->layout) {
    case CCODECS_TIFF_GRAY8: count = 1; break;
    case CCODECS_TIFF_GRAY16:
        count = 1;
        is_deep = 1;
        break;
    case CCODECS_TIFF_RGB16: is_deep = 1; break;
    case CCODECS_TIFF_RGBA16:
        count = 4;
        is_deep = 1;
        break;
    case CCODECS_TIFF_RGBA8:
    case CCODECS_TIFF_CMYK8: count = 4; break;
    default: break;
    }
    for (size_t sample = 0; sample < count; sample++) {
        if (is_deep)
            ((uint16_t *)target)[count * x + sample] = (uint16_t)out[sample];
        else
            ((uint8_t *)target)[count * x + sample] = (uint8_t)out[sample];
    }
}

static void convert_floats(
    const tiff_rows *rows, const uint8_t *const *planes, float *target, size_t width) {
    int used = tiff_rows_used(rows);
    int colors = rows->kind == TIFF_GRAY ? 1 : 3;
    for (size_t x = 0; x < width; x++) {
        float values[4] = {0, 0, 0, 1};
        for (int sample = 0; sample < used; sample++) {
            const uint8_t *row = rows->is_separate ? planes[sample] : planes[0];
            size_t index = rows->is_separate ? x : x * (size_t)rows->samples + (size_t)sample;
            values[sample < colors ? sample : 3] = float_sample(rows, row, index);
        }
        if (rows->is_inverted) values[0] = 1 - values[0];
        if (colors == 1) values[1] = values[2] = values[0];
        if (rows->alpha == TIFF_PREMULTIPLIED && values[3] > 0)
            for (int color = 0; color < 3; color++) values[color] /= values[3];
        size_t count = rows->layout == CCODECS_TIFF_RGBA_FLOAT ? 4 : 3;
        memcpy(target + count * x, values, count * sizeof *target);
    }
}

/// Converts CIE 1976 L*a*b* (CIE 15:2004, 8.2.1.2) to sRGB. The white point is D50, as in the TIFF
/// 6.0 supplements. The matrix converts XYZ relative to D50, with Bradford's adaptation (B.
/// Lindbloom).
static void convert_lab(
    const tiff_rows *rows, const uint8_t *const *planes, uint16_t *target, size_t width) {
    static const float white[3] = {0.96422f, 1, 0.82521f};
    static const float matrix[3][3] = {
        {3.1338561f, -1.6168667f, -0.4906146f},
        {-0.9787684f, 1.9161415f, 0.0334540f},
        {0.0719453f, -0.2289914f, 1.4052427f},
    };
    int is_deep = rows->bits == 16;
    for (size_t x = 0; x < width; x++) {
        float lab[3];
        for (int sample = 0; sample < 3; sample++) {
            const uint8_t *row = rows->is_separate ? planes[sample] : planes[0];
            size_t index = rows->is_separate ? x : x * (size_t)rows->samples + (size_t)sample;
            uint32_t value = integer_sample(rows, row, index);
            if (sample == 0)
                lab[0] = (float)value * 100 / (!is_deep ? 255 : rows->is_icc_lab ? 65280 : 65535);
            else if (rows->is_icc_lab)
                lab[sample] = is_deep ? (float)value / 256 - 128 : (float)value - 128;
            else
                lab[sample] = is_deep ? (float)(int16_t)value / 256 : (float)(int8_t)value;
        }
        float middle = (lab[0] + 16) / 116;
        float f[3] = {middle + lab[1] / 500, middle, middle - lab[2] / 200};
        float xyz[3];
        for (int axis = 0; axis < 3; axis++) {
            float cube = f[axis] * f[axis] * f[axis];
            xyz[axis] =
                white[axis] * (f[axis] > 6.f / 29 ? cube : (f[axis] - 4.f / 29) * 108 / 841);
        }
        for (int color = 0; color < 3; color++) {
            float value = matrix[color][0] * xyz[0] + matrix[color][1] * xyz[1] +
                          matrix[color][2] * xyz[2];
            value = fminf(fmaxf(value, 0), 1);
            // The sRGB transfer function, IEC 61966-2-1.
            value = value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
            target[3 * x + (size_t)color] = (uint16_t)(value * 65535 + 0.5f);
        }
    }
}

void tiff_rows_convert(
    const tiff_rows *rows, const uint8_t *const *planes, void *target, size_t width) {
    if (rows->kind == TIFF_LAB) {
        convert_lab(rows, planes, target, width);
        return;
    }
    if (rows->layout == CCODECS_TIFF_RGB_FLOAT || rows->layout == CCODECS_TIFF_RGBA_FLOAT) {
        convert_floats(rows, planes, target, width);
        return;
    }
    int is_deep = rows->layout == CCODECS_TIFF_GRAY16 || rows->layout == CCODECS_TIFF_RGB16 ||
                  rows->layout == CCODECS_TIFF_RGBA16;
    int is_plain = !rows->is_separate && !rows->is_inverted && !rows->is_signed &&
                   !rows->is_float && rows->kind != TIFF_PALETTE &&
                   rows->alpha != TIFF_PREMULTIPLIED && rows->bits == (is_deep ? 16 : 8) &&
                   rows->samples == tiff_rows_used(rows) &&
                   !(rows->kind == TIFF_GRAY && rows->alpha != TIFF_NO_ALPHA);
    if (is_plain) {
        memcpy(target, planes[0], width * (size_t)rows->samples * (is_deep ? 2 : 1));
        return;
    }
    for (size_t x = 0; x < width; x++) {
        pixel source = read_pixel(rows, planes, x, is_deep ? 65535 : 255);
        write_pixel(rows, &source, target, x);
    }
}
