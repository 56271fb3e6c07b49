import Geometry
import Glibc

/// The rows of a canvas of deep pixels as absolute light, for a PNG with 16 bits per sample.
///
/// The samples are red, green and blue in the primaries of ITU-R BT.2020, with the transfer function of SMPTE ST 2084;
/// white is 203 cd/m², as ITU-R BT.2408 recommends.
package struct LightRows {
    /// The bytes of all rows, each after the filter byte 0 of PNG; samples are big-endian.
    package let bytes: [UInt8]

    private static let white = 203.0
    /// The matrix from the primaries of ITU-R BT.709 to those of BT.2020; source: ITU-R BT.2087, 4.
    private static let matrix = [
        [0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956],
    ]

    package init(_ canvas: Canvas) {
        let light = (0...1023).map {
            pow(Double($0) / 1023, 2.2) * (canvas.headroom ?? 1) * Self.white
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(canvas.size.height * (1 + canvas.size.width * 6))
        for y in 0..<canvas.size.height {
            bytes.append(0)
            let row = canvas.row(y).assumingMemoryBound(to: UInt32.self)
            for x in 0..<canvas.size.width {
                let pixel = [0, 10, 20].map { light[Int(row[x] >> UInt32($0) & 1023)] }
                for weights in Self.matrix {
                    let sum = weights[0] * pixel[0] + weights[1] * pixel[1] + weights[2] * pixel[2]
                    let code = UInt16(Self.encoded(sum) * 65535 + 0.5)
                    bytes.append(UInt8(code >> 8))
                    bytes.append(UInt8(code & 255))
                }
            }
        }
        self.bytes = bytes
    }

    /// The code 0…1 of a luminance in cd/m²; source: SMPTE ST 2084, equation 5.1.
    private static func encoded(_ luminance: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let power = pow(min(max(luminance, 0), 10_000) / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}
