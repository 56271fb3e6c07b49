// Libraries are opened with dlopen when an image first needs them: linking all of them would add 20
// ms to every start. The formats of a library are unavailable if its headers were missing at build
// time, or if the library is missing at run time.
#ifndef CCODECS_LIBRARY_H
#define CCODECS_LIBRARY_H

#include <stddef.h>

/// Opens the library `soname` and looks up `count` functions by name. Returns 1 if all were found.
int ccodecs_library_open(const char *soname, const char *const *names, void **functions, int count);

/// Declares a table `table` of the functions that `LIST` names, and `table_open()`, which fills the
/// table on the first call. `table_open()` returns 1 if the library is available. Call it from one
/// thread only.
#define CCODECS_FIELD(name) __typeof__(name) *name;
#define CCODECS_NAME(name) #name,
#define CCODECS_LIBRARY(table, soname, LIST)                                                       \
    static struct {                                                                                \
        LIST(CCODECS_FIELD)                                                                        \
    } table;                                                                                       \
    static int table##_open(void) {                                                                \
        static const char *const names[] = {LIST(CCODECS_NAME)};                                   \
        static int state = 0;                                                                      \
        if (state == 0) {                                                                          \
            int count = (int)(sizeof names / sizeof *names);                                       \
            state = ccodecs_library_open(soname, names, (void **)&table, count) ? 1 : -1;          \
        }                                                                                          \
        return state == 1;                                                                         \
    }

#endif
