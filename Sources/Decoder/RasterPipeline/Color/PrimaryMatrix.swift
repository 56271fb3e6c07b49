/// Matrices between RGB primaries, with Bradford adaptation if the white points differ.
package enum PrimaryMatrix {
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
    package static func luminance(of primaries: ColorEncoding.Primaries) -> [Double] {
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
