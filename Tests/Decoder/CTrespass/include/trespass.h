// System calls that the decoder's sandbox forbids. Each function returns 0 on success, or errno.
#ifndef TRESPASS_H
#define TRESPASS_H

#include <stddef.h>

/// Opens a file and reads one byte.
int trespass_open(const char *path);
/// Creates a file, or truncates an existing one.
int trespass_write(const char *path);
/// Connects to a TCP port of the loopback interface.
int trespass_connect(void);
int trespass_fork(void);
int trespass_exec(void);
/// Maps `bytes` bytes of anonymous memory.
int trespass_allocate(size_t bytes);
/// Creates a memfd of `bytes` bytes.
int trespass_fill_shared_memory(size_t bytes);
int trespass_take_huge_pages(void);
int trespass_kill_parent(void);
int trespass_trace_parent(void);
int trespass_lift_limits(void);
/// Writes one byte with write(2).
int trespass_write_to(int fd);
/// Writes one byte at offset 0 with pwrite(2).
int trespass_write_into(int fd);
/// Forks with clone3(2), whose flags a seccomp filter cannot inspect.
int trespass_clone3(void);
int trespass_chroot(void);
/// Makes a system call by its x32 ABI number; returns ENOTSUP except on x86-64.
int trespass_x32(void);

#endif
