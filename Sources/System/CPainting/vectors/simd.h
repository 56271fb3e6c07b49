// Instructions for vectors of 16 bytes under one name for each: SSSE3 on x86-64, NEON on aarch64. A
// kernel that uses only these names has one source for both.
#ifndef SIMD_H
#define SIMD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <tmmintrin.h>
#define HAS_SIMD 1
#define SIMD_TARGET __attribute__((target("ssse3")))
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)
#include <arm_neon.h>
#define HAS_SIMD 1
#define SIMD_TARGET
#else
#define HAS_SIMD 0
#endif

#if HAS_SIMD

#define SIMD_INLINE SIMD_TARGET static inline __attribute__((always_inline))

typedef uint8_t simd_bytes __attribute__((vector_size(16)));
typedef int16_t simd_shorts __attribute__((vector_size(16)));
typedef int32_t simd_ints __attribute__((vector_size(16)));
typedef uint32_t simd_uints __attribute__((vector_size(16)));

SIMD_INLINE simd_bytes simd_load(const void *from) {
    simd_bytes result;
    memcpy(&result, from, sizeof result);
    return result;
}

/// Loads from an address that is a multiple of 16, so that x86-64 needs no separate instruction.
SIMD_INLINE simd_bytes simd_load_aligned(const void *from) {
    return *(const simd_bytes *)from;
}

SIMD_INLINE void simd_store(void *to, simd_bytes value) { memcpy(to, &value, sizeof value); }

/// Stores to an address that is a multiple of 16, past the caches on x86-64. Processors with NEON
/// notice by themselves that whole cache lines are written.
SIMD_INLINE void simd_stream(void *to, simd_bytes value) {
#if defined(__x86_64__)
    _mm_stream_si128((__m128i *)to, (__m128i)value);
#else
    memcpy(__builtin_assume_aligned(to, 16), &value, sizeof value);
#endif
}

/// Makes streamed stores visible to other threads.
static inline void simd_fence(void) {
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

/// The sign of interpolated values between the horizontal and the vertical step.
#if defined(__x86_64__)
#define SIMD_SIGN (-1)
#else
#define SIMD_SIGN 1
#endif

/// Interpolated channels of four pixels, between the horizontal and the vertical step: 128 · value,
/// negated on x86-64.
///
/// SSSE3 multiplies unsigned bytes by signed ones only. The weight 128 is no signed byte; the weight
/// −128 is.
struct simd_four {
    simd_shorts low, high;
};

/// Weights of four pixels and of their right neighbours, as `simd_across` needs them.
struct simd_weights {
    simd_bytes low, high;
};

/// Repeats the lower halves of four numbers four times each.
SIMD_INLINE struct simd_four simd_repeated(simd_ints numbers) {
    const simd_bytes low = {0, 1, 0, 1, 0, 1, 0, 1, 4, 5, 4, 5, 4, 5, 4, 5};
#if defined(__x86_64__)
    __m128i first = (__m128i)low, second = (__m128i)(low + 8);
    // If compilers know the orders, they replace each of these instructions by two.
    __asm__("" : "+x"(first), "+x"(second));
    return (struct simd_four){
        (simd_shorts)_mm_shuffle_epi8((__m128i)numbers, first),
        (simd_shorts)_mm_shuffle_epi8((__m128i)numbers, second)};
#else
    return (struct simd_four){
        (simd_shorts)vqtbl1q_u8((uint8x16_t)numbers, (uint8x16_t)low),
        (simd_shorts)vqtbl1q_u8((uint8x16_t)numbers, (uint8x16_t)(low + 8))};
#endif
}

/// Makes weights. `shares` has one number for each pixel: the weight of the right neighbour in 1/128.
SIMD_INLINE struct simd_weights simd_weights_of(simd_ints shares) {
#if defined(__x86_64__)
    // One byte for each of the pair: 128 − share and share, both negated.
    struct simd_four pairs = simd_repeated((simd_ints)_mm_add_epi16(
        _mm_mullo_epi16((__m128i)shares, _mm_set1_epi32(0xff01)), _mm_set1_epi32(0x80)));
    return (struct simd_weights){(simd_bytes)pairs.low, (simd_bytes)pairs.high};
#else
    simd_bytes right = (simd_bytes)vmulq_n_u32((uint32x4_t)shares, 0x01010101);
    return (struct simd_weights){128 - right, right};
#endif
}

/// Weights from a table of two bytes for each pixel: its own weight and that of its neighbour.
/// `part` is 0 for pixels 0 to 3, 1 for pixels 4 to 7.
SIMD_INLINE struct simd_weights simd_weights_at(simd_bytes table, const int part) {
#if defined(__x86_64__)
    __m128i negated = _mm_sub_epi8(_mm_setzero_si128(), (__m128i)table);
    __m128i twice =
        part ? _mm_unpackhi_epi16(negated, negated) : _mm_unpacklo_epi16(negated, negated);
    return (struct simd_weights){
        (simd_bytes)_mm_shuffle_epi32(twice, 0x50), (simd_bytes)_mm_shuffle_epi32(twice, 0xFA)};
#else
    const uint8x16_t left = {0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6};
    uint8x16_t own = vqtbl1q_u8((uint8x16_t)table, vaddq_u8(left, vdupq_n_u8((uint8_t)part * 8)));
    return (struct simd_weights){(simd_bytes)own, 128 - (simd_bytes)own};
#endif
}

/// Two adjacent pixels at each of two addresses.
SIMD_INLINE simd_bytes simd_pairs(const void *low, const void *high) {
#if defined(__x86_64__)
    return (simd_bytes)_mm_castps_si128(_mm_loadh_pi(
        _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)low)), (const __m64 *)high));
