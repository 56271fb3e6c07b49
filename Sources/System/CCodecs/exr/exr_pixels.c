#if __has_include(<OpenEXR/openexr.h>)

#include "exr_pixels.h"

#include <string.h>

/// Number of the channel `name` of a layer; -1 if there is none. `layer` is the prefix of the
/// layer's channel names.
static int find(const exr_attr_chlist_t *list, const char *layer, int length, const char *name) {
    for (int index = 0; index < list->num_channels; index++) {
        const exr_attr_string_t *full = &list->entries[index].name;
        if (full->length == length + (int)strlen(name) &&
            memcmp(full->str, layer, (size_t)length) == 0 && strcmp(full->str + length, name) == 0)
            return index;
    }
    return -1;
}

/// Selects the channels of a layer that are shown. Returns 0 if there are none.
static int pick_layer(
    const exr_attr_chlist_t *list, const char *layer, int length, ccodecs_exr_picks *picks) {
    static const char *const names[2][3] = {{"R", "G", "B"}, {"Y", "RY", "BY"}};
    int found[2][3];
    for (int kind = 0; kind < 2; kind++)
        for (int index = 0; index < 3; index++)
            found[kind][index] = find(list, layer, length, names[kind][index]);
    int is_color = found[0][0] >= 0 || found[0][1] >= 0 || found[0][2] >= 0;
    if (!is_color && found[1][0] < 0) return 0;
    int has_chroma = found[1][1] >= 0 && found[1][2] >= 0;
    picks->kind = is_color     ? CCODECS_EXR_RGB
                  : has_chroma ? CCODECS_EXR_LUMA_CHROMA
                               : CCODECS_EXR_GRAY;
    for (int index = 0; index < 3; index++)
        picks->channels[index] =
            picks->kind == CCODECS_EXR_GRAY && index > 0 ? -1 : found[!is_color][index];
    picks->channels[3] = find(list, layer, length, "A");
    return 1;
}

int ccodecs_exr_pick(const exr_attr_chlist_t *list, ccodecs_exr_picks *picks) {
    if (list->num_channels < 1) return 0;
    int is_found = pick_layer(list, "", 0, picks);
    for (int index = 0; index < list->num_channels && !is_found; index++) {
        const char *name = list->entries[index].name.str, *dot = strrchr(name, '.');
        if (dot) is_found = pick_layer(list, name, (int)(dot - name) + 1, picks);
    }
    if (!is_found) *picks = (ccodecs_exr_picks){CCODECS_EXR_GRAY, 3, {0, -1, -1, -1}, {0}, {0}};
    picks->samples = picks->channels[3] >= 0 ? 4 : 3;
    for (int slot = 0; slot < 4; slot++) {
        int index = picks->channels[slot];
        picks->x_sampling[slot] = index >= 0 ? list->entries[index].x_sampling : 1;
        picks->y_sampling[slot] = index >= 0 ? list->entries[index].y_sampling : 1;
        if (picks->x_sampling[slot] < 1 || picks->y_sampling[slot] < 1) return 0;
    }
    return 1;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// Decodes a float of 16 bits (IEEE 754 half precision).
static float half(uint16_t bits) {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, rest = bits & 0x7FFF;
    if (rest >= 0x7C00) return float_of(sign | 0x7F800000 | (rest & 0x3FF) << 13);
    // The exponent is too small by the difference of the two biases, 112. The product is correct
    // for subnormal numbers too.
    return float_of(sign | rest << 13) * 0x1p112f;
}

static float sample(const uint8_t *place, int type) {
    if (type == EXR_PIXEL_HALF) return half((uint16_t)(place[0] | place[1] << 8));
    uint32_t bits = (uint32_t)place[0] | (uint32_t)place[1] << 8 | (uint32_t)place[2] << 16 |
                    (uint32_t)place[3] << 24;
    return type == EXR_PIXEL_FLOAT ? float_of(bits) : (float)bits;
}

/// Writes a row of a channel.
static void put_row(
    const ccodecs_exr_target *target, const exr_coding_channel_info_t *channel, int slot, int y,
    const uint8_t *samples) {
    int samples_a_pixel = target->picks->samples, apart = channel->x_samples;
    float *row = target->pixels + ((size_t)y * (size_t)target->width) * (size_t)samples_a_pixel;
    for (int index = 0; index < channel->width; index++) {
        int64_t x = target->x + (int64_t)index * apart;
        if (x >= target->width) return;
        row[x * samples_a_pixel + slot] =
            sample(samples + (size_t)index * (size_t)channel->bytes_per_element, channel->data_type);
    }
}

int ccodecs_exr_put(
    const ccodecs_exr_target *target, const exr_coding_channel_info_t *channels, int count,
    const uint8_t *samples, uint64_t length) {
    if (!samples) return 0;
    for (int row = 0; row < target->rows; row++) {
        int y = target->y + row;
        for (int index = 0; index < count; index++) {
            const exr_coding_channel_info_t *channel = &channels[index];
            if (channel->y_samples > 1 && (target->origin_y + y) % channel->y_samples != 0) continue;
            uint64_t wanted = (uint64_t)channel->width * (uint64_t)channel->bytes_per_element;
            if (channel->width < 0 || wanted > length) return 0;
            for (int slot = 0; slot < target->picks->samples && y < target->height; slot++)
                if (target->picks->channels[slot] == index)
                    put_row(target, channel, slot, y, samples);
            samples += wanted;
            length -= wanted;
        }
    }
    return 1;
}

/// Interpolates linearly between the samples of a subsampled channel.
static void spread(
    float *pixels, size_t width, size_t height, size_t step, size_t across, size_t down) {
    for (size_t y = 0; y < height && across > 1; y += down)
        for (size_t x = 0; x < width; x++) {
            float *row = pixels + y * width * step;
            size_t left = x / across * across, right = left + across;
            float weight = (float)(x - left) / (float)across, from = row[left * step];
            if (x > left)
                row[x * step] = right < width ? from + (row[right * step] - from) * weight : from;
        }
    for (size_t y = 0; y < height && down > 1; y++) {
        size_t upper = y / down * down, lower = upper + down;
        if (y == upper) continue;
        float weight = (float)(y - upper) / (float)down;
        const float *above = pixels + upper * width * step, *below = pixels + lower * width * step;
        for (size_t x = 0; x < width; x++) {
            float from = above[x * step];
            pixels[(y * width + x) * step] =
                lower < height ? from + (below[x * step] - from) * weight : from;
        }
    }
}

void ccodecs_exr_make_colors(
    const ccodecs_exr_picks *picks, const double *weights, float *pixels, size_t width,
    size_t height) {
    size_t step = (size_t)picks->samples;
    for (int slot = 0; slot < picks->samples; slot++)
        spread(
            pixels + slot, width, height, step, (size_t)picks->x_sampling[slot],
            (size_t)picks->y_sampling[slot]);
    if (picks->kind == CCODECS_EXR_RGB) return;
    for (size_t index = 0; index < width * height; index++) {
        float *pixel = pixels + index * step;
        float luma = pixel[0], red = luma, blue = luma;
        if (picks->kind == CCODECS_EXR_LUMA_CHROMA) {
            red = (pixel[1] + 1) * luma;
            blue = (pixel[2] + 1) * luma;
            double rest = luma - red * weights[0] - blue * weights[2];
            luma = weights[1] > 0 ? (float)(rest / weights[1]) : luma;
        }
        pixel[0] = red;
        pixel[1] = luma;
        pixel[2] = blue;
    }
}

#endif
