// The declarations of GLib and GIO for files and applications, and the table of the functions.
//
// A table apart from that of gio.h: a process that moves files to the trash needs no bus.
#ifndef GIO_FILES_H
#define GIO_FILES_H

#include <stdint.h>

#include "cloader.h"

typedef struct _GFile GFile;
typedef struct _GVfs GVfs;
typedef struct _GAppInfo GAppInfo;
typedef struct _GDesktopAppInfo GDesktopAppInfo;
typedef struct _GIcon GIcon;

typedef struct GError {
    uint32_t domain;
    int code;
    char *message;
} GError;

typedef struct GList {
    void *data;
    struct GList *next;
    struct GList *previous;
} GList;

void g_error_free(GError *error);
void g_free(void *memory);
void g_object_unref(void *object);
void g_list_free(GList *list);
uint32_t g_io_error_quark(void);

GVfs *g_vfs_get_local(void);
GFile *g_vfs_get_file_for_path(GVfs *vfs, const char *path);
GFile *g_file_new_for_uri(const char *uri);
char *g_file_get_path(GFile *file);
int g_file_trash(GFile *file, void *cancellable, GError **error);

GList *g_app_info_get_all_for_type(const char *type);
GAppInfo *g_app_info_get_default_for_type(const char *type, int must_support_uris);
const char *g_app_info_get_id(GAppInfo *info);
const char *g_app_info_get_display_name(GAppInfo *info);
const char *g_app_info_get_commandline(GAppInfo *info);
int g_app_info_should_show(GAppInfo *info);
GIcon *g_app_info_get_icon(GAppInfo *info);
char *g_icon_to_string(GIcon *icon);
GDesktopAppInfo *g_desktop_app_info_new(const char *id);
const char *g_desktop_app_info_get_filename(GDesktopAppInfo *info);
char *g_desktop_app_info_get_string(GDesktopAppInfo *info, const char *key);
int g_desktop_app_info_get_boolean(GDesktopAppInfo *info, const char *key);

#define GIO_FILES(F)                                                                               \
    F(g_error_free)                                                                                \
    F(g_free)                                                                                      \
    F(g_object_unref)                                                                              \
    F(g_list_free)                                                                                 \
    F(g_io_error_quark)                                                                            \
    F(g_vfs_get_local)                                                                             \
    F(g_vfs_get_file_for_path)                                                                     \
    F(g_file_new_for_uri)                                                                          \
    F(g_file_get_path)                                                                             \
    F(g_file_trash)                                                                                \
    F(g_app_info_get_all_for_type)                                                                 \
    F(g_app_info_get_default_for_type)                                                             \
    F(g_app_info_get_id)                                                                           \
    F(g_app_info_get_display_name)                                                                 \
    F(g_app_info_get_commandline)                                                                  \
    F(g_app_info_should_show)                                                                      \
    F(g_app_info_get_icon)                                                                         \
    F(g_icon_to_string)                                                                            \
    F(g_desktop_app_info_new)                                                                      \
    F(g_desktop_app_info_get_filename)                                                             \
    F(g_desktop_app_info_get_string)                                                               \
    F(g_desktop_app_info_get_boolean)
CLOADER_LIBRARY(gio_files, "libgio-2.0.so.0", GIO_FILES)

#endif
