import Glibc

/// sRGB's bytes as light and back (IEC 61966-2-1), by tables.
enum LinearLight {
    /// Light comes back to bytes from so many steps: fine enough for the darkest bytes to differ.
    static let steps = 1 << 14

    /// The light of each byte, in steps.
    static let light: [Float] = (0..<256).map { byte in
        let value = Double(byte) / 255
        let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        return Float(light * Double(steps - 1))
    }

    /// The byte of each step of light.
    static let bytes: [UInt8] = (0..<steps).map { step in
        let light = Double(step) / Double(steps - 1)
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((value * 255).rounded())
    }
}
