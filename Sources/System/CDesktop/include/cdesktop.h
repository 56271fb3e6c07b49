// The session bus (D-Bus), the trash and the list of applications by GIO, which is opened when a service
// of the desktop is needed first.
//
// A bus and its values belong to the thread of their loop. Only cdesktop_loop_wake,
// cdesktop_loop_quit, and the functions for files and applications may be called by other threads.
#ifndef CDESKTOP_H
#define CDESKTOP_H

#include <stddef.h>
#include <stdint.h>

/// A main loop of GLib with a context of its own.
typedef struct cdesktop_loop cdesktop_loop;
/// A connection to a message bus.
typedef struct cdesktop_bus cdesktop_bus;
/// A GVariant: a value of a message.
typedef struct _GVariant cdesktop_value;

typedef void (*cdesktop_callback)(void *context);
/// Gets the parameters of a signal, which the caller frees.
typedef void (*cdesktop_signal)(void *context, cdesktop_value *parameters);
/// Gets the result of a call, which the caller frees, or NULL with a text. `name` is the D-Bus name of
/// an error that the called program sent, else NULL. Without a text the connection has ended.
typedef void (*cdesktop_reply)(
    void *context, cdesktop_value *result, const char *name, const char *text);

/// What answers for an interface of an object of this program, in the loop.
typedef struct cdesktop_handlers {
    void *context;
    /// A call, whose parameters the caller frees; the reply has no value.
    void (*call)(void *context, const char *method, cdesktop_value *parameters);
    /// The value of a property, which GIO consumes.
    cdesktop_value *(*get)(void *context, const char *property);
    /// A new value of a property, which the caller frees.
    void (*set)(void *context, const char *property, cdesktop_value *value);
} cdesktop_handlers;

/// What answers for all objects directly below a path, in the loop.
typedef struct cdesktop_service {
    void *context;
    /// Whether there is an object, `node` below the path, with an interface.
    int (*has)(void *context, const char *node, const char *interface);
    /// A call, whose parameters the caller frees; the result is a tuple that GIO consumes, or NULL to
    /// refuse the call.
    cdesktop_value *(*call)(
        void *context, const char *node, const char *interface, const char *method,
        cdesktop_value *parameters);
    /// The value of a property, which GIO consumes; NULL if there is none.
    cdesktop_value *(*get)(
        void *context, const char *node, const char *interface, const char *property);
    /// A new value of a property, which the caller frees; returns 0 to refuse the value.
    int (*set)(
        void *context, const char *node, const char *interface, const char *property,
        cdesktop_value *value);
} cdesktop_service;

// MARK: Loop

/// Returns NULL without GIO. Opens GIO on the first call, which takes some 10 ms.
cdesktop_loop *cdesktop_loop_make(void);
void cdesktop_loop_free(cdesktop_loop *loop);

/// Makes the loop's context that of the calling thread; `woken` is called in `run` after each `wake`.
void cdesktop_loop_begin(cdesktop_loop *loop, cdesktop_callback woken, void *context);
/// Calls handlers, and sleeps in between, until `quit`.
void cdesktop_loop_run(cdesktop_loop *loop);
/// Calls the handlers that are due, but not `woken`; the loop cannot be used any more afterwards.
void cdesktop_loop_end(cdesktop_loop *loop);
/// Any thread may call.
void cdesktop_loop_wake(cdesktop_loop *loop);
/// Ends `run`. Any thread may call.
void cdesktop_loop_quit(cdesktop_loop *loop);

// MARK: Bus

/// Connects to the bus at a D-Bus address, and waits until the bus has answered. Returns NULL on
/// failure, with a text in `error`, which the caller frees with free(3).
///
/// `closed` is called in the loop when the connection ends.
cdesktop_bus *cdesktop_bus_connect(
    const char *address, cdesktop_callback closed, void *context, char **error);
/// Closes the connection; handlers of signals are not called any more.
void cdesktop_bus_free(cdesktop_bus *bus);
/// The unique name of this connection, such as ":1.42"; valid as long as the bus.
const char *cdesktop_bus_name(cdesktop_bus *bus);

/// Calls `handler` for each signal; `argument`, or NULL, is the first parameter that signals must have.
///
/// `release` is called once with `context` when the handler is not called any more.
unsigned cdesktop_bus_subscribe(
    cdesktop_bus *bus, const char *sender, const char *path, const char *interface,
    const char *member, const char *argument, cdesktop_signal handler, void *context,
    cdesktop_callback release);
void cdesktop_bus_unsubscribe(cdesktop_bus *bus, unsigned subscription);

/// Calls a method with a tuple of arguments, which the call consumes; `reply` is called exactly once
/// if the loop runs for long enough. A call without an answer fails after `timeout` milliseconds.
///
/// The message carries copies of the first `count` descriptors, to which handles in the arguments refer.
void cdesktop_bus_call(
    cdesktop_bus *bus, const char *destination, const char *path, const char *interface,
    const char *method, cdesktop_value *arguments, const int *descriptors, int count, int timeout,
    cdesktop_reply reply, void *context);

// MARK: Objects

