#include "cdesktop.h"

#include <stdlib.h>
#include <string.h>

#include "bus.h"

/// Values of enumerations of GIO.
enum {
    AUTHENTICATION_CLIENT = 1 << 0,
    MESSAGE_BUS_CONNECTION = 1 << 3,
};

struct cdesktop_loop {
    GMainContext *context;
    GMainLoop *loop;
    cdesktop_callback woken;
    void *owner;
};

// MARK: Loop

cdesktop_loop *cdesktop_loop_make(void) {
    if (!gio_open()) return NULL;
    cdesktop_loop *loop = calloc(1, sizeof *loop);
    if (!loop) return NULL;
    loop->context = gio.g_main_context_new();
    loop->loop = gio.g_main_loop_new(loop->context, 0);
    return loop;
}

void cdesktop_loop_free(cdesktop_loop *loop) {
    gio.g_main_loop_unref(loop->loop);
    gio.g_main_context_unref(loop->context);
    free(loop);
}

void cdesktop_loop_begin(cdesktop_loop *loop, cdesktop_callback woken, void *context) {
    loop->woken = woken;
    loop->owner = context;
    gio.g_main_context_push_thread_default(loop->context);
}

void cdesktop_loop_run(cdesktop_loop *loop) { gio.g_main_loop_run(loop->loop); }

void cdesktop_loop_end(cdesktop_loop *loop) {
    loop->woken = NULL;
    while (gio.g_main_context_iteration(loop->context, 0)) continue;
    gio.g_main_context_pop_thread_default(loop->context);
}

static int call_woken(void *data) {
    cdesktop_loop *loop = data;
    if (loop->woken) loop->woken(loop->owner);
    return 0;
}

static int call_quit(void *data) {
    gio.g_main_loop_quit(((cdesktop_loop *)data)->loop);
    return 0;
}

static void attach(cdesktop_loop *loop, GSourceFunc function) {
    GSource *source = gio.g_idle_source_new();
    gio.g_source_set_priority(source, 0);
    gio.g_source_set_callback(source, function, loop, NULL);
    gio.g_source_attach(source, loop->context);
    gio.g_source_unref(source);
}

void cdesktop_loop_wake(cdesktop_loop *loop) { attach(loop, call_woken); }

// g_main_loop_quit has no effect before g_main_loop_run; a source waits for the loop.
void cdesktop_loop_quit(cdesktop_loop *loop) { attach(loop, call_quit); }

// MARK: Bus

static void connection_closed(
    GDBusConnection *connection, int has_vanished, GError *error, void *data) {
    (void)connection, (void)has_vanished, (void)error;
    cdesktop_bus *bus = data;
    bus->closed(bus->owner);
}

cdesktop_bus *cdesktop_bus_connect(
    const char *address, cdesktop_callback closed, void *context, char **error) {
    GError *failure = NULL;
    GDBusConnection *connection = gio.g_dbus_connection_new_for_address_sync(
        address, AUTHENTICATION_CLIENT | MESSAGE_BUS_CONNECTION, NULL, NULL, &failure);
    if (!connection) {
        *error = strdup(failure && failure->message ? failure->message : "");
        if (failure) gio.g_error_free(failure);
        return NULL;
    }
    // GIO would end the process with the bus.
    gio.g_dbus_connection_set_exit_on_close(connection, 0);
    cdesktop_bus *bus = malloc(sizeof *bus);
    if (!bus) {
        *error = NULL;
        gio.g_object_unref(connection);
        return NULL;
    }
    *bus = (cdesktop_bus){.connection = connection, .closed = closed, .owner = context};
    bus->closed_handler = gio.g_signal_connect_data(
        connection, "closed", (GCallback)connection_closed, bus, NULL, 0);
    return bus;
}

void cdesktop_bus_free(cdesktop_bus *bus) {
    gio.g_signal_handler_disconnect(bus->connection, bus->closed_handler);
    gio.g_dbus_connection_close_sync(bus->connection, NULL, NULL);
    gio.g_object_unref(bus->connection);
    free(bus);
}

const char *cdesktop_bus_name(cdesktop_bus *bus) {
    const char *name = gio.g_dbus_connection_get_unique_name(bus->connection);
    return name ? name : "";
}

// MARK: Signals

struct subscription {
    cdesktop_signal handler;
    cdesktop_callback release;
    void *context;
};

