#include "cfuzzer.h"

/// AddressSanitizer's options; ASAN_OPTIONS overrides them. An allocation fails, as the cage makes it,
/// from the size on that the cage allows.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:max_allocation_size_mb=16384:handle_abort=1";
}

/// What libraries are known to lose; each line says whose it is, and why it is let be.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return
        // Pango keeps font maps, with fontconfig's patterns and cairo's fonts in them, for each thread
        // for good, from where librsvg cannot free them.
        "leak:libpango\n"
        "leak:libfontconfig\n";
}
