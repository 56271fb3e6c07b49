// Linux calls that Swift's Glibc module does not have or has only as variadic functions.
//
// A function that fails returns -1 and sets errno, as a system call does: `SystemCalls` in Swift reads
// errno then. Only CSandbox returns a negative errno instead, because a measure that fails in the middle
// makes further calls to clean up.
#ifndef CLINUX_H
#define CLINUX_H

#include <libintl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/xattr.h>

/// memfd_create(2) with MFD_CLOEXEC | MFD_ALLOW_SEALING, and MFD_NOEXEC_SEAL if the kernel
/// supports it. Returns the descriptor, or -1 with errno set.
int clinux_memfd_create(const char *name);

/// fcntl(2) F_ADD_SEALS; `write` adds F_SEAL_WRITE, `grow` F_SEAL_GROW; F_SEAL_SHRINK and
/// F_SEAL_SEAL are always added. Returns 0, or -1 with errno set.
int clinux_add_seals(int fd, int grow, int write);

/// Seals a file against writing, growing, shrinking and further seals, for a process that may wait: memory
/// that the kernel is just moving or reclaiming counts as written, so EBUSY is tried again for 100 ms.
/// Returns 0, or -1 with errno set.
int clinux_seal_patiently(int fd);

/// Makes a memfd unchangeable: seals it against writing, growing, shrinking and further seals, and opens it
/// again for reading alone, at its start. Closes `fd` and returns the new descriptor, or `fd` itself where
/// /proc is missing; returns -1 with errno set and leaves `fd` open if it cannot be sealed.
int clinux_make_constant(int fd);

/// fcntl(2) F_GET_SEALS: returns whether the file is sealed against shrinking and writing.
int clinux_is_sealed(int fd);

/// Allocates `length` bytes of a memfd from `offset` on and prefaults them for writing
/// (fallocate(2), MADV_POPULATE_WRITE); the file is mapped from `offset` on at `address`. Returns 0, or
/// -1 with errno set. The call is a hint; the caller may ignore a failure.
int clinux_populate(int fd, size_t offset, void *address, size_t length);

/// Prefaults the pages of a mapping for reading (MADV_POPULATE_READ). Returns 0, or -1 with errno set.
/// The call is a hint; the caller may ignore a failure.
int clinux_populate_for_reading(const void *address, size_t length);

/// Sets or clears O_NONBLOCK. Returns 0, or -1 with errno set.
int clinux_set_nonblocking(int fd, int on);

/// Sets or clears FD_CLOEXEC. Returns 0, or -1 with errno set.
int clinux_set_cloexec(int fd, int on);

/// open(2) for reading with O_CLOEXEC | O_NONBLOCK, so that a FIFO does not block.
int clinux_open_picture(const char *path);

/// open(2) with O_CLOEXEC and without following any symbolic link on the way (openat2(2), Linux 5.6).
int clinux_open_without_links(const char *path, int flags);

struct stat;
/// stat(2) without following any symbolic link on the way.
int clinux_stat_without_links(const char *path, struct stat *info);

/// Stores when an open file was created, in seconds since 1970 (statx(2) STATX_BTIME). Returns 0, or -1 with
/// errno set: ENODATA where the file system does not know.
int clinux_creation_time(int fd, int64_t *seconds);

/// Sends `length` bytes, and one descriptor (SCM_RIGHTS) if `fd` is not -1. Never raises
/// SIGPIPE. Returns the result of sendmsg(2).
ssize_t clinux_send(int socket, const void *bytes, size_t length, int fd);

/// clinux_send; waits up to 5 s while more descriptors of the user wait in sockets than the RLIMIT_NOFILE of
/// this process allows (ETOOMANYREFS): their receivers decide how long.
ssize_t clinux_send_patiently(int socket, const void *bytes, size_t length, int fd);

/// Receives at most `length` bytes, and at most one descriptor into `*fd` (-1 if the message has none);
/// closes further descriptors. Returns the result of recvmsg(2).
ssize_t clinux_receive(int socket, void *bytes, size_t length, int *fd);

