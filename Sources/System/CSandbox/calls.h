// The system calls that a decoder may make. The first rule that matches a call applies; a call that
// matches no rule ends the process.
//
// The list was found by tracing the decoders, and libheif, libde265, libavif, dav1d, aom, libjxl
// and librsvg as dlopen(3) loads them later. A call that a library tries but does not need fails with
// an errno that the library handles.
#ifndef CSANDBOX_CALLS_H
#define CSANDBOX_CALLS_H

/// Placeholder for `value`: the process ID of the decoder.
#define own_process_id 0xFFFFFFFFU

#define ALLOW SECCOMP_RET_ALLOW
#define FAIL(code) (SECCOMP_RET_ERRNO | (code))

/// Matches a call by its number. `when_masked` also requires that argument `index` masked with `mask`
/// equals `value`; `when_null` requires that argument `index` is a null pointer.
struct rule {
    uint32_t number;
    enum { always, when_masked, when_null } kind;
    unsigned char index;
    uint32_t mask;
    uint32_t value;
    uint32_t action;
};

#define CALL(name) {SYS_##name, always, 0, 0, 0, ALLOW}
#define CALL_FAILS(name, code) {SYS_##name, always, 0, 0, 0, FAIL(code)}
#define CALL_IF(name, index, mask, value) {SYS_##name, when_masked, index, mask, value, ALLOW}
#define CALL_IF_NULL(name, index) {SYS_##name, when_null, index, 0, 0, ALLOW}

/// Descriptors: the socket that the viewer passes on, and standard error.
enum { socket_to_viewer = 3, standard_error = 2 };

#define WHOLE 0xFFFFFFFFU
/// The flags of open(2) that allow more than reading.
#define WRITING ((uint32_t)(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY)))
/// The flags that pthread_create(3) of glibc and musl passes to clone(2): they create a thread and no
/// namespaces.
#define THREAD_FLAGS 0x003D0F00U
/// CLONE_DETACHED, which musl adds; the kernel ignores it.
#define DETACHED 0x00400000U
/// MFD_HUGETLB of memfd_create(2): refused, because a decoder could use up the huge pages and starve the
/// viewer.
#define HUGE_PAGES 0x0004U

#ifdef __arm__
/// The first number of the calls that only this architecture has.
#define ARM_PRIVATE_CALLS 0x000F0000U
#endif

