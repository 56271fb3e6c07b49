// What no decoder may do. Each returns 0 where it could be done, else errno.
#ifndef TRESPASS_H
#define TRESPASS_H

#include <stddef.h>

/// Reads a byte of a file.
int trespass_open(const char *path);
/// Makes a file, or empties the one that is there.
int trespass_write(const char *path);
/// Connects to a port of this machine.
int trespass_connect(void);
int trespass_fork(void);
int trespass_exec(void);
/// Allocates so many bytes of memory.
int trespass_allocate(size_t bytes);
/// Makes so much shared memory.
int trespass_fill_shared_memory(size_t bytes);
int trespass_take_huge_pages(void);
int trespass_kill_parent(void);
int trespass_trace_parent(void);
int trespass_lift_limits(void);
/// Writes a byte to a descriptor.
int trespass_write_to(int fd);
int trespass_write_into(int fd);
/// Forks by clone3(2), whose flags no filter sees.
int trespass_clone3(void);
int trespass_chroot(void);
/// A system call by the number that it has for x32 programs; ENOTSUP elsewhere than on x86-64.
int trespass_x32(void);

#endif
