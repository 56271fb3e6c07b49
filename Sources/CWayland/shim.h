// The client and the server core in one module: two modules would define wl_message twice.
// Only the client and cursor libraries are linked from here; the server library is linked by
// the test compositor's target.
#include <wayland-client-core.h>
#include <wayland-cursor.h>
#include <wayland-server-core.h>

/// `wl_resource_post_error`, which is variadic and so unknown to Swift, with a finished message.
static inline void cwayland_post_error(
    struct wl_resource *resource, uint32_t code, const char *message) {
    wl_resource_post_error(resource, code, "%s", message);
}
