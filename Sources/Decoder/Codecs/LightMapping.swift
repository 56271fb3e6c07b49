import Glibc

/// From light, which may be brighter than white, to sRGB's numbers.
///
/// White stays as it is while nothing is brighter. Otherwise what is above three quarters of white is
/// pressed together, so that the brightest that there is comes out as white: the shoulder is
/// E. Reinhard's extended operator ("Photographic Tone Reproduction for Digital Images", 2002,
/// eq. 4), put on from there so that darker tones are left alone. All three
/// samples shrink alike, which keeps the hue.
struct LightMapping: Sendable {
    /// Where the shoulder begins.
    private static let knee: Float = 0.75
    /// Brighter than this is as bright; infinite light would be no number after the matrix.
    private static let most: Float = 1e6
    /// sRGB's numbers of 16 bits for linear light of 16 bits.
    private static let encoded: [UInt16] = (0...65535).map { number in
        let light = Double(number) / 65535
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt16((value * 65535).rounded())
    }

    /// By rows, from the picture's primaries to sRGB's.
    private let matrix: [SIMD4<Float>]
    private let isMatrixNeeded: Bool
    /// The brightest light past the knee, in its widths; 0 where nothing is brighter than white.
    private let reach: Float

    /// `peak` is the brightest light in the picture, 1 being white.
    init(primaries: ColorEncoding.Primaries, peak: Float) {
        let columns = PrimaryMatrix.toSRGB(from: primaries)
        matrix = columns.map { SIMD4(Float($0[0]), Float($0[1]), Float($0[2]), 0) }
        isMatrixNeeded = primaries != .bt709
        reach = peak > 1 ? (min(peak, Self.most) - Self.knee) / (1 - Self.knee) : 0
    }

    /// Red, green and blue light to three numbers of 16 bits.
    @inline(__always)
    func map(_ light: SIMD4<Float>, to target: UnsafeMutablePointer<UInt16>) {
        // What is no number, or infinitely dark, is dark.
        var light = light.replacing(with: 0, where: .!(light .> -.infinity))
        light = pointwiseMin(light, SIMD4(repeating: Self.most))
        if isMatrixNeeded {
            light = SIMD4(
                (light * matrix[0]).sum(), (light * matrix[1]).sum(), (light * matrix[2]).sum(), 0)
        }
        let brightest = light.max()
        if reach > 0, brightest > Self.knee {
            let way = (min(brightest, Self.most) - Self.knee) / (1 - Self.knee)
            let pressed = min(way * (1 + way / (reach * reach)) / (1 + way), 1)
            light *= (Self.knee + (1 - Self.knee) * pressed) / brightest
        }
        for sample in 0..<3 {
            // Less than no light is dark.
            let value = light[sample] > 0 ? min(light[sample], 1) : 0
            target[sample] = Self.encoded[Int(value * 65535 + 0.5)]
        }
    }
}

/// The light of numbers that code more than white, in multiples of white.
struct LightDecoding: Sendable {
    /// For every number of 16 bits.
    private let table: [Float]
    /// The brightest that is expected.
    let peak: Float

    /// ITU-R BT.2408: the light of white in cd/m².
    private static let white = 203.0

    init?(_ transfer: ColorEncoding.Transfer) {
        switch transfer {
        case .perceptualQuantizer:
            table = (0...65535).map { Float(Self.quantized(Double($0) / 65535) / Self.white) }
            // What is mastered brighter than this is rare, and clipped.
            peak = Float(1000 / Self.white)
        case .hybridLogGamma:
            table = (0...65535).map { Float(Self.hybrid(Double($0) / 65535) / Self.white) }
            peak = Float(1000 / Self.white)
        case .sRGB, .gamma, .linear, .bt709: return nil
        }
    }

    @inline(__always)
    func light(_ number: UInt16) -> Float { table[Int(number)] }

    /// The light in cd/m²; source: SMPTE ST 2084, equation 4.1.
    private static func quantized(_ number: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let root = pow(number, 1 / m2)
        return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    /// ITU-R BT.2100, table 5, for a display of 1000 cd/m²; its system gamma is taken for each sample
    /// by itself.
    private static func hybrid(_ number: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        let scene = number <= 0.5 ? number * number / 3 : (exp((number - c) / a) + b) / 12
        return 1000 * pow(scene, 1.2)
    }
}

/// Matrices between primaries, both with the same white or adapted by Bradford's method.
enum PrimaryMatrix {
    typealias Matrix = [[Double]]

    /// By rows, from linear light of `primaries` to that of sRGB's.
    static func toSRGB(from primaries: ColorEncoding.Primaries) -> Matrix {
        let own = toXYZ(primaries)
        let adapted = product(
            adaptation(from: primaries.white, to: ColorEncoding.Primaries.bt709.white), own)
        guard let back = inverse(toXYZ(.bt709)) else { return identity }
        return product(back, adapted)
    }

    /// What light of each of the primaries has of the luminance; together they make 1.
    static func luminance(of primaries: ColorEncoding.Primaries) -> [Double] {
        toXYZ(primaries)[1]
    }

    private static let identity: Matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

    /// Source: SMPTE RP 177.
    private static func toXYZ(_ primaries: ColorEncoding.Primaries) -> Matrix {
        func light(_ place: ColorEncoding.Primaries.Chromaticity) -> [Double] {
            // Some that no light has lie below the axis.
            guard place.y != 0 else { return [0, 0, 0] }
            return [place.x / place.y, 1, (1 - place.x - place.y) / place.y]
        }
        let parts = [primaries.red, primaries.green, primaries.blue].map(light)
        let columns = (0..<3).map { row in parts.map { $0[row] } }
        guard let back = inverse(columns) else { return identity }
        let white = light(primaries.white)
        let scale = back.map { row in zip(row, white).reduce(0) { $0 + $1.0 * $1.1 } }
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
        func response(_ place: ColorEncoding.Primaries.Chromaticity) -> [Double] {
            let light = [place.x / place.y, 1, (1 - place.x - place.y) / place.y]
            return cone.map { row in zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } }
        }
        let (from, to) = (response(source), response(target))
        guard let back = inverse(cone), from.allSatisfy({ $0 != 0 }) else { return identity }
        let scaled = (0..<3).map { row in cone[row].map { $0 * to[row] / from[row] } }
        return product(back, scaled)
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
