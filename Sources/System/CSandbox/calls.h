// What a decoder may ask of the kernel: the first rule that fits counts, and a call that fits none
// ends the process.
//
// What is here was found by tracing the decoders, and libheif, libde265, libavif, dav1d, aom, libjxl
// and librsvg as they are loaded later by dlopen(3). A call that some library merely tries gets an
// errno that it can live with.
#ifndef CCAGE_CALLS_H
#define CCAGE_CALLS_H

/// In the place of a value: the process's own number.
#define own_process_id 0xFFFFFFFFU

#define ALLOW SECCOMP_RET_ALLOW
#define FAIL(code) (SECCOMP_RET_ERRNO | (code))

/// Fits a call, or one of whose arguments the bits of `mask` are `value`, or which has a null
/// pointer there.
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

/// Where the viewer leaves the socket, and standard error.
enum { socket_to_viewer = 3, standard_error = 2 };

#define WHOLE 0xFFFFFFFFU
/// The bits of open(2) that would do more than read.
#define WRITING ((uint32_t)(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY)))
/// How pthread_create(3) calls clone(2), glibc's and musl's alike: a thread, nothing new but that.
#define THREAD_FLAGS 0x003D0F00U
/// CLONE_DETACHED, which musl adds; the kernel ignores it.
#define DETACHED 0x00400000U
/// memfd_create(2) with MFD_HUGETLB: the viewer could be starved of pages.
#define HUGE_PAGES 0x0004U

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
    // Its flags lie in memory, where no filter sees them; libc then takes clone.
    CALL_FAILS(clone3, ENOSYS),
#endif

    // Memory. Limits bound it.
    CALL(mmap), CALL(munmap), CALL(mremap), CALL(mprotect), CALL(madvise), CALL(brk),
    CALL_IF(memfd_create, 1, HUGE_PAGES, 0), CALL(ftruncate),
    // Without a mode it makes memory, or room on the disk, that may be taken anyway.
    CALL_IF(fallocate, 1, WHOLE, 0),
    // What this can write to could be mapped and written to; it is quicker where a page is new.
    CALL(pwrite64),

    // The picture, and libraries that are loaded later. What may be opened is Landlock's affair.
    CALL(read), CALL(pread64), CALL(readv), CALL(lseek), CALL(close), CALL(fstat), CALL(dup),
    CALL_IF(openat, 2, WRITING, 0), CALL_FAILS(openat, EACCES),
    CALL(newfstatat), CALL(statx), CALL(faccessat), CALL(readlinkat), CALL(getdents64),
    CALL(statfs), CALL(fstatfs), CALL(getcwd), CALL(fadvise64),
#ifdef SYS_faccessat2
    CALL(faccessat2),
#endif
#ifdef SYS_open
    CALL_IF(open, 1, WRITING, 0), CALL_FAILS(open, EACCES),
    CALL(stat), CALL(lstat), CALL(access), CALL(readlink),
    // Font caches try to renew themselves.
    CALL_FAILS(mkdir, EACCES), CALL_FAILS(rename, EACCES), CALL_FAILS(unlink, EACCES),
    CALL_FAILS(chmod, EACCES), CALL_FAILS(link, EACCES), CALL_FAILS(symlink, EACCES),
    CALL_FAILS(utime, EACCES), CALL_FAILS(utimes, EACCES),
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

    // The viewer, and last words. Nothing else can be written to.
    CALL_IF(sendmsg, 0, WHOLE, socket_to_viewer), CALL_IF(recvmsg, 0, WHOLE, socket_to_viewer),
    CALL_IF(write, 0, WHOLE, standard_error), CALL_IF(writev, 0, WHOLE, standard_error),
    CALL(ppoll),
#ifdef SYS_poll
    CALL(poll),
#endif

    // Signals, to itself only.
    CALL(rt_sigaction), CALL(rt_sigreturn), CALL(sigaltstack), CALL(restart_syscall),
    CALL_IF(tgkill, 0, WHOLE, own_process_id),

    // Time, chance, and what it runs on.
    CALL(clock_gettime), CALL(clock_getres), CALL(clock_nanosleep), CALL(nanosleep),
    CALL(gettimeofday), CALL(getrandom), CALL(uname), CALL(sysinfo), CALL(getrusage),
    CALL(getpid), CALL(getuid), CALL(geteuid), CALL(getgid), CALL(getegid), CALL(getresuid),
    CALL(getresgid), CALL(getpriority), CALL_IF_NULL(prlimit64, 2),
    CALL_FAILS(prlimit64, EPERM),
#ifdef SYS_time
    CALL(time), CALL(getrlimit),
#endif

    // What libraries try, and do without: terminals, processors of their own, NUMA, names.
    // GLib asks whether standard error is the journal's socket before it warns of something.
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
