#define _GNU_SOURCE
#include "include/csandbox.h"

#include <clinux.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static int outcome(long result) { return result < 0 ? -errno : 0; }

int csandbox_forbid_new_privileges(void) { return outcome(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

int csandbox_forbid_dumps(void) { return outcome(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }

int csandbox_prefer_oom_kill(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -errno;
    int result = outcome(write(fd, "1000", 4));
    close(fd);
    return result;
}

#if __has_feature(address_sanitizer)
/// Builds that report bad addresses, which tests alone use, reserve terabytes of memory for their
/// records, so memory has no limit there.
static int is_limited(int resource) { return resource != RLIMIT_AS && resource != RLIMIT_DATA; }
#else
static int is_limited(int resource) {
    (void)resource;
    return 1;
}
#endif

int csandbox_limit(int resource, unsigned long long value) {
    if (!is_limited(resource)) return 0;
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -errno;
    // Keep a hard limit that is lower already; never raise it.
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < value) value = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = value;
    return outcome(setrlimit(resource, &limit));
}

int csandbox_forbid_locked_memory(void) { return csandbox_limit(RLIMIT_MEMLOCK, 0); }

int csandbox_has_own_processes(void) { return getpid() == 1 ? 0 : -EPERM; }

int csandbox_unshare_namespaces(void) {
    if (getpid() == 1) return 0;
    unsigned user = geteuid(), group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0) {
        clinux_become_superuser(user, group);
        return 0;
    }
    int code = -errno;
    // A privileged process in a container may be refused only the user namespace.
    return unshare(CLONE_NEWNET | CLONE_NEWIPC) == 0 ? 1 : code;
}

int csandbox_limit_threads(unsigned long long value) {
    struct utsname kernel;
    int major = 0, minor = 0;
    if (uname(&kernel) != 0 || sscanf(kernel.release, "%d.%d", &major, &minor) != 2) return 0;
    int counts_this_namespace = major > 5 || (major == 5 && minor >= 14);
    return counts_this_namespace ? csandbox_limit(RLIMIT_NPROC, value) : 0;
}

int csandbox_drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[2] = {{0}};
    // Until EINVAL: the last capability depends on the kernel. A process without privileges may not
    // empty the set, and an executed program then has only the capabilities that any program gets.
    for (unsigned long i = 0; prctl(PR_CAPBSET_DROP, i, 0, 0, 0) == 0; i++) {}
    return outcome(syscall(SYS_capset, &header, none));
}
