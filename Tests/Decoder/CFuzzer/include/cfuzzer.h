// libFuzzer without its `main`. meson-helpers/check/fuzz links the library.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the program's arguments, which libFuzzer may modify. libFuzzer calls `test` with
/// each input; `test` returns 0. Returns the exit status of the program.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t length));

#endif
