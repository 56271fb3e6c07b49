// Objects below a path that come and go: a subtree of GIO.
#include <stdlib.h>
#include <string.h>

#include "bus.h"

/// A value of GDBusSubtreeFlags: objects are not listed before they are called.
enum { DISPATCH_TO_UNENUMERATED_NODES = 1 };

static const char unknown_object[] = "org.freedesktop.DBus.Error.UnknownObject";
static const char invalid_arguments[] = "org.freedesktop.DBus.Error.InvalidArgs";

struct service {
    cdesktop_service handlers;
    GDBusNodeInfo *info;
    size_t count;
    const char *interfaces[];
};

/// The last part of a path.
static const char *node_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static char **enumerate(
    GDBusConnection *connection, const char *sender, const char *path, void *data) {
    (void)connection, (void)sender, (void)path, (void)data;
    return gio.g_malloc0(sizeof(char *));
}

static GDBusInterfaceInfo **introspect(
    GDBusConnection *connection, const char *sender, const char *path, const char *node,
    void *data) {
    (void)connection, (void)sender, (void)path;
    const struct service *service = data;
    if (!node) return NULL;
    GDBusInterfaceInfo **infos = gio.g_malloc0((service->count + 1) * sizeof *infos);
    size_t count = 0;
    for (size_t index = 0; index < service->count; index++) {
        const char *name = service->interfaces[index];
        if (!service->handlers.has(service->handlers.context, node, name)) continue;
        GDBusInterfaceInfo *info = gio.g_dbus_node_info_lookup_interface(service->info, name);
        if (info) infos[count++] = gio.g_dbus_interface_info_ref(info);
    }
    if (count) return infos;
    gio.g_free(infos);
    return NULL;
}

static void called(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, void *data) {
    (void)connection, (void)sender;
    const cdesktop_service *handlers = data;
    GVariant *result = handlers->call(
        handlers->context, node_of(path), interface, method, gio.g_variant_ref(parameters));
    if (result) {
        gio.g_dbus_method_invocation_return_value(invocation, result);
    } else {
        gio.g_dbus_method_invocation_return_dbus_error(
            invocation, invalid_arguments, "no such object, or arguments that make no sense");
    }
}

static GVariant *property_read(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *property, GError **error, void *data) {
    (void)connection, (void)sender;
    const cdesktop_service *handlers = data;
    GVariant *value = handlers->get(handlers->context, node_of(path), interface, property);
    if (!value && error) {
        *error = gio.g_dbus_error_new_for_dbus_error(unknown_object, "no such object");
    }
    return value;
}

static int property_written(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *property, GVariant *value, GError **error, void *data) {
    (void)connection, (void)sender;
    const cdesktop_service *handlers = data;
    if (handlers->set(
            handlers->context, node_of(path), interface, property, gio.g_variant_ref(value))) {
        return 1;
    }
    if (error) {
        *error = gio.g_dbus_error_new_for_dbus_error(invalid_arguments, "it cannot be set");
    }
    return 0;
}

static const GDBusInterfaceVTable *dispatch(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *node, void **table_data, void *data) {
    static const GDBusInterfaceVTable table = {called, property_read, property_written, {NULL}};
    (void)connection, (void)sender, (void)path;
    struct service *service = data;
    if (!node || !service->handlers.has(service->handlers.context, node, interface)) return NULL;
    *table_data = &service->handlers;
    return &table;
}

static void free_service(void *data) {
    struct service *service = data;
    gio.g_dbus_node_info_unref(service->info);
    for (size_t index = 0; index < service->count; index++) {
        free((char *)service->interfaces[index]);
    }
    free(service);
}

unsigned cdesktop_bus_serve(
    cdesktop_bus *bus, const char *path, const char *xml, const char *const *interfaces,
    size_t count, const cdesktop_service *handlers) {
    static const GDBusSubtreeVTable table = {enumerate, introspect, dispatch, {NULL}};
    // This file has a table of its own.
    if (!gio_open()) return 0;
    GDBusNodeInfo *info = gio.g_dbus_node_info_new_for_xml(xml, NULL);
    if (!info) return 0;
    struct service *service = calloc(1, sizeof *service + count * sizeof(char *));
    if (!service) {
        gio.g_dbus_node_info_unref(info);
        return 0;
    }
    service->handlers = *handlers;
    service->info = info;
    for (size_t index = 0; index < count; index++) {
        char *name = strdup(interfaces[index]);
        if (!name) break;
        service->interfaces[service->count++] = name;
    }
    unsigned number = gio.g_dbus_connection_register_subtree(
        bus->connection, path, &table, DISPATCH_TO_UNENUMERATED_NODES, service, free_service,
        NULL);
    // GIO frees the service if it accepts the objects.
    if (!number) free_service(service);
    return number;
}

void cdesktop_bus_end_service(cdesktop_bus *bus, unsigned number) {
    if (number) gio.g_dbus_connection_unregister_subtree(bus->connection, number);
}
