#define _GNU_SOURCE
#include "include/csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"

// linux/mount.h of the build system may be older than the running kernel, and conflicts with
// sys/mount.h of some C libraries.
enum {
    mount_setattr_number = 442,  // the same on all architectures
    attribute_read_only = 1,
    attribute_no_setuid = 2,
    attribute_no_devices = 4,
    recursive = 0x8000,
};

struct attributes {
    uint64_t set;
    uint64_t clear;
    uint64_t propagation;
    uint64_t user_namespace;
};

/// Folders that exist on every system, and that the process needs no more. The new root is mounted on
/// the first one that exists.
static const char *const mount_points[] = {"/tmp", "/proc", "/run", "/dev"};

/// Creates the folders above the last name of `path`; `path` is relative.
static int make_parents(char *path) {
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        int result = mkdir(path, 0755);
        *slash = '/';
        if (result != 0 && errno != EEXIST) return -errno;
    }
    return 0;
}

/// Makes one bind mount read-only: for Linux before 5.12, which has no mount_setattr(2). Flags that the
/// mount has already must be repeated.
static int make_read_only(const char *path) {
    struct statvfs info;
    if (statvfs(path, &info) != 0) return -errno;
    unsigned long flags = MS_NOSUID | MS_NODEV;
    if (info.f_flag & ST_NOEXEC) flags |= MS_NOEXEC;
    if (info.f_flag & ST_NOATIME) flags |= MS_NOATIME;
    if (info.f_flag & ST_NODIRATIME) flags |= MS_NODIRATIME;
    if (info.f_flag & ST_RELATIME) flags |= MS_RELATIME;
    flags |= MS_REMOUNT | MS_BIND | MS_RDONLY;
    return mount(NULL, path, NULL, flags, NULL) == 0 ? 0 : -errno;
}

/// Shows the file or folder `path` at the same path of the new root, which is the current folder.
static int show(const char *path, int makes_read_only) {
    struct stat info;
    char place[PATH_MAX], target[PATH_MAX];
    if (lstat(path, &info) != 0) return 0;
    if (snprintf(place, sizeof place, "%s", path + 1) >= (int)sizeof place) return -ENAMETOOLONG;
    int code = make_parents(place);
    if (code < 0) return code;
    // On most systems /lib is a link to usr/lib.
    if (S_ISLNK(info.st_mode)) {
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0) return -errno;
        target[length] = 0;
        return symlink(target, place) == 0 ? 0 : -errno;
    }
    if (S_ISDIR(info.st_mode)) {
        if (mkdir(place, 0755) != 0 && errno != EEXIST) return -errno;
    } else {
        int fd = open(place, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (fd < 0) return -errno;
        close(fd);
    }
    if (mount(path, place, NULL, MS_BIND | MS_REC, NULL) != 0) return -errno;
    return makes_read_only ? make_read_only(place) : 0;
}

/// Fills the new root, which is the current folder, and makes it read-only.
static int fill(void) {
    struct attributes attributes = {
        .set = attribute_read_only | attribute_no_setuid | attribute_no_devices};
    // Without the call, an invalid flag would be EINVAL.
    int is_old = syscall(mount_setattr_number, -1, "", ~0U, NULL, (size_t)0) < 0 && errno == ENOSYS;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int code = show(places[i].path, is_old);
        if (code < 0) return code;
    }
    if (is_old) return make_read_only(".");
    if (syscall(mount_setattr_number, AT_FDCWD, ".", recursive, &attributes, sizeof attributes) < 0)
        return -errno;
    return 0;
}

int csandbox_empty_root(void) {
    if (unshare(CLONE_NEWNS) != 0) return -errno;
    // No mount reaches the other namespaces, nor the other way round.
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -errno;
    const size_t points = sizeof mount_points / sizeof *mount_points;
    int code = -ENOENT;
    for (size_t i = 0; i < points; i++) {
        const char *options = "mode=755,size=64k,nr_inodes=128";
        if (mount("none", mount_points[i], "tmpfs", MS_NOSUID | MS_NODEV, options) == 0) {
            code = chdir(mount_points[i]) == 0 ? 0 : -errno;
            break;
        }
        code = -errno;
        if (code != -ENOENT) break;
    }
    if (code == 0) code = fill();
    if (code < 0) return code;
    // The old root is mounted over the new one, and then released with everything beneath it: a mount
    // that stayed would keep a disk busy that the user ejects.
    if (syscall(SYS_pivot_root, ".", ".") == 0) {
        if (umount2(".", MNT_DETACH) != 0) return -errno;
    } else if (chroot(".") != 0) {
        // Both fail without the capability; only pivot_root(2) fails if the root is an initramfs.
        return -errno;
    }
    return chdir("/") == 0 ? 0 : -errno;
}
