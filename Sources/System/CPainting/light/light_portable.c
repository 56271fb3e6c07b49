// Deep pixels without special instructions.
#define BLOCK 4
#include "light_blocks.h"
#include "light_codes.h"

void deep_portable(
    uint8_t *target, const uint8_t *base, const struct cpainting_gains *gains, const uint8_t *above,
    size_t count, float white) {
    deep_row(target, base, gains, above, count, white);
}

void deep_codes_portable(
    uint8_t *target, const uint8_t *base, const uint8_t *codes, const uint8_t *above, size_t count,
    const struct cpainting_light_curve *curve, float white) {
    codes_rows(target, base, codes, above, count, curve, white);
}
