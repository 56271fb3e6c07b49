// The declarations of GLib, GObject and GIO that are used here, and the table of the functions.
//
// The libraries' headers need search paths of their own, and these declarations belong to a stable
// interface. All functions are found through libgio, which links the other libraries.
#ifndef GIO_H
#define GIO_H

#include <stddef.h>
#include <stdint.h>

#include "cloader.h"

typedef struct _GMainContext GMainContext;
typedef struct _GMainLoop GMainLoop;
typedef struct _GSource GSource;
typedef struct _GVariant GVariant;
typedef struct _GVariantType GVariantType;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GAsyncResult GAsyncResult;
typedef struct _GUnixFDList GUnixFDList;
typedef struct _GDBusMethodInvocation GDBusMethodInvocation;
typedef struct _GDBusNodeInfo GDBusNodeInfo;
typedef struct _GDBusInterfaceInfo GDBusInterfaceInfo;


typedef struct GError {
    uint32_t domain;
    int code;
    char *message;
} GError;

typedef int (*GSourceFunc)(void *data);
typedef void (*GDestroyNotify)(void *data);
typedef void (*GCallback)(void);
typedef void (*GAsyncReadyCallback)(void *source, GAsyncResult *result, void *data);
typedef void (*GDBusSignalCallback)(
    GDBusConnection *connection, const char *sender, const char *path, const char *interface,
    const char *member, GVariant *parameters, void *data);

typedef struct GDBusInterfaceVTable {
    void (*method_call)(
        GDBusConnection *connection, const char *sender, const char *path, const char *interface,
        const char *method, GVariant *parameters, GDBusMethodInvocation *invocation, void *data);
    GVariant *(*get_property)(
        GDBusConnection *connection, const char *sender, const char *path, const char *interface,
        const char *property, GError **error, void *data);
    int (*set_property)(
        GDBusConnection *connection, const char *sender, const char *path, const char *interface,
        const char *property, GVariant *value, GError **error, void *data);
    void *padding[8];
} GDBusInterfaceVTable;

typedef struct GDBusSubtreeVTable {
    char **(*enumerate)(
        GDBusConnection *connection, const char *sender, const char *path, void *data);
    GDBusInterfaceInfo **(*introspect)(
        GDBusConnection *connection, const char *sender, const char *path, const char *node,
        void *data);
    const GDBusInterfaceVTable *(*dispatch)(
        GDBusConnection *connection, const char *sender, const char *path, const char *interface,
        const char *node, void **table_data, void *data);
    void *padding[8];
} GDBusSubtreeVTable;

GMainContext *g_main_context_new(void);
void g_main_context_unref(GMainContext *context);
void g_main_context_push_thread_default(GMainContext *context);
void g_main_context_pop_thread_default(GMainContext *context);
int g_main_context_iteration(GMainContext *context, int may_block);
GMainLoop *g_main_loop_new(GMainContext *context, int is_running);
void g_main_loop_run(GMainLoop *loop);
void g_main_loop_quit(GMainLoop *loop);
void g_main_loop_unref(GMainLoop *loop);
GSource *g_idle_source_new(void);
void g_source_set_priority(GSource *source, int priority);
void g_source_set_callback(
    GSource *source, GSourceFunc function, void *data, GDestroyNotify notify);
unsigned g_source_attach(GSource *source, GMainContext *context);
void g_source_unref(GSource *source);

void g_error_free(GError *error);
void g_free(void *memory);
void *g_malloc0(size_t size);
void g_object_unref(void *object);
unsigned long g_signal_connect_data(
    void *object, const char *signal, GCallback handler, void *data, void *notify, int flags);
void g_signal_handler_disconnect(void *object, unsigned long handler);

GDBusConnection *g_dbus_connection_new_for_address_sync(
    const char *address, int flags, void *observer, void *cancellable, GError **error);
int g_dbus_connection_close_sync(GDBusConnection *connection, void *cancellable, GError **error);
int g_dbus_connection_is_closed(GDBusConnection *connection);
const char *g_dbus_connection_get_unique_name(GDBusConnection *connection);
void g_dbus_connection_set_exit_on_close(GDBusConnection *connection, int exits);
unsigned g_dbus_connection_signal_subscribe(
    GDBusConnection *connection, const char *sender, const char *interface, const char *member,
    const char *path, const char *argument, int flags, GDBusSignalCallback callback, void *data,
    GDestroyNotify notify);