static void signal_arrived(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *member, GVariant *parameters, void *data) {
    (void)connection, (void)sender, (void)path, (void)interface, (void)member;
    struct subscription *subscription = data;
    subscription->handler(subscription->context, gio.g_variant_ref(parameters));
}

static void free_subscription(void *data) {
    struct subscription *subscription = data;
    subscription->release(subscription->context);
    free(subscription);
}

unsigned cdesktop_bus_subscribe(
    cdesktop_bus *bus, const char *sender, const char *path, const char *interface,
    const char *member, const char *argument, cdesktop_signal handler, void *context,
    cdesktop_callback release) {
    struct subscription *subscription = malloc(sizeof *subscription);
    if (!subscription) {
        release(context);
        return 0;
    }
    *subscription = (struct subscription){handler, release, context};
    return gio.g_dbus_connection_signal_subscribe(
        bus->connection, sender, interface, member, path, argument, 0, signal_arrived,
        subscription, free_subscription);
}

void cdesktop_bus_unsubscribe(cdesktop_bus *bus, unsigned subscription) {
    if (subscription) gio.g_dbus_connection_signal_unsubscribe(bus->connection, subscription);
}

// MARK: Calls

struct call {
    cdesktop_reply reply;
    void *context;
};

static void reply_arrived(void *source, GAsyncResult *result, void *data) {
    struct call *call = data;
    GError *error = NULL;
    GVariant *value = gio.g_dbus_connection_call_with_unix_fd_list_finish(
        source, NULL, result, &error);
    if (value) {
        call->reply(call->context, value, NULL, NULL);
    } else if (gio.g_dbus_connection_is_closed(source)) {
        call->reply(call->context, NULL, NULL, NULL);
        if (error) gio.g_error_free(error);
    } else {
        char *name = error ? gio.g_dbus_error_get_remote_error(error) : NULL;
        if (error) gio.g_dbus_error_strip_remote_error(error);
        call->reply(call->context, NULL, name, error && error->message ? error->message : "");
        gio.g_free(name);
        if (error) gio.g_error_free(error);
    }
    free(call);
}

/// A list of copies of the descriptors; NULL if one cannot be copied.
static GUnixFDList *list_of(const int *descriptors, int count) {
    GUnixFDList *list = gio.g_unix_fd_list_new();
    for (int index = 0; index < count; index++) {
        if (gio.g_unix_fd_list_append(list, descriptors[index], NULL) < 0) {
            gio.g_object_unref(list);
            return NULL;
        }
    }
    return list;
}

void cdesktop_bus_call(
    cdesktop_bus *bus, const char *destination, const char *path, const char *interface,
    const char *method, cdesktop_value *arguments, const int *descriptors, int count, int timeout,
    cdesktop_reply reply, void *context) {
    struct call *call = malloc(sizeof *call);
    GUnixFDList *list = call && count ? list_of(descriptors, count) : NULL;
    if (!call || (count && !list)) {
        const char *text = call ? "no descriptor is left" : "out of memory";
        free(call);
        gio.g_variant_unref(arguments);
        reply(context, NULL, NULL, text);
        return;
    }
    *call = (struct call){reply, context};
    gio.g_dbus_connection_call_with_unix_fd_list(
        bus->connection, destination, path, interface, method, arguments, NULL, 0, timeout, list,
        NULL, reply_arrived, call);
    if (list) gio.g_object_unref(list);
}

// MARK: Objects

static void object_called(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, void *data) {
    (void)connection, (void)sender, (void)path, (void)interface;
    const cdesktop_handlers *handlers = data;
    handlers->call(handlers->context, method, gio.g_variant_ref(parameters));
    gio.g_dbus_method_invocation_return_value(invocation, NULL);
}

static GVariant *property_read(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *property, GError **error, void *data) {
    (void)connection, (void)sender, (void)path, (void)interface, (void)error;
    const cdesktop_handlers *handlers = data;
    return handlers->get(handlers->context, property);
}

static int property_written(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *property, GVariant *value, GError **error, void *data) {
    (void)connection, (void)sender, (void)path, (void)interface, (void)error;
    const cdesktop_handlers *handlers = data;
    handlers->set(handlers->context, property, gio.g_variant_ref(value));
    return 1;
}

