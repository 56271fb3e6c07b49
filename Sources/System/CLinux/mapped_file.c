#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/clinux.h"

// Address range of the mapped file; 0 if no file is mapped. A process maps one file at a time.
static volatile uintptr_t mapped_start, mapped_end;

/// SIGBUS handler: if the file was truncated after it was mapped, replaces the missing pages by zeros.
static void map_zeros(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    uintptr_t page = (uintptr_t)info->si_addr & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
    if (mapped_start && page >= mapped_start && page < mapped_end &&
        mmap((void *)page, mapped_end - page, PROT_READ, flags, -1, 0) != MAP_FAILED)
        return;
    // The address is outside the mapped file: restore the default action. The instruction faults again
    // and ends the process.
    signal(signal_number, SIG_DFL);
}

void *clinux_map_file(int fd, size_t length) {
    if (mapped_start) return NULL;
    struct sigaction action = {.sa_sigaction = map_zeros, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, &action, NULL) != 0) return NULL;
    void *base = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    if (base == MAP_FAILED) return NULL;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    mapped_end = ((uintptr_t)base + length + page - 1) & ~(page - 1);
    mapped_start = (uintptr_t)base;
    return base;
}

void clinux_unmap_file(void) {
    if (!mapped_start) return;
    uintptr_t start = mapped_start, end = mapped_end;
    mapped_start = mapped_end = 0;
    munmap((void *)start, end - start);
}

void clinux_release_pages(void *address, size_t length) { madvise(address, length, MADV_DONTNEED); }

void clinux_release_file_pages(void) {
    if (mapped_start) madvise((void *)mapped_start, mapped_end - mapped_start, MADV_DONTNEED);
}
