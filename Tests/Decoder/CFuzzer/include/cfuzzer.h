// libFuzzer, whose own `main` is left out: meson-helpers/fuzz links it.
#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with a program's arguments, which it may change; `test` is given the inputs and
/// answers 0. Returns what the program is to exit with.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t length));

#endif
