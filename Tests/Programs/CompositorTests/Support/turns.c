// A library that tests preload into the viewer: it measures the turns of the input thread's loop.
//
// A turn lasts from the end of one poll(2) of the first thread to the beginning of the next one. The waits
// of the thread for a processor, which the kernel counts in schedstat, are subtracted: they belong to the
// other programs of the machine. The file VITRINE_TURNS gets the longest turn so far in nanoseconds, a
// 64-bit integer in the byte order of the machine, which the test may set back to 0.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t *longest;
static int statistics = -1;
static int (*next)(struct pollfd *, nfds_t, int);
static int64_t begun, waited;

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

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/// How long this thread has waited for a processor, in nanoseconds; 0 if the kernel does not say.
static int64_t processor_waits(void) {
    char text[64];
    ssize_t count = syscall(SYS_pread64, statistics, text, sizeof text - 1, 0);
    if (count <= 0) return 0;
    text[count] = 0;
    char *second;
    strtoll(text, &second, 10);
    return strtoll(second, NULL, 10);
}

int poll(struct pollfd *polls, nfds_t count, int timeout) {
    // The constructor has not run yet, or measures nothing.
    if (!longest) return (int)syscall(SYS_poll, polls, count, timeout);
    // Other threads, and the first one where it only looks and does not wait.
    if (syscall(SYS_gettid) != getpid() || timeout == 0) return next(polls, count, timeout);
    int64_t turn = now() - begun - (processor_waits() - waited);
    if (begun && turn > *longest) *longest = turn;
    int result = next(polls, count, timeout);
    waited = processor_waits();
    begun = now();
    return result;
}
