// What the runtime of Debian's Swift calls of glibc 2.38, for Debian 12 with glibc 2.36: `strlcpy`, and functions
// that Debian 12 has under older names, which only lack binary numbers such as 0b1.
//
// Build: compiled by meson-helpers/arm for programs of Debian 12, and linked into them.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }

unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }

size_t strlcpy(char *target, const char *text, size_t size) {
    size_t length = strlen(text);
    if (size > 0) {
        size_t count = length < size ? length : size - 1;
        memcpy(target, text, count);
        target[count] = 0;
    }
    return length;
}
