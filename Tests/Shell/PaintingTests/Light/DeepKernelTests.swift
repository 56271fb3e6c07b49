import CPainting
import Glibc
import Painting
import SeededRandom
import Testing

/// The kernels of deep pixels.
@Suite struct DeepKernelTests {
    private struct Row {
        var base: [UInt8] = []
        var gains: [cpainting_gains] = []
        var above: [UInt8] = []
        var count: Int { gains.count }

        init(_ count: Int, _ random: inout SeededGenerator) {
            for _ in 0..<count {
                base += (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
                var pixel = cpainting_gains()
                pixel.channels.0 = Int16.random(in: -16384...16384, using: &random)
                pixel.channels.1 = Int16.random(in: -2048...4096, using: &random)
                pixel.channels.2 = Int16.random(in: 0...2048, using: &random)
                gains.append(pixel)
                let alpha = UInt8.random(in: 0...255, using: &random)
                above += (0..<3).map { _ in UInt8.random(in: 0...alpha, using: &random) } + [alpha]
            }
        }

        func deep(
            _ kernel: cpainting_kernel, hasGains: Bool = true, hasAbove: Bool = true,
            headroom: Float = 4
        ) -> [UInt32] {
            var target = [UInt32](repeating: 0xDEAD_BEEF, count: count + 1)
            target.withUnsafeMutableBytes { bytes in
                gains.withUnsafeBufferPointer { gains in
                    above.withUnsafeBufferPointer { above in
                        cpainting_deep(
                            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), base,
                            hasGains ? gains.baseAddress : nil,
                            hasAbove ? above.baseAddress : nil, count, headroom, kernel)
                    }
                }
            }
            #expect(target[count] == 0xDEAD_BEEF)
            return Array(target.dropLast())
        }
    }

    @Test(arguments: [1, 3, 4, 7, 8, 9, 64, 101])
    func allSetsGiveTheSamePixels(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let row = Row(count, &random)
        for (hasGains, hasAbove) in [(false, false), (true, false), (false, true), (true, true)] {
            let portable = row.deep(
                CPAINTING_PORTABLE, hasGains: hasGains, hasAbove: hasAbove)
            for kernel in [CPAINTING_SIMD, CPAINTING_AVX2, CPAINTING_BEST] {
                #expect(row.deep(kernel, hasGains: hasGains, hasAbove: hasAbove) == portable)
            }
        }
    }

    /// Within one step of the arithmetic of real numbers.
    @Test func pixelsFollowTheFormula() {
        var random = SeededGenerator(seed: 1)
        let row = Row(1000, &random)
        for (index, pixel) in row.deep(CPAINTING_BEST).enumerated() {
            let white = pow(4, -1 / 2.2) * 1023 / 255
            let gains = row.gains[index].channels
            for (channel, gain) in [gains.0, gains.1, gains.2].enumerated() {
                // Bytes are blue, green, red.
                let byte = 4 * index + 2 - channel
                let light =
                    Double(row.base[byte]) * white * exp2(Double(gain) / 1024 / 2.2)
                let rest = 1 - Double(row.above[4 * index + 3]) / 255
                let wanted = min(light, 1023) * rest + Double(row.above[byte]) * white
                let found = Double(pixel >> UInt32(10 * channel) & 1023)
                #expect(abs(found - min(wanted, 1023)) <= 0.51)
            }
            #expect(pixel >> 30 == 0)
        }
    }

    /// Premultiplied codes, in which alpha is the opacity of the gain.
    @Test(arguments: [
        (0.0, 2.0, 4.0, false), (-1.5, 3, 8, true), (-2, -1, 2, false), (0, 4, 1, true),
    ])
    func codesFollowTheFormula(least: Double, most: Double, headroom: Double, isGray: Bool) {
        var random = SeededGenerator(seed: 2)
        let row = Row(1003, &random)
        var codes = row.above
        if isGray {
            for pixel in 0..<row.count {
                (codes[4 * pixel + 1], codes[4 * pixel + 2]) = (codes[4 * pixel], codes[4 * pixel])
            }
        }
        var curve = cpainting_light_curve_make(least, most, headroom, isGray ? 1 : 0)
        func deep(_ kernel: cpainting_kernel, hasAbove: Bool) -> [UInt32] {
            var target = [UInt32](repeating: 0, count: row.count)
            target.withUnsafeMutableBytes { bytes in
                row.above.withUnsafeBufferPointer { above in
                    cpainting_deep_codes(
                        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), row.base, codes,
                        hasAbove ? above.baseAddress : nil, row.count, &curve, Float(headroom),
                        kernel)
                }
            }
            return target
        }
        for hasAbove in [false, true] {
            let portable = deep(CPAINTING_PORTABLE, hasAbove: hasAbove)
            #expect(deep(CPAINTING_SIMD, hasAbove: hasAbove) == portable)
            #expect(deep(CPAINTING_AVX2, hasAbove: hasAbove) == portable)
        }
        let white = pow(headroom, -1 / 2.2) * 1023 / 255
        for (index, pixel) in deep(CPAINTING_BEST, hasAbove: false).enumerated() {
            let alpha = Double(codes[4 * index + 3]) / 255
            for channel in 0..<3 {
                let byte = 4 * index + 2 - channel
                let gain = alpha * least + (most - least) * Double(codes[byte]) / 255
                let wanted = min(Double(row.base[byte]) * white * exp2(gain / 2.2), 1023)
                let found = Double(pixel >> UInt32(10 * channel) & 1023)
                // The error of the encoded light is less than a step of 8 bits.
                #expect(abs(found - wanted) <= 1 + wanted / 500, "\(wanted)")
            }
        }
    }

    @Test func gainsAreBlendedByAlpha() {
        var gains = [cpainting_gains(channels: (1000, -1000, 0, 0))]
        let range = cpainting_gain_range(least: -512, most: 2048)
        // Half of the codes 0, 128 and 255 in blue, green and red, premultiplied.
        cpainting_gains_over(&gains, [0, 64, 128, 128], 1, range)
        let share = 128.0 / 255
        let wanted = [(1000, 255.0), (-1000, 127.5), (0, 0)].map { old, code in
            Double(old) * (1 - share) + (-512 + 2560 * code / 255) * share
        }
        let found = gains[0].channels
        for (found, wanted) in zip([found.0, found.1, found.2], wanted) {
            #expect(abs(Double(found) - wanted) <= 6)
        }
        let before = gains[0].channels
        cpainting_gains_over(&gains, [0, 0, 0, 0], 1, range)
        #expect(gains[0].channels == before)
    }
}
