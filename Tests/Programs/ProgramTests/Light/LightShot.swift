import CZlib
import Geometry
import Glibc
import TestKit

/// A PNG that `--shot-light` has written.
struct LightShot {
    let size: PixelSize
    /// The chunk cICP.
    let codePoints: [UInt8]
    /// Rows of a filter byte, and of samples of two bytes.
    private let rows: [UInt8]

    /// Nil for a file that is not such a PNG, or whose rows are filtered.
    init?(_ path: String) {
        guard let file = TestFile.read(path), file.count > 8 else { return nil }
        func number(_ place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        var (size, codePoints, data) = (PixelSize.zero, [UInt8](), [UInt8]())
        var place = 8
        while place + 8 <= file.count {
            let length = number(place)
            let body = place + 8
            switch String(decoding: file[(place + 4)..<body], as: UTF8.self) {
            case "IHDR": size = PixelSize(width: number(body), height: number(body + 4))
            case "cICP": codePoints = Array(file[body..<body + length])
            case "IDAT": data += file[body..<body + length]
            default: break
            }
            place = body + length + 4
        }
        let row = 1 + 6 * size.width
        var length = uLong(row * size.height)
        var rows = [UInt8](repeating: 0, count: Int(length))
        guard !size.isEmpty, uncompress(&rows, &length, data, uLong(data.count)) == Z_OK,
            stride(from: 0, to: rows.count, by: row).allSatisfy({ rows[$0] == 0 })
        else { return nil }
        (self.size, self.codePoints, self.rows) = (size, codePoints, rows)
    }

    /// The light of a pixel in cd/m², in the primaries of ITU-R BT.2020.
    func light(_ x: Int, _ y: Int) -> Light {
        let place = y * (1 + 6 * size.width) + 1 + 6 * x
        return Light(
            (0..<3).map { sample in
                let code = Int(rows[place + 2 * sample]) << 8 | Int(rows[place + 2 * sample + 1])
                return Light.luminance(Double(code) / 65535)
            })
    }
}

/// Red, green and blue in cd/m², in the primaries of ITU-R BT.2020.
struct Light {
    let values: [Double]

    static let white = 203.0

    init(_ values: [Double]) { self.values = values }

    /// Light in the primaries of sRGB, in multiples of white; source: ITU-R BT.2087.
    init(sRGB linear: [Double]) {
        let rows = [
            [0.6274039, 0.3292830, 0.0433131], [0.0690973, 0.9195404, 0.0113623],
            [0.0163914, 0.0880133, 0.8955953],
        ]
        values = rows.map { row in
            Self.white * zip(row, linear).map { $0 * $1 }.reduce(0, +)
        }
    }

    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

    /// SMPTE ST 2084, equation 4.1.
    static func luminance(_ code: Double) -> Double {
        let root = pow(code, 1 / m2)
        return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    /// SMPTE ST 2084, equation 5.1.
    static func code(_ luminance: Double) -> Double {
        let power = pow(max(luminance, 0) / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    /// I, T and P of ITU-R BT.2124.
    private var coordinates: [Double] {
        func row(_ weights: [Double], _ values: [Double]) -> Double {
            zip(weights, values).map { $0 * $1 / 4096 }.reduce(0, +)
        }
        let cone = [
            row([1688, 2146, 262], values), row([683, 2951, 462], values),
            row([99, 309, 3688], values),
        ].map(Self.code)
        return [
            (cone[0] + cone[1]) / 2, row([6610, -13613, 7003], cone) / 2,
            row([17933, -17390, -543], cone),
        ]
    }

    /// The difference ΔE ITP of ITU-R BT.2124; 1 can just be seen.
    func difference(from other: Light) -> Double {
        720 * sqrt(zip(coordinates, other.coordinates).map { ($0 - $1) * ($0 - $1) }.reduce(0, +))
    }
}
