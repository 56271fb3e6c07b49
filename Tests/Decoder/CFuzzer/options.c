#include "cfuzzer.h"

/// AddressSanitizer's default options; ASAN_OPTIONS overrides them. An allocation of more than 16 GiB
/// returns NULL, as an allocation above the memory limits of the sandbox does.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1:max_allocation_size_mb=16384:handle_abort=1";
}

/// Known leaks in libraries; each comment gives the library and the reason for the suppression.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return
        // Pango keeps one font map per thread for the life of the process, with fontconfig patterns and
        // cairo fonts in it. librsvg cannot free these font maps.
        "leak:libpango\n"
        "leak:libfontconfig\n";
}