/// The arguments of the program, with its name first, and their number. Returns NULL where the C library
/// does not say.
char **clinux_arguments(int *argument_count);

/// Writes all of `length` bytes to standard error. A terminal that was stopped and a pipe that nobody reads
/// are waited for 5 ms; then the rest is lost.
void clinux_write_error(const char *bytes, size_t length);

/// Returns the number of processors that this process may run on, at least 1.
int clinux_processor_count(void);

/// Maps a file for reading. If the file is truncated later, the missing pages read as zeros and raise
/// no SIGBUS. A process can map one file at a time. Returns NULL if a file is mapped already or the
/// mapping fails.
void *clinux_map_file(int fd, size_t length);

/// Removes the mapping made by `clinux_map_file`.
void clinux_unmap_file(void);

/// Releases the resident pages of the mapped file (MADV_DONTNEED); the next access reads them again.
void clinux_release_file_pages(void);

/// Releases the resident pages of a shared file mapping (MADV_DONTNEED); the next access reads them
/// again. Written data stay in the file.
void clinux_release_pages(void *address, size_t length);

/// Frees the pages of a shared mapping and of the memory behind it (MADV_REMOVE), which is then zero. A
/// failure is ignored: the memory only stays in use.
void clinux_give_back(void *address, size_t length);

/// Creates an unnamed file (O_TMPFILE) in a folder, open for reading and writing, and allocates `length`
/// bytes of disk space. Returns the descriptor, or -1 with errno set: EOPNOTSUPP if the file system
/// keeps files in memory (tmpfs, ramfs).
int clinux_create_unnamed_file(const char *folder, int64_t length);

/// Blocks SIGCHLD, so that `clinux_wait_for_request` alone receives it.
void clinux_watch_children(void);

/// Waits until `socket` is readable, or a child has ended (ppoll(2)). Returns 1 if the socket is readable,
/// or -1 with errno EINTR.
int clinux_wait_for_request(int socket);

/// Gives the process the name of its first argument: the kernel calls a process that was executed from a
/// descriptor after the number of the descriptor.
void clinux_name_process(void);

/// fork(2) in a process with one thread. The kernel kills the child when this process ends. Returns 0 in
/// the child, which does not block SIGCHLD, and as fork(2) in this process.
pid_t clinux_fork_decoder(void);
/// fork(2) in a process with one thread. The kernel kills the child when this process ends. In the child
/// descriptor 3 is `socket`, standard input, output and error are /dev/null, all others are closed, and
/// the child has a session of its own. Returns as fork(2).
pid_t clinux_fork_service(int socket);

/// Who may change files without the knowledge of inotify(7).
enum clinux_origin {
    /// Nobody.
    CLINUX_LOCAL,
    /// Whoever changes the layers of an overlay.
    CLINUX_LAYERED,
    /// Other computers, or a program: a network share, a phone, or FUSE.
    CLINUX_REMOTE,
};

/// The kind of the file system that a descriptor is on.
enum clinux_origin clinux_origin(int fd);

/// Closes every descriptor from `first` on (close_range(2)).
void clinux_close_from(int first);

/// Makes the process the superuser of its new user namespace, in which `user` and `group` of the
/// namespace outside are 0: without these maps the process can create no folder in a root of its own.
/// Does nothing without /proc.
void clinux_become_superuser(unsigned user, unsigned group);

/// Opens what a path leads to, but not the content (O_PATH): a program file to execute, or a file or folder
/// to ask about. Needs no permission to read. Returns a descriptor, or -1 with errno set.
int clinux_open_path(const char *path);

/// Executes the program file `program`, a descriptor of `clinux_open_path`, or the file at `path` if
/// `program` is negative or the system cannot execute a descriptor. The program has no
/// environment, and of arguments only the path; it runs in user, PID, network and IPC namespaces and in a
/// session of its own. Descriptor 3 is `socket`; standard input, output and error are /dev/null. If
/// the kernel refuses the namespaces, the program runs without them; its process ID is 1 if and only if
/// it has them. Returns the process ID, or -1 with errno set.
///
/// A program that calls prctl(2) PR_SET_PDEATHSIG ends with the thread that calls this function.
pid_t clinux_spawn_isolated(const char *path, int program, int socket);

