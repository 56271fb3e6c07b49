// Blends premultiplied pixels over others. All sets of instructions give the same pixels.
#include "cpainting.h"

#include <string.h>

#include "avx2.h"
#include "sets.h"
#include "simd.h"

/// Multiplies four channels by `share`/255 and rounds to nearest: (p + (p >> 8)) >> 8 with p = x ·
/// share + 128 for each.
static inline uint32_t scaled(uint32_t pixel, uint32_t share) {
    uint32_t even = (pixel & 0xFF00FF) * share + 0x800080;
    uint32_t odd = (pixel >> 8 & 0xFF00FF) * share + 0x800080;
    even = (even + (even >> 8 & 0xFF00FF)) >> 8 & 0xFF00FF;
    odd = (odd + (odd >> 8 & 0xFF00FF)) & 0xFF00FF00;
    return even | odd;
}

/// The sum of four channels, each limited to 255: colours that are brighter than their alpha allows
/// must not overflow into the next channel.
static inline uint32_t sum(uint32_t a, uint32_t b) {
    uint32_t even = (a & 0xFF00FF) + (b & 0xFF00FF);
    uint32_t odd = (a >> 8 & 0xFF00FF) + (b >> 8 & 0xFF00FF);
    even = (even | (0x1000100 - (even >> 8 & 0xFF00FF))) & 0xFF00FF;
    odd = (odd | (0x1000100 - (odd >> 8 & 0xFF00FF))) & 0xFF00FF;
    return even | odd << 8;
}

/// `below` may be the same as `target`.
static size_t over_portable(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int opacity,
    int streams) {
    (void)streams;
    for (size_t index = 0; index < count; index++) {
        uint32_t above, under;
        memcpy(&above, source + index * 4, 4);
        memcpy(&under, below + index * 4, 4);
        if (opacity < 255) above = scaled(above, (uint32_t)opacity);
        under = sum(above, scaled(under, 255 - (above >> 24)));
        memcpy(target + index * 4, &under, 4);
    }
    return count;
}

#if HAS_SIMD

/// Writes four pixels; with `streams`, to an address that is a multiple of 16, past the caches.
SIMD_INLINE void write_four(uint8_t *to, simd_bytes pixels, const int streams) {
    if (streams)
        simd_stream(to, pixels);
    else
        simd_store(to, pixels);
}

/// Blends whole groups of four pixels, and returns how many pixels it blended.
SIMD_INLINE size_t over_fours(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count,
    int opacity, const int streams) {
    const simd_bytes share = (simd_bytes){0} + (uint8_t)opacity;
    size_t index = 0;
    for (; index + 4 <= count; index += 4) {
        simd_bytes above = simd_load(source + index * 4);
        if (opacity < 255) above = simd_scaled(above, share);
        simd_bytes under = simd_scaled(simd_load(below + index * 4), ~simd_alphas(above));
        write_four(target + index * 4, simd_sum(above, under), streams);
    }
    return index;
}

SIMD_TARGET static size_t over_simd(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int opacity,
    int streams) {
    // Each call has a loop of its own.
    if (opacity < 255)
        return streams ? over_fours(target, below, source, count, opacity, 1)
                       : over_fours(target, below, source, count, opacity, 0);
    return streams ? over_fours(target, below, source, count, 255, 1)
                   : over_fours(target, below, source, count, 255, 0);
}

#endif

#if defined(__x86_64__)

/// Writes eight pixels; with `streams`, to an address that is a multiple of 32, past the caches.
AVX2_INLINE void write_eight(uint8_t *to, __m256i pixels, const int streams) {
    if (streams)
        _mm256_stream_si256((__m256i *)to, pixels);
    else
        _mm256_storeu_si256((__m256i *)to, pixels);
}

/// Multiplies sixteen channels of 16 bits by `shares`/255.
AVX2_INLINE __m256i scaled16(__m256i channels, __m256i shares) {
    __m256i product = _mm256_add_epi16(
        _mm256_mullo_epi16(channels, shares), _mm256_set1_epi16(128));
    // (p + (p >> 8)) >> 8 is the upper half of p · 257.
    return _mm256_mulhi_epu16(product, _mm256_set1_epi16(257));
}

/// Multiplies the channels of eight pixels by weights in 1/255. `low` and `high` have the weights
/// in the order of the unpack instructions.
AVX2_INLINE __m256i scaled8(__m256i pixels, __m256i low, __m256i high) {
    const __m256i zero = _mm256_setzero_si256();
    return _mm256_packus_epi16(
        scaled16(_mm256_unpacklo_epi8(pixels, zero), low),
        scaled16(_mm256_unpackhi_epi8(pixels, zero), high));
}