#else
    return (simd_bytes)vcombine_u8(vld1_u8(low), vld1_u8(high));
#endif
}

/// Interpolates four pixels with their right neighbours. Each pair is a pixel and its neighbour.
SIMD_INLINE struct simd_four simd_across(
    simd_bytes first_pairs, simd_bytes last_pairs, struct simd_weights weights) {
#if defined(__x86_64__)
    const __m128i order = _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    return (struct simd_four){
        (simd_shorts)_mm_maddubs_epi16(
            _mm_shuffle_epi8((__m128i)first_pairs, order), (__m128i)weights.low),
        (simd_shorts)_mm_maddubs_epi16(
            _mm_shuffle_epi8((__m128i)last_pairs, order), (__m128i)weights.high)};
#else
    uint32x4_t first = (uint32x4_t)first_pairs, last = (uint32x4_t)last_pairs;
    uint8x16_t left = vreinterpretq_u8_u32(vuzp1q_u32(first, last));
    uint8x16_t right = vreinterpretq_u8_u32(vuzp2q_u32(first, last));
    uint8x16_t own = (uint8x16_t)weights.low, other = (uint8x16_t)weights.high;
    return (struct simd_four){
        (simd_shorts)vmlal_u8(
            vmull_u8(vget_low_u8(left), vget_low_u8(own)), vget_low_u8(right),
            vget_low_u8(other)),
        (simd_shorts)vmlal_high_u8(vmull_high_u8(left, own), right, other)};
#endif
}

/// Interpolates two rows vertically. `shares` is the weight of the lower row in 1/32768.
SIMD_INLINE simd_bytes simd_down(
    struct simd_four upper, struct simd_four lower, struct simd_four shares) {
#if defined(__x86_64__)
    // Both numbers are negated: the difference is that of the positive numbers, and rounds as such.
    __m128i a = (__m128i)upper.low, b = (__m128i)upper.high;
    a = _mm_sub_epi16(
        a, _mm_mulhrs_epi16(_mm_sub_epi16(a, (__m128i)lower.low), (__m128i)shares.low));
    b = _mm_sub_epi16(
        b, _mm_mulhrs_epi16(_mm_sub_epi16(b, (__m128i)lower.high), (__m128i)shares.high));
    // (128 · value + 64) / 128: the rounded product with −256/32768.
    const __m128i scale = _mm_set1_epi16(-256);
    return (simd_bytes)_mm_packus_epi16(_mm_mulhrs_epi16(a, scale), _mm_mulhrs_epi16(b, scale));
#else
    int16x8_t a = (int16x8_t)upper.low, b = (int16x8_t)upper.high;
    a = vaddq_s16(
        a, vqrdmulhq_s16(vsubq_s16((int16x8_t)lower.low, a), (int16x8_t)shares.low));
    b = vaddq_s16(
        b, vqrdmulhq_s16(vsubq_s16((int16x8_t)lower.high, b), (int16x8_t)shares.high));
    return (simd_bytes)vqrshrun_high_n_s16(vqrshrun_n_s16(a, 7), b, 7);
#endif
}

