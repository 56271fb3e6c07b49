import Glibc

/// Wayland's fixed-point numbers: signed, in steps of 1/256.
package enum WireFixed {
    package static func decode(_ value: Int32) -> Double { Double(value) / 256 }

    /// Rounds to the nearest step; values out of range are clamped, NaN becomes 0.
    package static func encode(_ value: Double) -> Int32 {
        guard !value.isNaN else { return 0 }
        let steps = (value * 256).rounded()
        return Int32(min(max(steps, Double(Int32.min)), Double(Int32.max)))
    }
}
