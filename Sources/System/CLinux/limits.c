#include "clinux.h"

#include <sys/resource.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

int clinux_limit_memory(uint64_t bytes) {
    // No memory of this process in the file of a crash.
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
    // Builds that report bad addresses or races, which tests alone use, reserve terabytes of memory for
    // their records, so memory has no limit there.
    if (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)) return 0;
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > bytes) limit.rlim_max = bytes;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_DATA, &limit);
}
