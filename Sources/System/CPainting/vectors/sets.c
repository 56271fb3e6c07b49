#include "sets.h"

#include <stdatomic.h>

#include "simd.h"

/// The set that CPAINTING_BEST stands for; CPAINTING_BEST if the processor decides.
static _Atomic enum cpainting_kernel best = CPAINTING_BEST;

void cpainting_set_best(enum cpainting_kernel kernel) {
    atomic_store_explicit(&best, kernel, memory_order_relaxed);
}

int cpainting_supports(enum cpainting_kernel kernel) {
    switch (kernel) {
#if defined(__x86_64__)
    case CPAINTING_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case CPAINTING_SIMD: return __builtin_cpu_supports("ssse3") != 0;
#elif HAS_SIMD
    case CPAINTING_SIMD: return 1;
#endif
    case CPAINTING_PORTABLE:
    case CPAINTING_BEST: return 1;
    default: return 0;
    }
}

enum cpainting_kernel supported_set(enum cpainting_kernel wanted) {
    if (wanted == CPAINTING_BEST) wanted = atomic_load_explicit(&best, memory_order_relaxed);
    if (wanted == CPAINTING_BEST) {
        if (cpainting_supports(CPAINTING_AVX2)) return CPAINTING_AVX2;
        wanted = CPAINTING_SIMD;
    }
    return cpainting_supports(wanted) ? wanted : CPAINTING_PORTABLE;
}
