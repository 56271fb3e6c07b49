#define _GNU_SOURCE
#include "include/clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

int clinux_memfd_create(const char *name) {
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL) fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return fd;
}

int clinux_add_seals(int fd, int grow, int write) {
    int seals = F_SEAL_SHRINK | F_SEAL_SEAL;
    if (grow) seals |= F_SEAL_GROW;
    if (write) seals |= F_SEAL_WRITE;
    return fcntl(fd, F_ADD_SEALS, seals);
}

int clinux_seal_patiently(int fd) {
    int result = clinux_add_seals(fd, 1, 1);
    for (int attempt = 0; result != 0 && errno == EBUSY && attempt < 10; attempt++) {
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        result = clinux_add_seals(fd, 1, 1);
    }
    return result;
}

int clinux_make_constant(int fd) {
    if (clinux_add_seals(fd, 1, 1) != 0) return -1;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int constant = open(path, O_RDONLY | O_CLOEXEC);
    if (constant < 0) {
        lseek(fd, 0, SEEK_SET);
        return fd;
    }
    close(fd);
    return constant;
}

int clinux_is_sealed(int fd) {
    const int wanted = F_SEAL_SHRINK | F_SEAL_WRITE;
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & wanted) == wanted;
}

/// Calls madvise(2) in chunks of 1 MiB: during each call no other thread of the process can map
/// memory.
static int advise(void *address, size_t length, int advice) {
    const size_t chunk = 1 << 20;
    for (size_t done = 0; done < length; done += chunk) {
        size_t left = length - done;
        if (madvise((char *)address + done, left < chunk ? left : chunk, advice) < 0) return -1;
    }
    return 0;
}

int clinux_populate(int fd, size_t offset, void *address, size_t length) {
    // Allocating all pages in one call is faster than allocating each page on its page fault.
    fallocate(fd, 0, (off_t)offset, (off_t)length);
    return advise(address, length, MADV_POPULATE_WRITE);
}

int clinux_populate_for_reading(const void *address, size_t length) {
    return advise((void *)address, length, MADV_POPULATE_READ);
}

void clinux_give_back(void *address, size_t length) { madvise(address, length, MADV_REMOVE); }

int clinux_set_nonblocking(int fd, int on) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -1;
    return fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK);
}

int clinux_set_cloexec(int fd, int on) { return fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0); }

int clinux_open_picture(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int clinux_open_without_links(const char *path, int flags) {
    struct open_how how = {
        .flags = (uint64_t)(unsigned int)(flags | O_CLOEXEC),
        .resolve = RESOLVE_NO_SYMLINKS,
    };
    return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

int clinux_stat_without_links(const char *path, struct stat *info) {
    int fd = clinux_open_without_links(path, O_PATH);
    if (fd < 0) return -1;
    int result = fstat(fd, info);
    int code = errno;
    close(fd);
    errno = code;
    return result;
}

int clinux_creation_time(int fd, int64_t *seconds) {
    struct statx info;
    if (statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &info) != 0) return -1;
    if (!(info.stx_mask & STATX_BTIME)) {
        errno = ENODATA;
        return -1;
    }
    *seconds = info.stx_btime.tv_sec;
    return 0;
}

ssize_t clinux_send(int socket, const void *bytes, size_t length, int fd) {
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = length};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    if (fd >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = sizeof control.space;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t clinux_send_patiently(int socket, const void *bytes, size_t length, int fd) {
    ssize_t sent = clinux_send(socket, bytes, length, fd);
    for (int attempt = 0; sent < 0 && errno == ETOOMANYREFS && attempt < 5000; attempt++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
        sent = clinux_send(socket, bytes, length, fd);
    }
    return sent;
}

ssize_t clinux_receive(int socket, void *bytes, size_t length, int *fd) {
    struct iovec vector = {.iov_base = bytes, .iov_len = length};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(16 * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1,
        .msg_control = &control, .msg_controllen = sizeof control.space,
    };
    *fd = -1;
    ssize_t received;
    // If the peer closed before it had read everything, recvmsg(2) fails once with ECONNRESET, before
    // the data that the peer sent.
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && (errno == EINTR || errno == ECONNRESET));
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int received_fd;
            memcpy(&received_fd, CMSG_DATA(header) + i * sizeof(int), sizeof received_fd);
            if (*fd < 0) *fd = received_fd;
            else close(received_fd);
        }
    }
    return received;
}

/// How long a message waits for a terminal or a pipe, in milliseconds.
enum { ERROR_PATIENCE = 5 };

void clinux_write_error(const char *bytes, size_t length) {
    while (length > 0) {
        struct pollfd poll_error = {.fd = 2, .events = POLLOUT};
        if (poll(&poll_error, 1, ERROR_PATIENCE) == 0) return;
        ssize_t written = write(2, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        length -= (size_t)written;
    }
}

int clinux_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

int clinux_create_unnamed_file(const char *folder, int64_t length) {
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (fd < 0) return -1;
    int code = EOPNOTSUPP;
    struct statfs file_system;
    // A file on tmpfs or ramfs takes the memory that the caller wants to save.
    if (fstatfs(fd, &file_system) == 0 &&
        (file_system.f_type == TMPFS_MAGIC || file_system.f_type == RAMFS_MAGIC))
        goto failed;
    // Not posix_fallocate(3): it writes every block if the file system has no fallocate(2).
    if (fallocate(fd, 0, 0, length) == 0) return fd;
    code = errno;
failed:
    close(fd);
    errno = code;
    return -1;
}

int clinux_make_temporary(char *name) { return mkostemp(name, O_CLOEXEC); }

enum clinux_origin clinux_origin(int fd) {
    struct statfs file_system;
    if (fstatfs(fd, &file_system) != 0) return CLINUX_LOCAL;
    // Those that linux/magic.h lacks in some versions have numbers here: CIFS, SMB2, FUSE, Ceph, kAFS,
    // VirtualBox and VMware shared folders, Lustre, OCFS2, GFS2.
    switch ((uint32_t)file_system.f_type) {
    case NFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case V9FS_MAGIC:
    case AFS_SUPER_MAGIC:
    case CODA_SUPER_MAGIC:
    case 0xFF534D42:
    case 0xFE534D42:
    case 0x65735546:
    case 0x00C36400:
    case 0x6B414653:
    case 0x786F4256:
    case 0xBACBACBC:
    case 0x0BD00BD0:
    case 0x7461636F:
    case 0x01161970: return CLINUX_REMOTE;
    case OVERLAYFS_SUPER_MAGIC: return CLINUX_LAYERED;
    default: return CLINUX_LOCAL;
    }
}

void clinux_close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
    // Linux before 5.9 has no close_range(2): close the descriptors one by one.
    long end = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < (end > 0 && end < 65536 ? end : 65536); fd++) close(fd);
}