unsigned cdesktop_bus_offer(
    cdesktop_bus *bus, const char *path, const char *interface, const char *xml,
    const cdesktop_handlers *handlers) {
    static const GDBusInterfaceVTable table = {
        object_called, property_read, property_written, {NULL}};
    GDBusNodeInfo *info = gio.g_dbus_node_info_new_for_xml(xml, NULL);
    cdesktop_handlers *copy = malloc(sizeof *copy);
    unsigned offer = 0;
    if (info && copy) {
        *copy = *handlers;
        offer = gio.g_dbus_connection_register_object(
            bus->connection, path, gio.g_dbus_node_info_lookup_interface(info, interface), &table,
            copy, free, NULL);
    }
    // GIO frees the copy if it accepts the object.
    if (!offer) free(copy);
    if (info) gio.g_dbus_node_info_unref(info);
    return offer;
}

void cdesktop_bus_withdraw(cdesktop_bus *bus, unsigned offer) {
    if (offer) gio.g_dbus_connection_unregister_object(bus->connection, offer);
}

void cdesktop_bus_emit(
    cdesktop_bus *bus, const char *path, const char *interface, const char *signal,
    cdesktop_value *parameters) {
    gio.g_dbus_connection_emit_signal(
        bus->connection, NULL, path, interface, signal, parameters, NULL);
}

// MARK: Values

void cdesktop_value_free(cdesktop_value *value) { gio.g_variant_unref(value); }

char cdesktop_value_kind(cdesktop_value *value) { return (char)gio.g_variant_classify(value); }

int cdesktop_value_is_true(cdesktop_value *value) { return gio.g_variant_get_boolean(value); }

int64_t cdesktop_value_integer(cdesktop_value *value) {
    switch (gio.g_variant_classify(value)) {
    case 'y': return gio.g_variant_get_byte(value);
    case 'n': return gio.g_variant_get_int16(value);
    case 'q': return gio.g_variant_get_uint16(value);
    case 'i': return gio.g_variant_get_int32(value);
    case 'u': return gio.g_variant_get_uint32(value);
    case 'x': return gio.g_variant_get_int64(value);
    default: return 0;
    }
}

double cdesktop_value_number(cdesktop_value *value) { return gio.g_variant_get_double(value); }

const char *cdesktop_value_text(cdesktop_value *value) {
    return gio.g_variant_get_string(value, NULL);
}

size_t cdesktop_value_count(cdesktop_value *value) { return gio.g_variant_n_children(value); }

cdesktop_value *cdesktop_value_child(cdesktop_value *value, size_t index) {
    return gio.g_variant_get_child_value(value, index);
}

cdesktop_value *cdesktop_value_make_bool(int is_true) { return gio.g_variant_new_boolean(is_true); }

cdesktop_value *cdesktop_value_make_byte(uint8_t byte) { return gio.g_variant_new_byte(byte); }

cdesktop_value *cdesktop_value_make_handle(int32_t number) {
    return gio.g_variant_new_handle(number);
}

cdesktop_value *cdesktop_value_make_unsigned(uint32_t number) {
    return gio.g_variant_new_uint32(number);
}

cdesktop_value *cdesktop_value_make_integer(int64_t number) {
    return gio.g_variant_new_int64(number);
}

cdesktop_value *cdesktop_value_make_short_integer(int32_t number) {
    return gio.g_variant_new_int32(number);
}

cdesktop_value *cdesktop_value_make_path(const char *path) {
    return gio.g_variant_new_object_path(path);
}

cdesktop_value *cdesktop_value_make_double(double number) {
    return gio.g_variant_new_double(number);
}

cdesktop_value *cdesktop_value_make_text(const char *text) {
    return gio.g_variant_new_string(text);
}

cdesktop_value *cdesktop_value_make_variant(cdesktop_value *value) {
    return gio.g_variant_new_variant(value);
}

cdesktop_value *cdesktop_value_make_entry(cdesktop_value *key, cdesktop_value *value) {
    return gio.g_variant_new_dict_entry(key, value);
}

cdesktop_value *cdesktop_value_make_tuple(cdesktop_value *const *children, size_t count) {
    return gio.g_variant_new_tuple(children, count);
}

cdesktop_value *cdesktop_value_make_array(
    const char *type, cdesktop_value *const *children, size_t count) {
    // A GVariantType is its text.
    return gio.g_variant_new_array((const GVariantType *)type, children, count);
}
