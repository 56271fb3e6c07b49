#define _GNU_SOURCE
#include "include/clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/// Writes the address of a path, or of an abstract name after `@`, as sd_notify(3) writes it. Returns its
/// length, or 0 with errno set if the path is too long.
static socklen_t make_address(struct sockaddr_un *address, const char *path) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address->sun_path) {
        errno = length == 0 ? ENOENT : ENAMETOOLONG;
        return 0;
    }
    memcpy(address->sun_path, path, length);
    // A path has a terminating NUL; an abstract name begins with one and has no other.
    int is_abstract = path[0] == '@';
    if (is_abstract) address->sun_path[0] = 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + !is_abstract);
}

static int close_failed(int fd) {
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

int clinux_listen(const char *path, int backlog) {
    struct sockaddr_un address;
    socklen_t length = make_address(&address, path);
    if (length == 0) return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    // The kernel gives the file the mode of the socket, so that no moment passes in which others may connect:
    // unlike umask(2), it affects no other thread.
    if (fchmod(fd, 0600) != 0) return close_failed(fd);
    if (bind(fd, (struct sockaddr *)&address, length) != 0) return close_failed(fd);
    if (listen(fd, backlog) != 0) return close_failed(fd);
    return fd;
}

int clinux_is_listening(int fd) {
    int domain = 0, type = 0, listens = 0;
    socklen_t length = sizeof domain;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0) return 0;
    length = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0) return 0;
    length = sizeof listens;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0) return 0;
    return domain == AF_UNIX && type == SOCK_STREAM && listens;
}

int clinux_accept(int fd) {
    int connection;
    do connection = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    while (connection < 0 && (errno == EINTR || errno == ECONNABORTED));
    return connection;
}

int clinux_connect(const char *path) {
    struct sockaddr_un address;
    socklen_t length = make_address(&address, path);
    if (length == 0) return -1;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    int code;
    do code = connect(fd, (struct sockaddr *)&address, length);
    while (code != 0 && errno == EINTR);
    return code == 0 ? fd : close_failed(fd);
}

int64_t clinux_peer_user(int fd) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    return peer.uid;
}

ssize_t clinux_send_now(int fd, const void *bytes, size_t length) {
    ssize_t sent;
    do sent = send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent;
}

int clinux_send_datagram(const char *path, const void *bytes, size_t length) {
    struct sockaddr_un address;
    socklen_t size = make_address(&address, path);
    if (size == 0) return -1;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    ssize_t sent;
    do
        sent = sendto(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT,
                      (struct sockaddr *)&address, size);
    while (sent < 0 && errno == EINTR);
    if (sent < 0) return close_failed(fd);
    close(fd);
    return 0;
}