/// Copies at most `most` bytes of `from`, from `*offset` on, which moves on, to the position of `to`. Returns 1
/// if there may be more, 0 at the end of `from`, or -1 with errno set.
int clinux_copy_contents(int from, int to, int64_t *offset, size_t most);

/// Gives `to` the mode, the group, the extended attributes with the ACLs, and with `keeps_times` the times
/// of `from`, and the owner where the system permits it. Without its group a file loses the rights of the
/// group. Returns 0, or -1 with errno set if the mode cannot be set.
int clinux_copy_attributes(int from, int to, int keeps_times);

/// renameat2(2) RENAME_NOREPLACE, or what comes next to it on file systems without the flag. Returns 0, or
/// -1 with errno set: EEXIST if there is a file `to`.
int clinux_rename_exclusively(const char *from, const char *to);

/// renameat2(2) RENAME_EXCHANGE. Returns 0, or -1 with errno set: EINVAL if the file system lacks the
/// flag.
int clinux_exchange(const char *first, const char *second);

/// Starts a program with arguments, of which the first is its path, or its name in PATH (posix_spawnp(3)).
///
/// Standard input and output are /dev/null, standard error is `errors`, or /dev/null if that is -1; every
/// other descriptor is closed. The program has a session of its own, no signal is blocked or ignored, and
/// it outlives this process. `changes` ("NAME=value", "NAME" to remove it) applies to the environment of
/// this process; `folder` is the working folder, or NULL. Lists end with NULL. Returns the process ID, or
/// -1 with errno set, also where the program cannot be executed.
pid_t clinux_spawn_program(
    char *const *arguments, char *const *changes, const char *folder, int errors);

/// mkostemp(3) with O_CLOEXEC: creates and opens a file with a unique name, mode 0600; replaces the six
/// X at the end of `name`. Returns the descriptor, or -1 with errno set.
int clinux_make_temporary(char *name);

/// Makes a stream socket that listens at a path, for its owner alone (mode 0600); it does not block. Returns
/// the descriptor, or -1 with errno set: EADDRINUSE if the path exists, ENAMETOOLONG above 107 bytes.
int clinux_listen(const char *path, int backlog);

/// Whether a descriptor is a stream socket of the file system or of abstract names that listens.
int clinux_is_listening(int fd);

/// accept4(2): returns a connection that does not block, or -1 with errno set.
int clinux_accept(int fd);

/// Connects to a stream socket without waiting. Returns a descriptor that does not block, or -1 with errno
/// set: ECONNREFUSED if no process listens, EAGAIN if too many connections wait.
int clinux_connect(const char *path);

/// The user who has connected, or who listens (SO_PEERCRED); -1 with errno set if it is not known.
int64_t clinux_peer_user(int fd);

/// send(2) without waiting; never raises SIGPIPE.
ssize_t clinux_send_now(int fd, const void *bytes, size_t length);

/// Sends a datagram to a path, or to an abstract name after `@`, without waiting. Returns 0, or -1 with
/// errno set.
int clinux_send_datagram(const char *path, const void *bytes, size_t length);

/// Limits the data of this process (RLIMIT_DATA) for good, so that an allocation beyond it fails, and allows
/// no core file. Returns 0, or -1 with errno set.
int clinux_limit_memory(uint64_t bytes);

/// pipe2(2) with O_CLOEXEC: the end for reading, which does not block, and the end for writing, which
/// does. Returns 0, or -1 with errno set.
int clinux_pipe(int ends[2]);

/// write(2) that never raises SIGPIPE. The caller makes the descriptor one that does not block.
ssize_t clinux_write_now(int fd, const void *bytes, size_t length);

#endif