void g_dbus_connection_signal_unsubscribe(GDBusConnection *connection, unsigned subscription);
void g_dbus_connection_call_with_unix_fd_list(
    GDBusConnection *connection, const char *name, const char *path, const char *interface,
    const char *method, GVariant *parameters, const GVariantType *reply_type, int flags,
    int timeout, GUnixFDList *descriptors, void *cancellable, GAsyncReadyCallback callback,
    void *data);
GVariant *g_dbus_connection_call_with_unix_fd_list_finish(
    GDBusConnection *connection, GUnixFDList **descriptors, GAsyncResult *result, GError **error);
GUnixFDList *g_unix_fd_list_new(void);
int g_unix_fd_list_append(GUnixFDList *list, int descriptor, GError **error);
GDBusNodeInfo *g_dbus_node_info_new_for_xml(const char *xml, GError **error);
GDBusInterfaceInfo *g_dbus_node_info_lookup_interface(GDBusNodeInfo *info, const char *name);
void g_dbus_node_info_unref(GDBusNodeInfo *info);
unsigned g_dbus_connection_register_object(
    GDBusConnection *connection, const char *path, GDBusInterfaceInfo *interface,
    const GDBusInterfaceVTable *table, void *data, GDestroyNotify notify, GError **error);
int g_dbus_connection_unregister_object(GDBusConnection *connection, unsigned registration);
unsigned g_dbus_connection_register_subtree(
    GDBusConnection *connection, const char *path, const GDBusSubtreeVTable *table, int flags,
    void *data, GDestroyNotify notify, GError **error);
int g_dbus_connection_unregister_subtree(GDBusConnection *connection, unsigned registration);
GDBusInterfaceInfo *g_dbus_interface_info_ref(GDBusInterfaceInfo *info);
int g_dbus_connection_emit_signal(
    GDBusConnection *connection, const char *destination, const char *path, const char *interface,
    const char *signal, GVariant *parameters, GError **error);
void g_dbus_method_invocation_return_value(GDBusMethodInvocation *invocation, GVariant *result);
void g_dbus_method_invocation_return_dbus_error(
    GDBusMethodInvocation *invocation, const char *name, const char *text);
GError *g_dbus_error_new_for_dbus_error(const char *name, const char *text);
char *g_dbus_error_get_remote_error(const GError *error);
int g_dbus_error_strip_remote_error(GError *error);

GVariant *g_variant_ref(GVariant *value);
void g_variant_unref(GVariant *value);
int g_variant_classify(GVariant *value);
int g_variant_get_boolean(GVariant *value);
uint8_t g_variant_get_byte(GVariant *value);
int16_t g_variant_get_int16(GVariant *value);
uint16_t g_variant_get_uint16(GVariant *value);
int32_t g_variant_get_int32(GVariant *value);
uint32_t g_variant_get_uint32(GVariant *value);
int64_t g_variant_get_int64(GVariant *value);
double g_variant_get_double(GVariant *value);
const char *g_variant_get_string(GVariant *value, size_t *length);
size_t g_variant_n_children(GVariant *value);
GVariant *g_variant_get_child_value(GVariant *value, size_t index);
GVariant *g_variant_new_boolean(int value);
GVariant *g_variant_new_byte(uint8_t value);
GVariant *g_variant_new_handle(int32_t value);
GVariant *g_variant_new_uint32(uint32_t value);
GVariant *g_variant_new_int32(int32_t value);
GVariant *g_variant_new_int64(int64_t value);
GVariant *g_variant_new_object_path(const char *path);
GVariant *g_variant_new_double(double value);
GVariant *g_variant_new_string(const char *text);
GVariant *g_variant_new_variant(GVariant *value);
GVariant *g_variant_new_dict_entry(GVariant *key, GVariant *value);
GVariant *g_variant_new_tuple(GVariant *const *children, size_t count);
GVariant *g_variant_new_array(const GVariantType *type, GVariant *const *children, size_t count);