/// Offers an interface of an object, as the XML of D-Bus describes it: GIO refuses calls and values of other
/// types. Returns 0 on failure. The context of the handlers has to outlive `cdesktop_bus_withdraw`.
unsigned cdesktop_bus_offer(
    cdesktop_bus *bus, const char *path, const char *interface, const char *xml,
    const cdesktop_handlers *handlers);
void cdesktop_bus_withdraw(cdesktop_bus *bus, unsigned offer);
/// Offers objects directly below a path, which may come and go: `xml` describes their interfaces, of which
/// `interfaces` are the names. Returns 0 on failure. The context of the service has to outlive
/// `cdesktop_bus_end_service`.
unsigned cdesktop_bus_serve(
    cdesktop_bus *bus, const char *path, const char *xml, const char *const *interfaces,
    size_t count, const cdesktop_service *service);
void cdesktop_bus_end_service(cdesktop_bus *bus, unsigned number);
/// Sends a signal with a tuple of parameters, which the call consumes.
void cdesktop_bus_emit(
    cdesktop_bus *bus, const char *path, const char *interface, const char *signal,
    cdesktop_value *parameters);

// MARK: Files

/// What came of a move to the trash.
enum {
    CDESKTOP_TRASH_DONE,
    /// There is no trash for the file.
    CDESKTOP_TRASH_MISSING,
    CDESKTOP_TRASH_FAILED,
    /// GIO is not installed.
    CDESKTOP_TRASH_UNKNOWN,
};

/// Moves the file at an absolute path to the trash, a link as itself; waits for the file system, and needs
/// no loop and no bus. After CDESKTOP_TRASH_FAILED `number` is the error number of the system, or 0 where
/// only `text` says why, in English. The caller frees `text` with free(3).
int cdesktop_trash(const char *path, int *number, char **text);

/// The path of a URI: of a local file, or of one that gvfs has mounted; the caller frees the path with
/// free(3). Returns NULL where there is none. May wait for gvfs.
char *cdesktop_uri_path(const char *uri);

// MARK: Applications

/// Gets an application; the texts are valid during the call, and `icon` may be empty.
typedef void (*cdesktop_application_handler)(
    void *context, const char *identifier, const char *name, const char *icon);
/// Calls `handler` for each application that opens files of a MIME type: for the default one first, which
/// comes again among all. Returns 0 without GIO.
int cdesktop_applications(const char *type, cdesktop_application_handler handler, void *context);

/// What the desktop entry of an application says; absent texts are NULL.
typedef struct cdesktop_description {
    const char *name, *icon;
    /// The value of the key Exec.
    const char *command;
    /// The path of the desktop entry.
    const char *file;
    /// The working folder.
    const char *folder;
    int needs_terminal;
    /// Whether the application opens files by a call of its object on the session bus.
    int is_on_bus;
} cdesktop_description;

typedef void (*cdesktop_description_handler)(
    void *context, const cdesktop_description *description);
/// Calls `handler` with the application of an identifier such as "org.gimp.GIMP.desktop". Returns 0 where
/// there is none, or its program is not installed.
int cdesktop_application(
    const char *identifier, cdesktop_description_handler handler, void *context);

// MARK: Values

void cdesktop_value_free(cdesktop_value *value);
/// The first character of the value's D-Bus type, such as 's', 'a', '(' or '{'.
char cdesktop_value_kind(cdesktop_value *value);
/// Whether a value of the kind 'b' is true.
int cdesktop_value_is_true(cdesktop_value *value);
/// A value of the kinds 'y', 'n', 'q', 'i', 'u' and 'x'; 0 for others.
int64_t cdesktop_value_integer(cdesktop_value *value);
/// A value of the kind 'd'.
double cdesktop_value_number(cdesktop_value *value);
/// A value of the kinds 's', 'o' and 'g': UTF-8 that is valid as long as the value.
const char *cdesktop_value_text(cdesktop_value *value);
/// The number of children of a value of the kinds 'a', '(', '{' and 'v'.
size_t cdesktop_value_count(cdesktop_value *value);
/// A child, which the caller frees.
cdesktop_value *cdesktop_value_child(cdesktop_value *value, size_t index);

// A new value is consumed by the value or the call that contains it.
cdesktop_value *cdesktop_value_make_bool(int is_true);
cdesktop_value *cdesktop_value_make_unsigned(uint32_t number);
cdesktop_value *cdesktop_value_make_integer(int64_t number);
cdesktop_value *cdesktop_value_make_short_integer(int32_t number);
cdesktop_value *cdesktop_value_make_byte(uint8_t byte);
/// The number of a descriptor of the message.
cdesktop_value *cdesktop_value_make_handle(int32_t number);
/// `path` is the path of an object.
cdesktop_value *cdesktop_value_make_path(const char *path);
cdesktop_value *cdesktop_value_make_double(double number);
cdesktop_value *cdesktop_value_make_text(const char *text);
cdesktop_value *cdesktop_value_make_variant(cdesktop_value *value);
cdesktop_value *cdesktop_value_make_entry(cdesktop_value *key, cdesktop_value *value);
cdesktop_value *cdesktop_value_make_tuple(cdesktop_value *const *children, size_t count);
/// An array; `type` is the D-Bus type of its elements.
cdesktop_value *cdesktop_value_make_array(
    const char *type, cdesktop_value *const *children, size_t count);

#endif