/// Multiplies sixteen bytes by weights in 1/255 and rounds to nearest: (p + (p >> 8)) >> 8 with p =
/// byte · weight + 128.
SIMD_INLINE simd_bytes simd_scaled(simd_bytes bytes, simd_bytes weights) {
#if defined(__x86_64__)
    const __m128i zero = _mm_setzero_si128();
    const __m128i half = _mm_set1_epi16(128), over255 = _mm_set1_epi16(257);
    __m128i low = _mm_mullo_epi16(
        _mm_unpacklo_epi8((__m128i)bytes, zero), _mm_unpacklo_epi8((__m128i)weights, zero));
    __m128i high = _mm_mullo_epi16(
        _mm_unpackhi_epi8((__m128i)bytes, zero), _mm_unpackhi_epi8((__m128i)weights, zero));
    // (p + (p >> 8)) >> 8 is the upper half of p · 257.
    return (simd_bytes)_mm_packus_epi16(
        _mm_mulhi_epu16(_mm_add_epi16(low, half), over255),
        _mm_mulhi_epu16(_mm_add_epi16(high, half), over255));
#else
    uint8x16_t a = (uint8x16_t)bytes, b = (uint8x16_t)weights;
    uint16x8_t low = vmull_u8(vget_low_u8(a), vget_low_u8(b)), high = vmull_high_u8(a, b);
    low = vrsraq_n_u16(low, low, 8);
    high = vrsraq_n_u16(high, high, 8);
    return (simd_bytes)vrshrn_high_n_u16(vrshrn_n_u16(low, 8), high, 8);
#endif
}

/// Offsets in pixels of four rows and columns, which have less than 16 bits each; `stride` is in pixels.
SIMD_INLINE simd_ints simd_offsets(
    simd_ints rows, simd_ints columns, ptrdiff_t stride, const int is_wide) {
#if defined(__x86_64__)
    // The pair instruction multiplies signed numbers of 16 bits: with `stride` in two parts.
    __m128i both = _mm_or_si128((__m128i)rows, _mm_slli_epi32((__m128i)columns, 16));
    __m128i offsets = _mm_madd_epi16(both, _mm_set1_epi32((int)(stride & 0x7fff) | 1 << 16));
    if (is_wide) {
        __m128i upper = _mm_madd_epi16((__m128i)rows, _mm_set1_epi32((int)(stride >> 15)));
        offsets = _mm_add_epi32(offsets, _mm_slli_epi32(upper, 15));
    }
    return (simd_ints)offsets;
#else
    (void)is_wide;
    return rows * (int32_t)stride + columns;
#endif
}

/// The alpha of each of four pixels, in all of its bytes.
SIMD_INLINE simd_bytes simd_alphas(simd_bytes pixels) {
#if defined(__x86_64__)
    const __m128i alphas = _mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    return (simd_bytes)_mm_shuffle_epi8((__m128i)pixels, alphas);
#else
    const uint8x16_t alphas = {3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15};
    return (simd_bytes)vqtbl1q_u8((uint8x16_t)pixels, alphas);
#endif
}

/// Sums of bytes, limited to 255.
SIMD_INLINE simd_bytes simd_sum(simd_bytes a, simd_bytes b) {
#if defined(__x86_64__)
    return (simd_bytes)_mm_adds_epu8((__m128i)a, (__m128i)b);
#else
    return (simd_bytes)vqaddq_u8((uint8x16_t)a, (uint8x16_t)b);
#endif
}

/// Interpolates eight samples with their right neighbours: 128 · value, negated on x86-64. `order` and
/// `weights` are those of `planar_simd_set_part`.
SIMD_INLINE simd_shorts simd_sums(simd_bytes samples, simd_bytes order, simd_bytes weights) {
#if defined(__x86_64__)
    return (simd_shorts)_mm_maddubs_epi16(
        _mm_shuffle_epi8((__m128i)samples, (__m128i)order), (__m128i)weights);
#else
    uint8x16_t both = vqtbl1q_u8((uint8x16_t)samples, (uint8x16_t)order);
    uint8x16_t shares = (uint8x16_t)weights;
    return (simd_shorts)vmlal_high_u8(
        vmull_u8(vget_low_u8(both), vget_low_u8(shares)), both, shares);
#endif
}

/// 128 · (value − 128), negated on x86-64, from results of `simd_sums`.
SIMD_INLINE simd_shorts simd_centered(simd_shorts sums) { return sums - 16384 * SIMD_SIGN; }

