// The client and the server core in one module: two modules would define wl_message twice.
// Only the client and cursor libraries are linked from here; the server library is linked by
// the test compositor's target.
#include <stdarg.h>
#include <stdio.h>

#include <wayland-client-core.h>
#include <wayland-cursor.h>
#include <wayland-server-core.h>

/// `wl_resource_post_error`, which is variadic and so unknown to Swift, with a finished message.
static inline void cwayland_post_error(
    struct wl_resource *resource, uint32_t code, const char *message) {
    wl_resource_post_error(resource, code, "%s", message);
}

typedef void (*cwayland_log_handler)(const char *message);

/// Where the receiver of log messages is kept: Swift emits a function's static, but no header's.
static inline cwayland_log_handler *cwayland_log_receiver(void) {
    static cwayland_log_handler receiver = 0;
    return &receiver;
}

static inline void cwayland_log(const char *format, va_list arguments) {
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    (*cwayland_log_receiver())(message);
}

/// `wl_log_set_handler_client`, whose va_list Swift imports differently from machine to machine.
static inline void cwayland_set_log_handler(cwayland_log_handler handler) {
    *cwayland_log_receiver() = handler;
    wl_log_set_handler_client(cwayland_log);
}
