// The client and the server core in one module: two modules would define wl_message twice.
// Only the client and cursor libraries are linked from here; the server library is linked by
// the test compositor's target.
#include <wayland-client-core.h>
#include <wayland-cursor.h>
#include <wayland-server-core.h>
