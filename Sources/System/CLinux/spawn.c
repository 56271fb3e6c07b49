#define _GNU_SOURCE
#include "include/clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// What the new process reads from the memory of its parent before it executes the program.
struct start {
    const char *path;
    int program;
    int socket;
    /// Nonzero in an own user namespace, in which the process is the superuser.
    int has_users;
    unsigned user, group;
    /// errno if the program could not be executed.
    volatile int code;
};

/// Where the program has its socket.
enum { program_socket = 3 };

#if __has_feature(thread_sanitizer)
/// Builds that report races of threads, which tests alone use, keep records of threads in memory that
/// two processes must not share. There a program that cannot be executed ends with 127.
enum { memory_flags = CLONE_VFORK };
#else
/// As vfork(2): the parent's memory is not copied.
enum { memory_flags = CLONE_VM | CLONE_VFORK };
#endif

static void write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t written = write(fd, text, strlen(text));
    (void)written;
    close(fd);
}

void clinux_become_superuser(unsigned user, unsigned group) {
    char map[32];
    snprintf(map, sizeof map, "0 %u 1", user);
    write_text("/proc/self/uid_map", map);
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "0 %u 1", group);
    write_text("/proc/self/gid_map", map);
}

#if __has_feature(address_sanitizer)
#ifdef VITRINE_SANITIZER
/// For programs whose environment has no ASAN_OPTIONS, as that of a decoder. Its sandbox lets it start
/// no program that looks names up. The fuzzing harnesses have options of their own. A weak function would
/// not do: the library of the sanitizer has one, too.
const char *__asan_default_options(void) {
    return "abort_on_error=1:detect_leaks=0:symbolize=0:allocator_may_return_null=1";
}
#endif

/// Builds that report bad addresses, which tests alone use, append the reports of decoders to a file.
static void keep_reports(void) {
    const char *path = getenv("VITRINE_REPORTS");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
    if (fd >= 0) dup2(fd, STDERR_FILENO);
}
#else
static void keep_reports(void) {}
#endif

/// Executes the file of the descriptor, which may no longer have a name. Returns with errno set where that is
/// not possible: EBADF without a descriptor, ENOENT for a script, whose interpreter needs a path.
static void execute_descriptor(int program, char *const *arguments, char *const *environment) {
#ifdef SYS_execveat
    syscall(SYS_execveat, program, "", arguments, environment, AT_EMPTY_PATH);
#else
    errno = ENOSYS;
#endif
}

/// Runs in the new process, in the memory of the parent, which sleeps until execve(2) or the end. All
/// signals are blocked.
static int run(void *argument) {
    struct start *start = argument;
    // A signal handler of the parent must not run here.
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL ||
            action.sa_handler == SIG_IGN)
            continue;
        action.sa_handler = SIG_DFL;
        action.sa_flags = 0;
        sigaction(number, &action, NULL);
    }
    // kill(2) of the own group would otherwise reach the parent, even from another PID namespace.
    setsid();
    if (start->has_users) {
        clinux_become_superuser(start->user, start->group);
    }
    // Above the descriptors of the new program, which replace others.
    int program =
        start->program < 0 ? -1 : fcntl(start->program, F_DUPFD_CLOEXEC, program_socket + 1);
    // Not the parent's standard error: if that is a terminal, the program could read from it and
    // control it.
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) goto failed;
    // `null` may have that number, but never a lower one unless a standard descriptor was closed.
    if (start->socket == program_socket) fcntl(program_socket, F_SETFD, 0);
    else if (dup2(start->socket, program_socket) < 0) goto failed;
    for (int fd = 0; fd < program_socket; fd++) {
        if (dup2(null, fd) < 0) goto failed;
    }
    keep_reports();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    char *const arguments[] = {(char *)start->path, NULL};
    char *const environment[] = {NULL};
    execute_descriptor(program, arguments, environment);
    if (errno == EBADF || errno == ENOENT || errno == ENOSYS) {
        execve(start->path, arguments, environment);
    }
failed:
    start->code = errno;
    _exit(127);
}

int clinux_open_path(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

pid_t clinux_spawn_isolated(const char *path, int program, int socket) {
    // Own namespaces, from the most to the least. A kernel, a container or a security module may
    // refuse any of them. A privileged process in a container may be refused only the user namespace.
    const int attempts[] = {
        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC,
        CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC,
        0,
    };
    const size_t count = sizeof attempts / sizeof *attempts;
    struct start start = {
        .path = path,
        .program = program,
        .socket = socket,
        .user = geteuid(),
        .group = getegid()};
    _Alignas(16) char stack[32 << 10];
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    pid_t process = -1;
    for (size_t i = 0; i < count; i++) {
        start.has_users = (attempts[i] & CLONE_NEWUSER) != 0;
        start.code = 0;
        int flags = memory_flags | SIGCHLD | attempts[i];
        process = clone(run, stack + sizeof stack, flags, &start);
        if (process < 0) continue;
        if (start.code == 0) break;
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
        process = -1;
        errno = start.code;
        // The superuser of a user namespace has no access to folders of other users.
        if (start.code != EACCES) break;
    }
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    errno = code;
    return process;
}