/// Eight samples that need no interpolation, as `simd_centered` gives them.
SIMD_INLINE simd_shorts simd_exact(const uint8_t *samples) {
    typedef uint8_t eight __attribute__((vector_size(8)));
    eight bytes;
    memcpy(&bytes, samples, sizeof bytes);
    simd_shorts values = __builtin_convertvector(bytes, simd_shorts);
    return SIMD_SIGN * ((values << 7) - 16384);
}

/// Blends two rows of `simd_sums`, or two of `simd_centered`, vertically. `weight` is that of the lower row
/// in 1/32768.
SIMD_INLINE simd_shorts simd_mixed(simd_shorts upper, simd_shorts lower, simd_shorts weight) {
#if defined(__x86_64__)
    __m128i a = (__m128i)upper;
    return (simd_shorts)_mm_sub_epi16(
        a, _mm_mulhrs_epi16(_mm_sub_epi16(a, (__m128i)lower), (__m128i)weight));
#else
    int16x8_t a = (int16x8_t)upper;
    return (simd_shorts)vaddq_s16(
        a, vqrdmulhq_s16(vsubq_s16((int16x8_t)lower, a), (int16x8_t)weight));
#endif
}

/// (a · b + 2¹⁴) / 2¹⁵, rounded down. No pair of numbers is −32768 twice.
SIMD_INLINE simd_shorts simd_product(simd_shorts a, simd_shorts b) {
#if defined(__x86_64__)
    return (simd_shorts)_mm_mulhrs_epi16((__m128i)a, (__m128i)b);
#else
    return (simd_shorts)vqrdmulhq_s16((int16x8_t)a, (int16x8_t)b);
#endif
}

/// The first, and the last, eight bytes as numbers of 16 bits.
SIMD_INLINE simd_shorts simd_low_shorts(simd_bytes bytes) {
#if defined(__x86_64__)
    return (simd_shorts)_mm_unpacklo_epi8((__m128i)bytes, _mm_setzero_si128());
#else
    return (simd_shorts)vmovl_u8(vget_low_u8((uint8x16_t)bytes));
#endif
}
SIMD_INLINE simd_shorts simd_high_shorts(simd_bytes bytes) {
#if defined(__x86_64__)
    return (simd_shorts)_mm_unpackhi_epi8((__m128i)bytes, _mm_setzero_si128());
#else
    return (simd_shorts)vmovl_high_u8((uint8x16_t)bytes);
#endif
}

/// Numbers of 16 bits as bytes; those below 0 become 0, those above 255 become 255.
SIMD_INLINE simd_bytes simd_packed(simd_shorts low, simd_shorts high) {
#if defined(__x86_64__)
    return (simd_bytes)_mm_packus_epi16((__m128i)low, (__m128i)high);
#else
    return (simd_bytes)vqmovun_high_s16(vqmovun_s16((int16x8_t)low), (int16x8_t)high);
#endif
}

/// The first, and the last, eight bytes of two vectors.
SIMD_INLINE simd_bytes simd_lower_halves(simd_bytes a, simd_bytes b) {
    return __builtin_shufflevector(
        a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
}
SIMD_INLINE simd_bytes simd_upper_halves(simd_bytes a, simd_bytes b) {
    return __builtin_shufflevector(
        a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
}

/// Limits values to bytes, and writes eight opaque pixels.
SIMD_INLINE void simd_write_pixels(
    uint8_t *out, simd_shorts blue, simd_shorts green, simd_shorts red, const int streams) {
#if defined(__x86_64__)
    __m128i first = _mm_packus_epi16((__m128i)blue, (__m128i)green);
    __m128i last = _mm_packus_epi16((__m128i)red, _mm_set1_epi16(255));
    // Blue and red, then green and alpha.
    __m128i even = _mm_unpacklo_epi8(first, last), odd = _mm_unpackhi_epi8(first, last);
    // If compilers know both steps, they replace these four instructions by eight.
    __asm__("" : "+x"(even), "+x"(odd));
    simd_bytes low = (simd_bytes)_mm_unpacklo_epi8(even, odd);
    simd_bytes high = (simd_bytes)_mm_unpackhi_epi8(even, odd);
    if (streams) {
        simd_stream(out, low);
        simd_stream(out + 16, high);
    } else {
        simd_store(out, low);
        simd_store(out + 16, high);
    }
#else
    (void)streams;
    uint8x8x4_t pixels = {{
        vqmovun_s16((int16x8_t)blue), vqmovun_s16((int16x8_t)green), vqmovun_s16((int16x8_t)red),
        vdup_n_u8(255)}};
    vst4_u8(out, pixels);
#endif
}

#endif
#endif
