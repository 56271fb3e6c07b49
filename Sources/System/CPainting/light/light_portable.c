// Deep pixels without special instructions.
#define BLOCK 4
#include "light_blocks.h"

void deep_portable(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains, const uint8_t *above,
    size_t count, float white) {
    deep_row(target, base, gains, above, count, white);
}
