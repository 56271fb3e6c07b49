#include "cloader.h"

#include <dlfcn.h>

int cloader_exists(const char *soname) { return dlopen(soname, RTLD_NOW | RTLD_LOCAL) != NULL; }

int cloader_open(const char *soname, const char *const *names, void **functions, int count) {
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    for (int index = 0; index < count; index++) {
        functions[index] = dlsym(library, names[index]);
        if (!functions[index]) {
            dlclose(library);
            return 0;
        }
    }
    return 1;
}
