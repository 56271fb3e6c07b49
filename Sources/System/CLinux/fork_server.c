#define _GNU_SOURCE
#include "include/clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

static void ignore(int signal) { (void)signal; }

static void set_child_signal(void (*handler)(int), int how) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, NULL);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigprocmask(how, &signals, NULL);
}

void clinux_watch_children(void) { set_child_signal(ignore, SIG_BLOCK); }

int clinux_wait_for_request(int socket) {
    struct pollfd poll = {.fd = socket, .events = POLLIN};
    sigset_t none;
    sigemptyset(&none);
    return ppoll(&poll, 1, NULL, &none);
}

void clinux_name_process(void) { prctl(PR_SET_NAME, program_invocation_short_name, 0, 0, 0); }

pid_t clinux_fork_decoder(void) {
    pid_t server = getpid();
    pid_t child = fork();
    if (child != 0) return child;
    set_child_signal(SIG_DFL, SIG_UNBLOCK);
    // The server may have ended before the request for the signal.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != server) _exit(1);
    return 0;
}

pid_t clinux_fork_service(int socket) {
    const int service_socket = 3;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) return child;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent) _exit(1);
    // Signals of the terminal are for the parent, which ends the child.
    setsid();
    prctl(PR_SET_NAME, "vitrine-files", 0, 0, 0);
    if (socket != service_socket) dup2(socket, service_socket);
    fcntl(service_socket, F_SETFD, FD_CLOEXEC);
    clinux_close_from(service_socket + 1);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < service_socket; fd++) dup2(null, fd);
    if (null >= service_socket) close(null);
    return 0;
}
