// Libraries that are opened when a picture needs them, and not before: linked, all of them would
// cost every start 20 ms. A library whose headers were not there when this was built, or that is not
// there now, is missing, and its formats with it.
#ifndef CCODECS_LIBRARY_H
#define CCODECS_LIBRARY_H

#include <stddef.h>

/// Opens the library of that soname, if there is one, and finds `count` functions by their names.
/// 1 when all are there.
int ccodecs_library_open(const char *soname, const char *const *names, void **functions, int count);

/// Declares a table `TABLE` of the functions that `LIST` names, and `TABLE_open()`, which fills it
/// the first time: 1 when the library is there. Called by one thread.
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