static const struct rule rules[] = {
    // Threads.
    CALL(futex), CALL(sched_yield), CALL(set_robust_list), CALL(rt_sigprocmask), CALL(gettid),
    CALL(exit), CALL(exit_group), CALL(sched_getaffinity), CALL(membarrier),
    CALL(sched_getparam), CALL(sched_getscheduler), CALL(sched_get_priority_max),
    CALL(sched_get_priority_min), CALL(set_tid_address), CALL(getcpu),
#ifdef SYS_rseq
    CALL(rseq),
#endif
    CALL_IF(clone, 0, ~DETACHED, THREAD_FLAGS),
#ifdef SYS_clone3
    // Its flags lie in memory, which a seccomp filter cannot read; after ENOSYS libc calls clone.
    CALL_FAILS(clone3, ENOSYS),
#endif

    // Memory. The resource limits bound its size.
#ifdef SYS_mmap2
    CALL(mmap2),
#else
    CALL(mmap),
#endif
    CALL(munmap), CALL(mremap), CALL(mprotect), CALL(madvise), CALL(brk),
    CALL_IF(memfd_create, 1, HUGE_PAGES, 0), CALL(ftruncate),
#ifdef SYS_ftruncate64
    CALL(ftruncate64),
#endif
    // With mode 0 it only allocates memory or disk space, which the process may allocate anyway.
    CALL_IF(fallocate, 1, WHOLE, 0),
    // Any file that pwrite64 can write could also be mapped and written; pwrite64 is faster for new
    // pages.
    CALL(pwrite64),

    // The picture, and libraries that are loaded later. Landlock decides which files can be opened.
    CALL(read), CALL(pread64), CALL(readv), CALL(lseek), CALL(close), CALL(fstat), CALL(dup),
    CALL_IF(openat, 2, WRITING, 0), CALL_FAILS(openat, EACCES),
    CALL(statx), CALL(faccessat), CALL(readlinkat), CALL(getdents64),
    CALL(statfs), CALL(fstatfs), CALL(getcwd),
#ifdef SYS_newfstatat
    CALL(newfstatat), CALL(fadvise64),
#endif
#ifdef SYS_faccessat2
    CALL(faccessat2),
#endif
#ifdef SYS_open
    CALL_IF(open, 1, WRITING, 0), CALL_FAILS(open, EACCES),
    CALL(stat), CALL(lstat), CALL(access), CALL(readlink),
    // fontconfig tries to update its caches.
    CALL_FAILS(mkdir, EACCES), CALL_FAILS(rename, EACCES), CALL_FAILS(unlink, EACCES),
    CALL_FAILS(chmod, EACCES), CALL_FAILS(link, EACCES), CALL_FAILS(symlink, EACCES),
    CALL_FAILS(utimes, EACCES),
#endif
#ifdef SYS_utime
    CALL_FAILS(utime, EACCES),
#endif
    CALL_FAILS(mkdirat, EACCES), CALL_FAILS(unlinkat, EACCES), CALL_FAILS(renameat2, EACCES),
#ifdef SYS_renameat
    CALL_FAILS(renameat, EACCES),
#endif
    CALL_FAILS(fchmodat, EACCES), CALL_FAILS(linkat, EACCES), CALL_FAILS(symlinkat, EACCES),
    CALL_FAILS(utimensat, EACCES),
    CALL_IF(fcntl, 1, WHOLE, F_DUPFD), CALL_IF(fcntl, 1, WHOLE, F_DUPFD_CLOEXEC),
    CALL_IF(fcntl, 1, WHOLE, F_GETFD), CALL_IF(fcntl, 1, WHOLE, F_SETFD),
    CALL_IF(fcntl, 1, WHOLE, F_GETFL), CALL_IF(fcntl, 1, WHOLE, F_ADD_SEALS),
    CALL_IF(fcntl, 1, WHOLE, F_GET_SEALS),

    // The socket to the viewer, and standard error for final messages. No other descriptor can be
    // written with these calls.
    CALL_IF(sendmsg, 0, WHOLE, socket_to_viewer), CALL_IF(recvmsg, 0, WHOLE, socket_to_viewer),
    CALL_IF(write, 0, WHOLE, standard_error), CALL_IF(writev, 0, WHOLE, standard_error),
    CALL(ppoll),
#ifdef SYS_poll
    CALL(poll),
#endif

    // Signals, to the own process only.
    CALL(rt_sigaction), CALL(rt_sigreturn), CALL(sigaltstack), CALL(restart_syscall),
    CALL_IF(tgkill, 0, WHOLE, own_process_id),

    // Time, random numbers, and information about the system and the process.
    CALL(clock_gettime), CALL(clock_getres), CALL(clock_nanosleep), CALL(nanosleep),
    CALL(gettimeofday), CALL(getrandom), CALL(uname), CALL(sysinfo), CALL(getrusage),
    CALL(getpid), CALL(getuid), CALL(geteuid), CALL(getgid), CALL(getegid), CALL(getresuid),
    CALL(getresgid), CALL(getpriority), CALL_IF_NULL(prlimit64, 2),
    CALL_FAILS(prlimit64, EPERM),
#ifdef SYS_time
    CALL(time),
#endif
#ifdef SYS_getrlimit
    CALL(getrlimit),
#endif

#ifdef __arm__
    // The variants of 32-bit systems, with 64 bits for file offsets, user IDs of 32 bits, and 64 bits
    // for time.
    CALL(_llseek), CALL(fstat64), CALL(stat64), CALL(lstat64), CALL(fstatat64), CALL(statfs64),
    CALL(fstatfs64), CALL(arm_fadvise64_64), CALL(ugetrlimit), CALL(sigreturn),
    CALL(getuid32), CALL(geteuid32), CALL(getgid32), CALL(getegid32), CALL(getresuid32),
    CALL(getresgid32),
    CALL_IF(fcntl64, 1, WHOLE, F_DUPFD), CALL_IF(fcntl64, 1, WHOLE, F_DUPFD_CLOEXEC),
    CALL_IF(fcntl64, 1, WHOLE, F_GETFD), CALL_IF(fcntl64, 1, WHOLE, F_SETFD),
    CALL_IF(fcntl64, 1, WHOLE, F_GETFL), CALL_IF(fcntl64, 1, WHOLE, F_ADD_SEALS),
    CALL_IF(fcntl64, 1, WHOLE, F_GET_SEALS),
#ifdef SYS_clock_gettime64
    CALL(clock_gettime64), CALL(clock_getres_time64), CALL(clock_nanosleep_time64),
    CALL(ppoll_time64), CALL(futex_time64), CALL_FAILS(utimensat_time64, EACCES),
#endif
    // Calls of this processor alone: thread-local memory, and code that was just written.
    {ARM_PRIVATE_CALLS + 5, always, 0, 0, 0, ALLOW},  // set_tls
    {ARM_PRIVATE_CALLS + 2, always, 0, 0, 0, ALLOW},  // cacheflush
#endif
#ifdef SYS_riscv_flush_icache
    CALL(riscv_flush_icache),
#endif
#ifdef SYS_riscv_hwprobe
    // The C library chooses its functions by it; without it, those that every processor can run.
    CALL(riscv_hwprobe),
#endif

    // Calls that libraries try but do not need: terminals, CPU affinity, NUMA, thread names.
    // GLib checks whether standard error is the journal's socket before it prints a warning.
    CALL_FAILS(getpeername, ENOTSOCK), CALL_FAILS(getsockname, ENOTSOCK),
    CALL_FAILS(ioctl, ENOTTY), CALL_FAILS(sched_setaffinity, EPERM),
    CALL_FAILS(sched_setscheduler, EPERM), CALL_FAILS(setpriority, EPERM),
    CALL_FAILS(get_mempolicy, EPERM), CALL_FAILS(set_mempolicy, EPERM), CALL_FAILS(mbind, EPERM),
    CALL_IF(prctl, 0, WHOLE, PR_SET_NAME), CALL_IF(prctl, 0, WHOLE, PR_GET_NAME),
    CALL_FAILS(prctl, EINVAL),
#ifdef SYS_arch_prctl
    CALL_FAILS(arch_prctl, EINVAL),
#endif
#ifdef SYS_mseal
    CALL_FAILS(mseal, ENOSYS),
#endif
};

#endif
