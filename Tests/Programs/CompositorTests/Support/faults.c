// A library that tests preload into the viewer: it makes calls of the C library fail on command.
//
// VITRINE_FAULT is "FUNCTION FIRST LAST ERRNO": the calls FIRST to LAST of FUNCTION fail, counted from 1 in
// the viewer and its file server together. The file VITRINE_FAULT_REPORT has two 64-bit integers in the byte
// order of the machine: the number of calls, and the number of those that failed. The decoder has an empty
// environment and is not affected.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char function[32];
static long first, last;
static int number;
/// In memory that the copies of the process share.
static struct counts {
    _Atomic int64_t calls, failed;
} *counts;

__attribute__((constructor)) static void prepare(void) {
    const char *fault = getenv("VITRINE_FAULT"), *path = getenv("VITRINE_FAULT_REPORT");
    if (!fault || sscanf(fault, "%31s %ld %ld %d", function, &first, &last, &number) != 4) return;
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0644) : -1;
    if (fd < 0 || syscall(SYS_ftruncate, fd, sizeof *counts) != 0) return;
    void *page =
        (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    if (page != MAP_FAILED) counts = page;
}

/// Whether this call of the function fails; sets errno then.
static int fails(const char *name) {
    if (!counts || strcmp(name, function) != 0) return 0;
    int64_t call = atomic_fetch_add(&counts->calls, 1) + 1;
    if (call < first || call > last) return 0;
    atomic_fetch_add(&counts->failed, 1);
    errno = number;
    return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int memfd_create(const char *name, unsigned flags) {
    return fails("memfd_create") ? -1 : NEXT(memfd_create)(name, flags);
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    return fails("mmap") ? MAP_FAILED
                         : NEXT(mmap)(address, length, protection, flags, fd, offset);
}

int ftruncate(int fd, off_t length) {
    return fails("ftruncate") ? -1 : NEXT(ftruncate)(fd, length);
}

int eventfd(unsigned value, int flags) {
    static int (*next)(unsigned, int);
    if (fails("eventfd")) return -1;
    if (!next) next = (int (*)(unsigned, int))dlsym(RTLD_NEXT, "eventfd");
    return next(value, flags);
}

int timerfd_create(int clock, int flags) {
    static int (*next)(int, int);
    if (fails("timerfd_create")) return -1;
    if (!next) next = (int (*)(int, int))dlsym(RTLD_NEXT, "timerfd_create");
    return next(clock, flags);
}

int signalfd(int fd, const sigset_t *signals, int flags) {
    static int (*next)(int, const sigset_t *, int);
    if (fails("signalfd")) return -1;
    if (!next) next = (int (*)(int, const sigset_t *, int))dlsym(RTLD_NEXT, "signalfd");
    return next(fd, signals, flags);
}

int inotify_init1(int flags) {
    static int (*next)(int);
    if (fails("inotify_init1")) return -1;
    if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "inotify_init1");
    return next(flags);
}

int pipe2(int ends[2], int flags) { return fails("pipe2") ? -1 : NEXT(pipe2)(ends, flags); }

int socketpair(int domain, int type, int protocol, int ends[2]) {
    return fails("socketpair") ? -1 : NEXT(socketpair)(domain, type, protocol, ends);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    return fails("sendmsg") ? -1 : NEXT(sendmsg)(fd, message, flags);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
    return fails("recvmsg") ? -1 : NEXT(recvmsg)(fd, message, flags);
}

pid_t fork(void) { return fails("fork") ? -1 : NEXT(fork)(); }

int clone(int (*body)(void *), void *stack, int flags, void *argument, ...) {
    // The viewer passes no further arguments.
    return fails("clone") ? -1 : NEXT(clone)(body, stack, flags, argument);
}

// It returns the error number.

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    if (fails("pthread_create")) return number;
    return NEXT(pthread_create)(thread, attributes, body, context);
}

// Variadic: the mode is read only where there is one.

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (fails(strncmp(path, "/proc/", 6) == 0 ? "open-proc" : "open")) return -1;
    return NEXT(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return fails("openat") ? -1 : NEXT(openat)(folder, path, flags, mode);
}

ssize_t readlink(const char *restrict path, char *restrict target, size_t size) {
    return fails("readlink") ? -1 : NEXT(readlink)(path, target, size);
}
