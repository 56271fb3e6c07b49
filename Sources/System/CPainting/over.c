// Blends premultiplied pixels over others. The portable code and the AVX2 code give the same
// pixels.
#include "cpainting.h"

#include <string.h>

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
static void over_portable(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count,
    uint32_t opacity) {
    for (size_t index = 0; index < count; index++) {
        uint32_t above, under;
        memcpy(&above, source + index * 4, 4);
        memcpy(&under, below + index * 4, 4);
        if (opacity < 255) above = scaled(above, opacity);
        under = sum(above, scaled(under, 255 - (above >> 24)));
        memcpy(target + index * 4, &under, 4);
    }
}

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/// Multiplies sixteen channels of 16 bits by `shares`/255.
AVX2 static inline __m256i scaled16(__m256i channels, __m256i shares) {
    __m256i product = _mm256_add_epi16(
        _mm256_mullo_epi16(channels, shares), _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(product, _mm256_srli_epi16(product, 8)), 8);
}

/// Multiplies the channels of eight pixels by weights in 1/255. `low` and `high` have the weights
/// in the order of the unpack instructions.
AVX2 static inline __m256i scaled8(__m256i pixels, __m256i low, __m256i high) {
    const __m256i zero = _mm256_setzero_si256();
    return _mm256_packus_epi16(
        scaled16(_mm256_unpacklo_epi8(pixels, zero), low),
        scaled16(_mm256_unpackhi_epi8(pixels, zero), high));
}

AVX2 static void over_avx2(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count,
    uint32_t opacity) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i alphas = _mm256_setr_epi8(
        3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11,
        11, 15, 15, 15, 15);
    const __m256i share = _mm256_set1_epi16((short)opacity);
    size_t index = 0;
    if (target != below) {
        size_t lead = (32 - ((uintptr_t)target & 31)) % 32 / 4;
        index = lead < count ? lead : count;
        over_portable(target, below, source, index, opacity);
    }
    // Bypass the caches if the target is aligned and its old pixels are not read.
    int streams = target != below && ((uintptr_t)(target + index * 4) & 31) == 0;
    for (; index + 8 <= count; index += 8) {
        __m256i above = _mm256_loadu_si256((const __m256i *)(source + index * 4));
        if (opacity < 255) above = scaled8(above, share, share);
        __m256i inverse =
            _mm256_xor_si256(_mm256_shuffle_epi8(above, alphas), _mm256_set1_epi8(-1));
        __m256i under = _mm256_loadu_si256((const __m256i *)(below + index * 4));
        under = scaled8(
            under, _mm256_unpacklo_epi8(inverse, zero), _mm256_unpackhi_epi8(inverse, zero));
        __m256i pixels = _mm256_adds_epu8(above, under);
        __m256i *place = (__m256i *)(target + index * 4);
        if (streams)
            _mm256_stream_si256(place, pixels);
        else
            _mm256_storeu_si256(place, pixels);
    }
    over_portable(
        target + index * 4, below + index * 4, source + index * 4, count - index, opacity);
}

#endif

void cpainting_over(
    uint8_t *target, const uint8_t *below, const uint8_t *source, size_t count, uint32_t opacity,
    enum cpainting_kernel kernel) {
#if defined(__x86_64__)
    if (kernel == CPAINTING_BEST && __builtin_cpu_supports("avx2")) {
        over_avx2(target, below, source, count, opacity);
        return;
    }
#endif
    over_portable(target, below, source, count, opacity);
}
