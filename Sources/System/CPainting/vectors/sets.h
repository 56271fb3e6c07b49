// The sets of instructions that kernels are written for.
#ifndef SETS_H
#define SETS_H

#include "cpainting.h"

/// The set that kernels use if `wanted` is asked for: never CPAINTING_BEST, and always one that the
/// processor supports.
enum cpainting_kernel supported_set(enum cpainting_kernel wanted);

#endif
