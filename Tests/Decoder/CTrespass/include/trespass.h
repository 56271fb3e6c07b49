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
int trespass_exec(const char *path);
int trespass_stat(const char *path);
int trespass_list(const char *path);
/// Mounts a file system over a folder.
int trespass_mount(void);
/// Maps `bytes` bytes of anonymous memory.
int trespass_allocate(size_t bytes);
/// Creates a memfd of `bytes` bytes.
int trespass_fill_shared_memory(size_t bytes);
int trespass_take_huge_pages(void);
/// Holds `count` memfds at the same time, at most 256.
int trespass_hold_memory(int count);
/// Locks a page into memory (mlock(2)).
int trespass_lock_memory(void);
/// Sends SIGCONT to a process.
int trespass_kill(int process);
/// Attaches to a process as a debugger does.
int trespass_trace(int process);
/// Reads one byte of the memory of a process.
int trespass_read_memory(int process, size_t address);
int trespass_lift_limits(void);
/// Writes one byte with write(2).
int trespass_write_to(int fd);
/// Writes one byte at offset 0 with pwrite(2).
int trespass_write_into(int fd);
/// Maps a file for writing that other processes see.
int trespass_map(int fd);
/// Forks with clone3(2), whose flags a seccomp filter cannot inspect.
int trespass_clone3(void);
int trespass_chroot(void);
/// Makes a system call by its x32 ABI number; returns ENOTSUP except on x86-64.
int trespass_x32(void);

#endif
