#include "include/clinux.h"

#include <stddef.h>

static int count;
static char **values;

#ifdef __GLIBC__
/// glibc passes the arguments of main to constructors; the C standard and other libraries do not.
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    values = argv;
}
#endif

char **clinux_arguments(int *argument_count) {
    *argument_count = count;
    return values;
}
