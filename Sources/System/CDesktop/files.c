#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cdesktop.h"
#include "gio_files.h"

/// Codes of `GIOErrorEnum`.
enum {
    ERROR_NOT_FOUND = 1,
    ERROR_EXISTS = 2,
    ERROR_NOT_DIRECTORY = 4,
    ERROR_FILENAME_TOO_LONG = 9,
    ERROR_INVALID_FILENAME = 10,
    ERROR_TOO_MANY_LINKS = 11,
    ERROR_NO_SPACE = 12,
    ERROR_INVALID_ARGUMENT = 13,
    ERROR_PERMISSION_DENIED = 14,
    ERROR_NOT_SUPPORTED = 15,
    ERROR_READ_ONLY = 21,
    ERROR_TIMED_OUT = 24,
    ERROR_BUSY = 26,
};

/// The error number of a code, the reverse of `g_io_error_from_errno`; 0 for others.
static int error_number(int code) {
    switch (code) {
    case ERROR_NOT_FOUND: return ENOENT;
    case ERROR_EXISTS: return EEXIST;
    case ERROR_NOT_DIRECTORY: return ENOTDIR;
    case ERROR_FILENAME_TOO_LONG: return ENAMETOOLONG;
    case ERROR_INVALID_FILENAME:
    case ERROR_INVALID_ARGUMENT: return EINVAL;
    case ERROR_TOO_MANY_LINKS: return EMLINK;
    case ERROR_NO_SPACE: return ENOSPC;
    case ERROR_PERMISSION_DENIED: return EACCES;
    case ERROR_READ_ONLY: return EROFS;
    case ERROR_TIMED_OUT: return ETIMEDOUT;
    case ERROR_BUSY: return EBUSY;
    default: return 0;
    }
}

/// The local file at a path. The default file system of GIO would start gvfs and look for a bus.
static GFile *local_file(const char *path) {
    return gio_files.g_vfs_get_file_for_path(gio_files.g_vfs_get_local(), path);
}

int cdesktop_trash(const char *path, int *number, char **text) {
    *number = 0;
    *text = NULL;
    if (!gio_files_open()) return CDESKTOP_TRASH_UNKNOWN;
    GFile *file = local_file(path);
    GError *error = NULL;
    int result = CDESKTOP_TRASH_DONE;
    if (!gio_files.g_file_trash(file, NULL, &error)) {
        int code = error && error->domain == gio_files.g_io_error_quark() ? error->code : 0;
        result = code == ERROR_NOT_SUPPORTED ? CDESKTOP_TRASH_MISSING : CDESKTOP_TRASH_FAILED;
        *number = error_number(code);
        *text = strdup(error && error->message ? error->message : "");
        if (error) gio_files.g_error_free(error);
    }
    gio_files.g_object_unref(file);
    return result;
}

char *cdesktop_uri_path(const char *uri) {
    if (!gio_files_open()) return NULL;
    GFile *file = gio_files.g_file_new_for_uri(uri);
    char *path = gio_files.g_file_get_path(file);
    char *copy = path ? strdup(path) : NULL;
    gio_files.g_free(path);
    gio_files.g_object_unref(file);
    return copy;
}

// MARK: Applications

static void report_application(
    GAppInfo *info, cdesktop_application_handler handler, void *context) {
    const char *identifier = gio_files.g_app_info_get_id(info);
    if (!identifier) return;
    GIcon *icon = gio_files.g_app_info_get_icon(info);
    char *icon_name = icon ? gio_files.g_icon_to_string(icon) : NULL;
    const char *name = gio_files.g_app_info_get_display_name(info);
    handler(context, identifier, name ? name : identifier, icon_name ? icon_name : "");
    gio_files.g_free(icon_name);
}

int cdesktop_applications(
    const char *type, cdesktop_application_handler handler, void *context) {
    if (!gio_files_open()) return 0;
    GAppInfo *first = gio_files.g_app_info_get_default_for_type(type, 0);
    if (first) {
        report_application(first, handler, context);
        gio_files.g_object_unref(first);
    }
    GList *all = gio_files.g_app_info_get_all_for_type(type);
    for (GList *item = all; item; item = item->next) {
        if (gio_files.g_app_info_should_show(item->data)) {
            report_application(item->data, handler, context);
        }
        gio_files.g_object_unref(item->data);
    }
    gio_files.g_list_free(all);
    return 1;
}

int cdesktop_application(
    const char *identifier, cdesktop_description_handler handler, void *context) {
    if (!gio_files_open()) return 0;
    GDesktopAppInfo *info = gio_files.g_desktop_app_info_new(identifier);
    if (!info) return 0;
    GIcon *icon = gio_files.g_app_info_get_icon((GAppInfo *)info);
    char *icon_name = icon ? gio_files.g_icon_to_string(icon) : NULL;
    char *folder = gio_files.g_desktop_app_info_get_string(info, "Path");
    cdesktop_description description = {
        .name = gio_files.g_app_info_get_display_name((GAppInfo *)info),
        .icon = icon_name,
        .command = gio_files.g_app_info_get_commandline((GAppInfo *)info),
        .file = gio_files.g_desktop_app_info_get_filename(info),
        .folder = folder,
        .needs_terminal = gio_files.g_desktop_app_info_get_boolean(info, "Terminal"),
        .is_on_bus = gio_files.g_desktop_app_info_get_boolean(info, "DBusActivatable"),
    };
    handler(context, &description);
    gio_files.g_free(icon_name);
    gio_files.g_free(folder);
    gio_files.g_object_unref(info);
    return 1;
}