/// Blends whole groups of eight pixels, and returns how many pixels it blended.
AVX2_INLINE size_t over_eights(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count,
    int opacity, const int streams) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i alphas = _mm256_setr_epi8(
        3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11,
        11, 15, 15, 15, 15);
    const __m256i share = _mm256_set1_epi16((short)opacity);
    size_t index = 0;
    for (; index + 8 <= count; index += 8) {
        __m256i above = _mm256_loadu_si256((const __m256i *)(source + index * 4));
        if (opacity < 255) above = scaled8(above, share, share);
        __m256i inverse =
            _mm256_xor_si256(_mm256_shuffle_epi8(above, alphas), _mm256_set1_epi8(-1));
        __m256i under = _mm256_loadu_si256((const __m256i *)(below + index * 4));
        under = scaled8(
            under, _mm256_unpacklo_epi8(inverse, zero), _mm256_unpackhi_epi8(inverse, zero));
        __m256i pixels = _mm256_adds_epu8(above, under);
        write_eight(target + index * 4, pixels, streams);
    }
    return index;
}

AVX2_TARGET static size_t over_avx2(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int opacity,
    int streams) {
    // Each call has a loop of its own.
    if (opacity < 255)
        return streams ? over_eights(target, below, source, count, opacity, 1)
                       : over_eights(target, below, source, count, opacity, 0);
    return streams ? over_eights(target, below, source, count, 255, 1)
                   : over_eights(target, below, source, count, 255, 0);
}

#endif

// MARK: Opaque pixels

// An opaque pixel needs one product instead of two: below + (above − below) · share, with the share
// in 1/32768, rounded to nearest.

static size_t mix_portable(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int share,
    int streams) {
    (void)streams;
    for (size_t index = 0; index < count * 4; index++) {
        int difference = source[index] - below[index];
        target[index] = (uint8_t)(below[index] + ((difference * share + (1 << 14)) >> 15));
    }
    return count;
}

#if HAS_SIMD

SIMD_INLINE size_t mix_fours(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int share,
    const int streams) {
    const simd_shorts shares = (simd_shorts){0} + (int16_t)share;
    size_t index = 0;
    for (; index + 4 <= count; index += 4) {
        simd_bytes above = simd_load(source + index * 4), under = simd_load(below + index * 4);
        simd_shorts low = simd_low_shorts(under), high = simd_high_shorts(under);
        low += simd_product(simd_low_shorts(above) - low, shares);
        high += simd_product(simd_high_shorts(above) - high, shares);
        simd_bytes pixels = simd_packed(low, high);
        write_four(target + index * 4, pixels, streams);
    }
    return index;
}

SIMD_TARGET static size_t mix_simd(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int share,
    int streams) {
    return streams ? mix_fours(target, below, source, count, share, 1)
                   : mix_fours(target, below, source, count, share, 0);
}

#endif

#if defined(__x86_64__)

AVX2_INLINE size_t mix_eights(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int share,
    const int streams) {
    const __m256i zero = _mm256_setzero_si256(), shares = _mm256_set1_epi16((short)share);
    size_t index = 0;
    for (; index + 8 <= count; index += 8) {
        __m256i above = _mm256_loadu_si256((const __m256i *)(source + index * 4));
        __m256i under = _mm256_loadu_si256((const __m256i *)(below + index * 4));
        __m256i low = _mm256_unpacklo_epi8(under, zero), high = _mm256_unpackhi_epi8(under, zero);
        __m256i more_low = _mm256_sub_epi16(_mm256_unpacklo_epi8(above, zero), low);
        __m256i more_high = _mm256_sub_epi16(_mm256_unpackhi_epi8(above, zero), high);
        __m256i pixels = _mm256_packus_epi16(
            _mm256_add_epi16(low, _mm256_mulhrs_epi16(more_low, shares)),
            _mm256_add_epi16(high, _mm256_mulhrs_epi16(more_high, shares)));
        write_eight(target + index * 4, pixels, streams);
    }
    return index;
}

AVX2_TARGET static size_t mix_avx2(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int share,
    int streams) {
    return streams ? mix_eights(target, below, source, count, share, 1)
                   : mix_eights(target, below, source, count, share, 0);
}

#endif

// MARK: Any set

/// Blends pixels, and returns how many it blended. `weight` is an opacity in 1/255, or in 1/32768 for opaque
/// pixels.
typedef size_t blend_function(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, int weight,
    int streams);

void cpainting_over(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, uint32_t opacity,
    int is_opaque, enum cpainting_kernel kernel) {
    const int mixes = is_opaque && opacity < 255;
    const int weight = mixes ? (int)(opacity * 32768 + 127) / 255 : (int)opacity;
    blend_function *slow = mixes ? mix_portable : over_portable, *fast = NULL;
    uintptr_t aligned = 15;
    switch (supported_set(kernel)) {
#if defined(__x86_64__)
    case CPAINTING_AVX2: fast = mixes ? mix_avx2 : over_avx2, aligned = 31; break;
#endif
#if HAS_SIMD
    case CPAINTING_SIMD: fast = mixes ? mix_simd : over_simd; break;
#endif
    default: break;
    }
    size_t done = 0;
    if (fast != NULL) {
        // Bypass the caches if the target can be aligned and its old pixels are not read.
        int streams = target != below && ((uintptr_t)target & 3) == 0;
        if (streams) done = (-(uintptr_t)target & aligned) / 4;
        if (done > count) done = count;
        slow(target, below, source, done, weight, 0);
        size_t from = done * 4;
        done += fast(target + from, below + from, source + from, count - done, weight, streams);
    }
    size_t from = done * 4;
    slow(target + from, below + from, source + from, count - done, weight, 0);
}
