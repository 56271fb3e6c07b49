#define _GNU_SOURCE
#include "include/trespass.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int outcome(long result) { return result < 0 ? errno : 0; }

int trespass_open(const char *path) {
    char byte;
    int fd = open(path, O_RDONLY);
    if (fd < 0) return errno;
    int result = outcome(read(fd, &byte, 1));
    close(fd);
    return result;
}

int trespass_write(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0) close(fd);
    return outcome(fd);
}

int trespass_connect(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return errno;
    int result = outcome(connect(fd, (struct sockaddr *)&address, sizeof address));
    close(fd);
    return result;
}

static int wait_for(long child) {
    if (child == 0) _exit(0);
    if (child < 0) return errno;
    return outcome(waitpid((pid_t)child, NULL, 0));
}

int trespass_fork(void) { return wait_for(fork()); }

int trespass_clone3(void) {
    uint64_t arguments[8] = {[4] = SIGCHLD};
    return wait_for(syscall(435, arguments, sizeof arguments));
}

int trespass_exec(const char *path) {
    char *const arguments[] = {(char *)path, NULL};
    return outcome(execve(path, arguments, NULL));
}

int trespass_allocate(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? errno : 0;
}

int trespass_fill_shared_memory(size_t bytes) {
    int fd = memfd_create("trespass", MFD_CLOEXEC);
    if (fd < 0) return errno;
    int result = outcome(ftruncate(fd, (off_t)bytes));
    close(fd);
    return result;
}

int trespass_take_huge_pages(void) { return outcome(memfd_create("trespass", MFD_HUGETLB)); }

int trespass_hold_memory(int count) {
    int held[512], result = 0, length = 0;
    while (length < count && result == 0) {
        held[length] = memfd_create("trespass", MFD_CLOEXEC);
        if (held[length] < 0) result = errno;
        else length++;
    }
    while (length > 0) close(held[--length]);
    return result;
}

int trespass_lock_memory(void) {
    static char page[4096];
    return outcome(mlock(page, sizeof page));
}

int trespass_stat(const char *path) {
    struct stat info;
    return outcome(stat(path, &info));
}

int trespass_list(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return errno;
    closedir(folder);
    return 0;
}

int trespass_mount(void) { return outcome(mount("none", "/usr/lib", "tmpfs", 0, NULL)); }

int trespass_kill(int process) { return outcome(kill(process, SIGCONT)); }

int trespass_trace(int process) { return outcome(ptrace(PTRACE_SEIZE, process, 0, 0)); }

int trespass_read_memory(int process, size_t address) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)address, 1};
    return outcome(process_vm_readv(process, &here, 1, &there, 1, 0));
}

int trespass_lift_limits(void) {
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    return outcome(setrlimit(RLIMIT_AS, &none));
}

int trespass_write_to(int fd) { return outcome(write(fd, "x", 1)); }
int trespass_write_into(int fd) { return outcome(pwrite(fd, "x", 1, 0)); }

int trespass_map(int fd) {
    void *memory = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? errno : 0;
}

int trespass_chroot(void) { return outcome(chroot("/usr/lib")); }

int trespass_x32(void) {
#ifdef __x86_64__
    return outcome(syscall(0x40000000 + SYS_getpid));
#else
    return ENOTSUP;
#endif
}
