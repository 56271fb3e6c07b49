import Glibc

/// Tone mapping from linear light, which may exceed white, to 16-bit sRGB values.
///
/// If nothing exceeds white the values are not compressed. Otherwise values above three quarters of
/// white are compressed so that the peak becomes white. The shoulder is E. Reinhard's extended
/// operator ("Photographic Tone Reproduction for Digital Images", 2002, eq. 4), applied only above
/// the knee, so that darker tones do not change. All three samples are scaled by the same factor,
/// which preserves the hue.
struct ToneMapping: Sendable {
    /// Start of the shoulder, in multiples of white.
    private static let knee: Float = 0.75
    /// Larger values are clamped to this: infinity would become NaN in the matrix product.
    private static let maximum: Float = 1e6
    /// The sRGB encoding of every 16-bit linear value.
    private static let encoded: [UInt16] = (0...65535).map { number in
        let linear = Double(number) / 65535
        let value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
        return UInt16((value * 65535).rounded())
    }

    /// The rows of the matrix from the picture's primaries to sRGB's.
    private let matrix: [SIMD4<Float>]
    private let isMatrixNeeded: Bool
    /// Distance of the peak from the knee, in units of 1 − knee; 0 if nothing exceeds white.
    private let peakDistance: Float

    /// `peak` is the brightest linear value in the picture; 1 is white.
    init(primaries: ColorEncoding.Primaries, peak: Float) {
        let columns = PrimaryMatrix.toSRGB(from: primaries)
        matrix = columns.map { SIMD4(Float($0[0]), Float($0[1]), Float($0[2]), 0) }
        isMatrixNeeded = primaries != .bt709
        peakDistance = peak > 1 ? (min(peak, Self.maximum) - Self.knee) / (1 - Self.knee) : 0
    }

    /// The gains that `gain` can be, as binary logarithms.
    var gains: ClosedRange<Float> { -Self.mostCorrection...(log2(peak) + Self.mostCorrection) }

    /// The largest correction of a curve, in stops: that of the darkest shadows would be several.
    private static let mostCorrection: Float = 0.4

    /// How much more light a pixel has than its mapped values show with a gamma of 2.2, for 1024 mapped values, as
    /// binary logarithms.
    ///
    /// The values have the curve of sRGB, as those of all pictures, but screens show them with that gamma.
    private static let corrections: [Float] = (0...1023).map { number in
        let shown = pow(Float(encoded[number * 65535 / 1023]) / 65535, 2.2)
        guard number > 0, shown > 0 else { return 0 }
        let stops = log2(Float(number) / 1023 / shown)
        return min(max(stops, -mostCorrection), mostCorrection)
    }

    /// How much more light than its mapped values a pixel has, as a binary logarithm.
    @inline(__always)
    func gain(_ pixel: SIMD4<Float>) -> Float {
        let brightest = light(pixel).max()
        guard brightest > 0 else { return 0 }
        let factor = peakDistance > 0 && brightest > Self.knee ? factor(brightest) : 1
        let mapped = min(brightest * factor, 1)
        return Self.corrections[Int(mapped * 1023 + 0.5)] - (factor < 1 ? log2(factor) : 0)
    }

    /// The brightest light that the mapping tells from brighter light, in multiples of white.
    var peak: Float { peakDistance > 0 ? Self.knee + (1 - Self.knee) * peakDistance : 1 }

    /// Linear light in sRGB's primaries, without infinities and NaN.
    @inline(__always)
    private func light(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
        // NaN and -infinity become 0.
        var linear = pixel.replacing(with: 0, where: .!(pixel .> -.infinity))
        linear = pointwiseMin(linear, SIMD4(repeating: Self.maximum))
        guard isMatrixNeeded else { return linear }
        return SIMD4(
            (linear * matrix[0]).sum(), (linear * matrix[1]).sum(), (linear * matrix[2]).sum(), 0)
    }

    /// What light above the knee is multiplied by.
    @inline(__always)
    private func factor(_ brightest: Float) -> Float {
        let distance = (min(brightest, Self.maximum) - Self.knee) / (1 - Self.knee)
        let compressed = min(
            distance * (1 + distance / (peakDistance * peakDistance)) / (1 + distance), 1)
        return (Self.knee + (1 - Self.knee) * compressed) / brightest
    }

    /// Maps linear R, G and B to three 16-bit sRGB values.
    @inline(__always)
    func map(_ pixel: SIMD4<Float>, to target: UnsafeMutablePointer<UInt16>) {
        var linear = light(pixel)
        let brightest = linear.max()
        if peakDistance > 0, brightest > Self.knee { linear *= factor(brightest) }
        for sample in 0..<3 {
            // Negative values, which are outside sRGB's gamut, become 0.
            let value = linear[sample] > 0 ? min(linear[sample], 1) : 0
            target[sample] = Self.encoded[Int(value * 65535 + 0.5)]
        }
    }
}

/// Decodes the HDR transfer functions PQ and HLG to linear light, in multiples of white.
struct HDRDecoding: Sendable {
    /// The linear light of every 16-bit value.
    private let table: [Float]
    /// The peak to assume for tone mapping, in multiples of white.
    let peak: Float

    /// Luminance of white in cd/m²; source: ITU-R BT.2408.
    private static let white = 203.0

    /// Nil for transfer functions that encode nothing brighter than white.
    init?(_ transfer: ColorEncoding.Transfer) {
        switch transfer {
        case .perceptualQuantizer:
            table = (0...65535).map { Float(Self.pqLuminance(Double($0) / 65535) / Self.white) }
            // Pictures with a peak above 1000 cd/m² are rare; they are clipped.
            peak = Float(1000 / Self.white)
        case .hybridLogGamma:
            table = (0...65535).map { Float(Self.hlgLuminance(Double($0) / 65535) / Self.white) }
            peak = Float(1000 / Self.white)
        case .sRGB, .gamma, .linear, .bt709: return nil
        }
    }

    @inline(__always)
    func light(_ value: UInt16) -> Float { table[Int(value)] }

    /// Luminance in cd/m² of a PQ value in 0...1; source: SMPTE ST 2084, equation 4.1.
    private static func pqLuminance(_ value: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let root = pow(value, 1 / m2)
        return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    /// Luminance in cd/m² of an HLG value in 0...1, on a display of 1000 cd/m².
    ///
    /// The system gamma is applied to each sample separately. Source: ITU-R BT.2100, table 5.
    private static func hlgLuminance(_ value: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        let scene = value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
        return 1000 * pow(scene, 1.2)
    }
}