#define GIO(F)                                                                                     \
    F(g_main_context_new)                                                                          \
    F(g_main_context_unref)                                                                        \
    F(g_main_context_push_thread_default)                                                          \
    F(g_main_context_pop_thread_default)                                                           \
    F(g_main_context_iteration)                                                                    \
    F(g_main_loop_new)                                                                             \
    F(g_main_loop_run)                                                                             \
    F(g_main_loop_quit)                                                                            \
    F(g_main_loop_unref)                                                                           \
    F(g_idle_source_new)                                                                           \
    F(g_source_set_priority)                                                                       \
    F(g_source_set_callback)                                                                       \
    F(g_source_attach)                                                                             \
    F(g_source_unref)                                                                              \
    F(g_error_free)                                                                                \
    F(g_free)                                                                                      \
    F(g_malloc0)                                                                                   \
    F(g_object_unref)                                                                              \
    F(g_signal_connect_data)                                                                       \
    F(g_signal_handler_disconnect)                                                                 \
    F(g_dbus_connection_new_for_address_sync)                                                      \
    F(g_dbus_connection_close_sync)                                                                \
    F(g_dbus_connection_is_closed)                                                                 \
    F(g_dbus_connection_get_unique_name)                                                           \
    F(g_dbus_connection_set_exit_on_close)                                                         \
    F(g_dbus_connection_signal_subscribe)                                                          \
    F(g_dbus_connection_signal_unsubscribe)                                                        \
    F(g_dbus_connection_call_with_unix_fd_list)                                                    \
    F(g_dbus_connection_call_with_unix_fd_list_finish)                                             \
    F(g_unix_fd_list_new)                                                                          \
    F(g_unix_fd_list_append)                                                                       \
    F(g_dbus_node_info_new_for_xml)                                                                \
    F(g_dbus_node_info_lookup_interface)                                                           \
    F(g_dbus_node_info_unref)                                                                      \
    F(g_dbus_connection_register_object)                                                           \
    F(g_dbus_connection_unregister_object)                                                         \
    F(g_dbus_connection_register_subtree)                                                          \
    F(g_dbus_connection_unregister_subtree)                                                        \
    F(g_dbus_interface_info_ref)                                                                   \
    F(g_dbus_connection_emit_signal)                                                               \
    F(g_dbus_method_invocation_return_value)                                                       \
    F(g_dbus_method_invocation_return_dbus_error)                                                  \
    F(g_dbus_error_new_for_dbus_error)                                                             \
    F(g_dbus_error_get_remote_error)                                                               \
    F(g_dbus_error_strip_remote_error)                                                             \
    F(g_variant_ref)                                                                               \
    F(g_variant_unref)                                                                             \
    F(g_variant_classify)                                                                          \
    F(g_variant_get_boolean)                                                                       \
    F(g_variant_get_byte)                                                                          \
    F(g_variant_get_int16)                                                                         \
    F(g_variant_get_uint16)                                                                        \
    F(g_variant_get_int32)                                                                         \
    F(g_variant_get_uint32)                                                                        \
    F(g_variant_get_int64)                                                                         \
    F(g_variant_get_double)                                                                        \
    F(g_variant_get_string)                                                                        \
    F(g_variant_n_children)                                                                        \
    F(g_variant_get_child_value)                                                                   \
    F(g_variant_new_boolean)                                                                       \
    F(g_variant_new_byte)                                                                          \
    F(g_variant_new_handle)                                                                        \
    F(g_variant_new_uint32)                                                                        \
    F(g_variant_new_int32)                                                                         \
    F(g_variant_new_int64)                                                                         \
    F(g_variant_new_object_path)                                                                   \
    F(g_variant_new_double)                                                                        \
    F(g_variant_new_string)                                                                        \
    F(g_variant_new_variant)                                                                       \
    F(g_variant_new_dict_entry)                                                                    \
    F(g_variant_new_tuple)                                                                         \
    F(g_variant_new_array)
CLOADER_LIBRARY(gio, "libgio-2.0.so.0", GIO)

#endif
