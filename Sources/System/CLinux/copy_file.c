#define _GNU_SOURCE
#include "include/clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/// Writes all of `length` bytes. Returns 0, or -1 with errno set.
static int write_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(fd, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) errno = EIO;
        if (count <= 0) return -1;
        bytes += count;
        length -= (size_t)count;
    }
    return 0;
}

int clinux_copy_contents(int from, int to, int64_t *offset, size_t most) {
    // On the stack: thread-local memory is cleared at the start of every thread.
    enum { chunk = 1 << 16 };
    char buffer[chunk];
    size_t done = 0;
    while (done < most) {
        ssize_t count = pread(from, buffer, most - done < chunk ? most - done : chunk, *offset);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -1;
        if (count == 0) return 0;
        if (write_all(to, buffer, (size_t)count) != 0) return -1;
        *offset += count;
        done += (size_t)count;
    }
    return 1;
}

/// Copies the extended attributes, ACLs among them, that the target accepts.
static void copy_extended_attributes(int from, int to) {
    enum { longest = 1 << 16 };
    char *names = malloc(longest), *value = malloc(longest);
    ssize_t length = names && value ? flistxattr(from, names, longest) : 0;
    for (ssize_t place = 0; place < length; place += (ssize_t)strlen(names + place) + 1) {
        ssize_t size = fgetxattr(from, names + place, value, longest);
        if (size >= 0) fsetxattr(to, names + place, value, (size_t)size, 0);
    }
    free(names);
    free(value);
}

int clinux_copy_attributes(int from, int to, int keeps_times) {
    struct stat info;
    if (fstat(from, &info) != 0) return -1;
    // The group first: a change of the owner ends the right to change the group.
    if (fchown(to, (uid_t)-1, info.st_gid) != 0) info.st_mode &= ~(mode_t)(S_ISGID | S_IRWXG);
    if (info.st_uid != geteuid() && fchown(to, info.st_uid, (gid_t)-1) != 0)
        info.st_mode &= ~(mode_t)S_ISUID;
    // File systems without modes refuse the call.
    if (fchmod(to, info.st_mode & 07777) != 0 && errno != EPERM && errno != ENOTSUP) return -1;
    copy_extended_attributes(from, to);
    struct timespec times[2] = {info.st_atim, info.st_mtim};
    if (keeps_times) futimens(to, times);
    return 0;
}

int clinux_rename_exclusively(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    // The file system lacks the flag: a link never replaces a file either.
    if (link(from, to) == 0) return unlink(from);
    if (errno != EPERM && errno != ENOTSUP && errno != EMLINK && errno != ENOSYS) return -1;
    // Without links, as on FAT: the name is tested, and taken right after that.
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

int clinux_exchange(const char *first, const char *second) {
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}
