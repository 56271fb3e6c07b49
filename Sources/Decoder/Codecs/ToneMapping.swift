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

    /// Maps linear R, G and B to three 16-bit sRGB values.
    @inline(__always)
    func map(_ pixel: SIMD4<Float>, to target: UnsafeMutablePointer<UInt16>) {
        // NaN and -infinity become 0.
        var linear = pixel.replacing(with: 0, where: .!(pixel .> -.infinity))
        linear = pointwiseMin(linear, SIMD4(repeating: Self.maximum))
        if isMatrixNeeded {
            linear = SIMD4(
                (linear * matrix[0]).sum(), (linear * matrix[1]).sum(),
                (linear * matrix[2]).sum(), 0)
        }
        let brightest = linear.max()
        if peakDistance > 0, brightest > Self.knee {
            let distance = (min(brightest, Self.maximum) - Self.knee) / (1 - Self.knee)
            let compressed = min(
                distance * (1 + distance / (peakDistance * peakDistance)) / (1 + distance), 1)
            linear *= (Self.knee + (1 - Self.knee) * compressed) / brightest
        }
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

/// Matrices between RGB primaries, with Bradford adaptation if the white points differ.
enum PrimaryMatrix {
    typealias Matrix = [[Double]]

    /// The rows of the matrix from linear RGB of `primaries` to linear sRGB.
    static func toSRGB(from primaries: ColorEncoding.Primaries) -> Matrix {
        let sourceToXYZ = toXYZ(primaries)
        let adapted = product(
            adaptation(from: primaries.white, to: ColorEncoding.Primaries.bt709.white),
            sourceToXYZ)
        guard let fromXYZ = inverse(toXYZ(.bt709)) else { return identity }
        return product(fromXYZ, adapted)
    }

    /// The luminance coefficients of red, green and blue; their sum is 1.
    static func luminance(of primaries: ColorEncoding.Primaries) -> [Double] {
        toXYZ(primaries)[1]
    }

    private static let identity: Matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

    /// The rows of the matrix from linear RGB to CIE XYZ; source: SMPTE RP 177.
    private static func toXYZ(_ primaries: ColorEncoding.Primaries) -> Matrix {
        func xyz(_ point: ColorEncoding.Primaries.Chromaticity) -> [Double] {
            // Imaginary primaries may have a negative y, so only 0 is excluded.
            guard point.y != 0 else { return [0, 0, 0] }
            return [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
        }
        let vectors = [primaries.red, primaries.green, primaries.blue].map(xyz)
        let columns = (0..<3).map { row in vectors.map { $0[row] } }
        guard let inverted = inverse(columns) else { return identity }
        let white = xyz(primaries.white)
        let scale = inverted.map { row in zip(row, white).reduce(0) { $0 + $1.0 * $1.1 } }
        return columns.map { row in zip(row, scale).map { $0 * $1 } }
    }

    private static func adaptation(
        from source: ColorEncoding.Primaries.Chromaticity,
        to target: ColorEncoding.Primaries.Chromaticity
    ) -> Matrix {
        guard source != target, source.y > 0 else { return identity }
        let cone: Matrix = [
            [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
        ]
        func response(_ point: ColorEncoding.Primaries.Chromaticity) -> [Double] {
            let xyz = [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
            return cone.map { row in zip(row, xyz).reduce(0) { $0 + $1.0 * $1.1 } }
        }
        let (from, to) = (response(source), response(target))
        guard let fromCone = inverse(cone), from.allSatisfy({ $0 != 0 }) else { return identity }
        let scaled = (0..<3).map { row in cone[row].map { $0 * to[row] / from[row] } }
        return product(fromCone, scaled)
    }

    private static func product(_ a: Matrix, _ b: Matrix) -> Matrix {
        a.map { row in
            (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * b[$1][column] } }
        }
    }

    private static func inverse(_ m: Matrix) -> Matrix? {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, s) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return m[r][c] * m[s][d] - m[r][d] * m[s][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * minor(0, $1) }
        guard abs(determinant) > 1e-12 else { return nil }
        return (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } }
    }
}
