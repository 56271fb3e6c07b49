// Opens libraries with dlopen when they are first needed: linking all of them would add 20 ms to every
// start. What a library is for is unavailable if the library is missing at run time.
#ifndef CLOADER_H
#define CLOADER_H

#include <pthread.h>
#include <stddef.h>

/// Opens the library `soname` and looks up `count` functions by name. Returns 1 if all were found.
int cloader_open(const char *soname, const char *const *names, void **functions, int count);

/// Whether the library `soname` is installed. The library stays open.
int cloader_exists(const char *soname);

/// Declares a table `table` of the functions that `LIST` names, and `table_open()`, which fills the
/// table on the first call. `table_open()` returns 1 if the library is available. Any thread may
/// call it.
#define CLOADER_FIELD(name) __typeof__(name) *name;
#define CLOADER_NAME(name) #name,
#define CLOADER_LIBRARY(table, soname, LIST)                                                       \
    static struct {                                                                                \
        LIST(CLOADER_FIELD)                                                                        \
    } table;                                                                                       \
    static int table##_is_open;                                                                    \
    static void table##_load(void) {                                                               \
        static const char *const names[] = {LIST(CLOADER_NAME)};                                   \
        int count = (int)(sizeof names / sizeof *names);                                           \
        table##_is_open = cloader_open(soname, names, (void **)&table, count);             \
    }                                                                                              \
    static int table##_open(void) {                                                                \
        static pthread_once_t once = PTHREAD_ONCE_INIT;                                            \
        pthread_once(&once, table##_load);                                                         \
        return table##_is_open;                                                                    \
    }

#endif
