#define _GNU_SOURCE
#include "include/trespass.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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

int trespass_exec(void) {
    char *const arguments[] = {"true", NULL};
    return outcome(execve("/usr/bin/true", arguments, NULL));
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

int trespass_kill_parent(void) { return outcome(kill(getppid(), SIGCONT)); }

int trespass_trace_parent(void) { return outcome(ptrace(PTRACE_SEIZE, getppid(), 0, 0)); }

int trespass_lift_limits(void) {
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    return outcome(setrlimit(RLIMIT_AS, &none));
}

int trespass_write_to(int fd) { return outcome(write(fd, "x", 1)); }
int trespass_write_into(int fd) { return outcome(pwrite(fd, "x", 1, 0)); }

int trespass_chroot(void) { return outcome(chroot("/usr/lib")); }

int trespass_x32(void) {
#ifdef __x86_64__
    return outcome(syscall(0x40000000 + SYS_getpid));
#else
    return ENOTSUP;
#endif
}
