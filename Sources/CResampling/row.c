#include "include/cresampling.h"

#include <string.h>

typedef float f4 __attribute__((vector_size(16)));
typedef float f8 __attribute__((vector_size(32)));
typedef int32_t i4 __attribute__((vector_size(16)));
typedef uint8_t u8x8 __attribute__((vector_size(8)));

// What the machine has is asked once, when the program is loaded.
#if defined(__x86_64__)
#define FASTEST __attribute__((target_clones("arch=haswell", "default")))
#else
#define FASTEST
#endif

/// The sum of rows, each with its weight: eight samples at a time, four times.
FASTEST
static void sum_rows(const uint8_t *const *rows, const float *weights, int taps, size_t samples,
                     float *line) {
    size_t i = 0;
    for (; i + 32 <= samples; i += 32) {
        f8 a = {0}, b = {0}, c = {0}, d = {0};
        for (int k = 0; k < taps; k++) {
            const uint8_t *row = rows[k] + i;
            u8x8 p, q, r, s;
            memcpy(&p, row, 8);
            memcpy(&q, row + 8, 8);
            memcpy(&r, row + 16, 8);
            memcpy(&s, row + 24, 8);
            float weight = weights[k];
            a += weight * __builtin_convertvector(p, f8);
            b += weight * __builtin_convertvector(q, f8);
            c += weight * __builtin_convertvector(r, f8);
            d += weight * __builtin_convertvector(s, f8);
        }
        memcpy(line + i, &a, 32);
        memcpy(line + i + 8, &b, 32);
        memcpy(line + i + 16, &c, 32);
        memcpy(line + i + 24, &d, 32);
    }
    for (; i < samples; i++) {
        float sum = 0;
        for (int k = 0; k < taps; k++) sum += weights[k] * (float)rows[k][i];
        line[i] = sum;
    }
}

static void sum_light(const uint8_t *const *rows, const float *weights, int taps, size_t samples,
                      const float *light, float *line) {
    for (size_t i = 0; i < samples; i++) {
        float sum = 0;
        for (int k = 0; k < taps; k++) sum += weights[k] * light[rows[k][i]];
        line[i] = sum;
    }
}

/// A value that a filter with negative weights has given, within `most`.
static inline uint32_t limited(float value, uint32_t most) {
    int32_t rounded = (int32_t)(value + 0.5f);
    return value <= 0 ? 0 : (uint32_t)rounded > most ? most : (uint32_t)rounded;
}

FASTEST
void cresampling_row(const uint8_t *const *rows, const float *weights, int taps, size_t width,
                     const struct cresampling_axis *across, size_t count, const float *light,
                     const uint8_t *bytes, int light_steps, float *line, uint32_t *out) {
    if (light)
        sum_light(rows, weights, taps, width * 4, light, line);
    else
        sum_rows(rows, weights, taps, width * 4, line);
    for (size_t x = 0; x < count; x++) {
        const float *samples = line + (size_t)across->first[x] * 4;
        const float *weight = across->weights + x * (size_t)across->taps;
        // Two sums, so that one addition need not wait for the other.
        f4 even = {0}, odd = {0};
        int k = 0;
        for (; k + 2 <= across->taps; k += 2) {
            f4 p, q;
            memcpy(&p, samples + k * 4, 16);
            memcpy(&q, samples + k * 4 + 4, 16);
            even += weight[k] * p;
            odd += weight[k + 1] * q;
        }
        if (k < across->taps) {
            f4 p;
            memcpy(&p, samples + k * 4, 16);
            even += weight[k] * p;
        }
        f4 sum = even + odd;
        if (light) {
            uint32_t most = (uint32_t)light_steps - 1;
            out[x] = 0xff000000u | (uint32_t)bytes[limited(sum[2], most)] << 16 |
                     (uint32_t)bytes[limited(sum[1], most)] << 8 | bytes[limited(sum[0], most)];
        } else {
            // No colour is more than its alpha.
            uint32_t alpha = limited(sum[3], 255);
            out[x] = alpha << 24 | limited(sum[2], alpha) << 16 | limited(sum[1], alpha) << 8 |
                     limited(sum[0], alpha);
        }
    }
}
