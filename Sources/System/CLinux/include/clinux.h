// What Swift's Glibc module lacks of Linux, and what is variadic there.
#ifndef CLINUX_H
#define CLINUX_H

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>

/// memfd_create(2) with MFD_CLOEXEC | MFD_ALLOW_SEALING, and MFD_NOEXEC_SEAL where the kernel
/// has it. Returns the descriptor, or -1 with errno set.
int clinux_memfd_create(const char *name);

/// fcntl(2) F_ADD_SEALS; `write` adds F_SEAL_WRITE, `grow` F_SEAL_GROW; F_SEAL_SHRINK and
/// F_SEAL_SEAL are always added. Returns 0, or -1 with errno set.
int clinux_add_seals(int fd, int grow, int write);

/// fcntl(2) F_GET_SEALS: whether the file can neither shrink nor be written any more.
int clinux_is_sealed(int fd);

/// Makes pages of a memfd that is mapped, from `offset` on at `address`, present and writable ahead of
/// use (fallocate(2), MADV_POPULATE_WRITE). Returns 0, or -1 with errno set; a hint, so failure may be
/// ignored.
int clinux_populate(int fd, size_t offset, void *address, size_t length);

/// Makes the pages of a mapping readable ahead of use (MADV_POPULATE_READ). Returns 0, or -1 with errno
/// set; a hint, so failure may be ignored.
int clinux_populate_for_reading(const void *address, size_t length);

/// Sets or clears O_NONBLOCK. Returns 0, or -1 with errno set.
int clinux_set_nonblocking(int fd, int on);

/// Sets or clears FD_CLOEXEC. Returns 0, or -1 with errno set.
int clinux_set_cloexec(int fd, int on);

/// open(2) for reading with O_CLOEXEC | O_NONBLOCK, so that a FIFO does not block.
int clinux_open_picture(const char *path);

/// Sends `length` bytes with, where `fd` is not -1, one descriptor (SCM_RIGHTS). Never raises
/// SIGPIPE. Returns what sendmsg(2) returns.
ssize_t clinux_send(int socket, const void *bytes, size_t length, int fd);

/// Receives at most `length` bytes, and at most one descriptor into `*fd` (-1 where none came);
/// further descriptors are closed. Returns what recvmsg(2) returns.
ssize_t clinux_receive(int socket, void *bytes, size_t length, int *fd);

/// Writes all of `length` bytes to standard error.
void clinux_write_error(const char *bytes, size_t length);

/// How many processors this process may run on, at least 1.
int clinux_processor_count(void);

/// Maps a file for reading, of which there can be one at a time: where it becomes shorter meanwhile,
/// zeros are read and no SIGBUS comes. NULL where that cannot be had.
void *clinux_map_file(int fd, size_t length);

/// Takes away what `clinux_map_file` gave.
void clinux_unmap_file(void);

/// Gives back the memory of the file that is mapped, which is read again when it is needed.
void clinux_relieve_file(void);

/// Gives back the memory of a shared mapping of a file, which is read again when it is needed; nothing
/// is lost (MADV_DONTNEED).
void clinux_relieve(void *address, size_t length);

/// Opens a new file without a name in a folder, for reading and writing, which has `length` bytes of
/// room on the disk; -1 with errno set where there is none, EOPNOTSUPP where files are kept in memory.
int clinux_make_room(const char *folder, int64_t length);

/// mkostemp(3) with O_CLOEXEC: makes and opens a file of its own name, mode 0600; the six X at the
/// end of `name` are replaced. Returns the descriptor, or -1 with errno set.
int clinux_make_temporary(char *name);

#endif
