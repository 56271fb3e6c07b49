// A library that tests preload into the viewer: it measures the turns of the input thread's loop.
//
// A turn lasts from the end of one poll(2) of the first thread to the beginning of the next one. The waits
// of the thread for a processor, which the kernel counts in schedstat, are subtracted: they belong to the
// other programs of the machine. A turn in which the thread never sleeps lasts as long as the thread runs:
// the kernel does not count as that what the host of a virtual machine takes for others (steal time). The
// file VITRINE_TURNS gets the longest turn so far in nanoseconds, a 64-bit integer in the byte order of the
// machine, which the test may set back to 0.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t *longest;
static int statistics = -1;
static int (*next)(struct pollfd *, nfds_t, int);

// What the kernel has counted of the first thread.
struct counts {
    int64_t now; // in nanoseconds, as all times here
    int64_t running; // without steal time
    int64_t waiting; // for a processor
    long sleeps; // -1 if unknown
};
static struct counts begin;

/// Opens a file far from the numbers that the program gets, so that these stay what they are.
static int open_file(const char *path, int flags) {
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC);
    if (fd < 0) return -1;
    int high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 600);
    syscall(SYS_close, fd);
    return high;
}

__attribute__((constructor)) static void prepare(void) {
    const char *path = getenv("VITRINE_TURNS");
    int fd = path ? open_file(path, O_RDWR) : -1;
    if (fd < 0) return;
    void *page = (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    if (page == MAP_FAILED) return;
    next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    statistics = open_file("/proc/thread-self/schedstat", O_RDONLY);
    longest = page;
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time = {0};
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/// The counts of this thread. Waits are 0 where the kernel does not count them.
static struct counts count(void) {
    struct counts counts = {
        .now = nanoseconds(CLOCK_MONOTONIC), .running = nanoseconds(CLOCK_THREAD_CPUTIME_ID)};
    struct rusage usage;
    counts.sleeps = getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : -1;
    char text[64];
    ssize_t length = syscall(SYS_pread64, statistics, text, sizeof text - 1, 0);
    if (length <= 0) return counts;
    text[length] = 0;
    char *second;
    strtoll(text, &second, 10);
    counts.waiting = strtoll(second, NULL, 10);
    return counts;
}

/// How long the thread was away between two counts.
static int64_t absence(struct counts from, struct counts to) {
    int64_t away = to.now - from.now - (to.waiting - from.waiting);
    int64_t running = to.running - from.running;
    bool never_slept = to.sleeps >= 0 && to.sleeps == from.sleeps;
    return never_slept && running < away ? running : away;
}

int poll(struct pollfd *polls, nfds_t count_of_polls, int timeout) {
    // The constructor has not run yet, or measures nothing.
    if (!longest) return (int)syscall(SYS_poll, polls, count_of_polls, timeout);
    // Other threads, and the first one where it only looks and does not wait.
    if (syscall(SYS_gettid) != getpid() || timeout == 0) return next(polls, count_of_polls, timeout);
    int64_t turn = absence(begin, count());
    if (begin.now && turn > *longest) *longest = turn;
    int result = next(polls, count_of_polls, timeout);
    begin = count();
    return result;
}
