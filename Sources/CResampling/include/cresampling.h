#ifndef CRESAMPLING_H
#define CRESAMPLING_H

#include <stddef.h>
#include <stdint.h>

/// What of the samples along one axis makes each of the samples that come out.
struct cresampling_axis {
    /// The first sample that counts, for each that comes out.
    const int32_t *first;
    /// How many count for each; the same number for all.
    int taps;
    /// Their weights, `taps` for each that comes out; they add up to one.
    const float *weights;
};

/// Makes one row of a reduced picture: 32-bit words 0xAARRGGBB, colours multiplied by alpha.
///
/// `rows` are the `down->taps` source rows that count for it, with the weights `weights`; `width` pixels
/// of each are read. `line` has room for 4 × `width` floats. Where `light` is not null it maps bytes to
/// light, in steps as wide as those of `bytes`, which maps `light_steps` of them back; alpha is then to
/// be 0xff everywhere.
void cresampling_row(const uint8_t *const *rows, const float *weights, int taps, size_t width,
                     const struct cresampling_axis *across, size_t count, const float *light,
                     const uint8_t *bytes, int light_steps, float *line, uint32_t *out);

#endif
