#define _GNU_SOURCE
#include "include/clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

int clinux_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    return clinux_set_nonblocking(ends[0], 1);
}

ssize_t clinux_write_now(int fd, const void *bytes, size_t length) {
    sigset_t broken, pending, before;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t count = write(fd, bytes, length);
    int error = errno;
    // The signal of this write alone: one that was pending before stays.
    if (count < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE)) {
        const struct timespec now = {0, 0};
        while (sigtimedwait(&broken, NULL, &now) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return count;
}
