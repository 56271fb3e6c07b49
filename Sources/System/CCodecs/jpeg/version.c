// Compares the loaded library with the headers. The library's interface does not tell the version.

// For dl_iterate_phdr and memmem.
#define _GNU_SOURCE

#include "jpeg.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#define TEXT_OF(tokens) #tokens
#define TEXT(tokens) TEXT_OF(tokens)

// The entropy decoders of these versions begin as `coefficients.c` declares.
#if defined(LIBJPEG_TURBO_VERSION) && LIBJPEG_TURBO_VERSION_NUMBER >= 2000000 &&                      \
    LIBJPEG_TURBO_VERSION_NUMBER < 3002000

/// The text that libjpeg-turbo has among its constants, followed by the build.
#define VERSION_TEXT "libjpeg-turbo version " TEXT(LIBJPEG_TURBO_VERSION) " "

static int has_function(const struct dl_phdr_info *object, ElfW(Addr) function) {
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        ElfW(Addr) start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && function >= start && function - start < part->p_memsz)
            return 1;
    }
    return 0;
}

/// Returns 1 if the loaded object has the function `data`, and the version of the headers among its
/// constants.
static int has_version(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    if (!has_function(object, *(const ElfW(Addr) *)data)) return 0;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || (part->p_flags & (PF_R | PF_W)) != PF_R) continue;
        const void *start = (const void *)(object->dlpi_addr + part->p_vaddr);
        if (memmem(start, part->p_filesz, VERSION_TEXT, sizeof VERSION_TEXT - 1)) return 1;
    }
    return 0;
}

static int has_version_of_headers(void) {
    ElfW(Addr) function = (ElfW(Addr))dlsym(RTLD_DEFAULT, "jpeg_CreateDecompress");
    return function && dl_iterate_phdr(has_version, &function);
}

#else

static int has_version_of_headers(void) { return 0; }

#endif

static int is_known;

static void find_version(void) { is_known = has_version_of_headers(); }

int ccodecs_jpeg_library_is_known(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_version);
    return is_known;
}
