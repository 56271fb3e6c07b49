/// ICC profiles for tests.
enum TestProfile {
    /// sRGB's primaries with red and green exchanged, and the exponent 2.2: what is red becomes green.
    ///
    /// Source: ICC.1:2001-04, sections 6.1 and 6.5.
    static let exchanged: [UInt8] = {
        let red = xyz(0.4360, 0.2225, 0.0139)
        let green = xyz(0.3851, 0.7169, 0.0971)
        let blue = xyz(0.1431, 0.0606, 0.7141)
        let gamma = Array("curv".utf8) + long(0) + long(1) + [0x02, 0x33, 0, 0]
        let tags: [(String, [UInt8])] = [
            ("rXYZ", green), ("gXYZ", red), ("bXYZ", blue), ("wtpt", xyz(0.9642, 1, 0.8249)),
            ("rTRC", gamma), ("gTRC", gamma), ("bTRC", gamma),
        ]
        var table = long(tags.count)
        var data: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for (name, value) in tags {
            table += Array(name.utf8) + long(start + data.count) + long(value.count)
            data += value
        }
        var header = long(start + data.count) + long(0) + [2, 0x40, 0, 0]
        header += Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        // The profile connection space's white.
        header += [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + data
    }()

    private static func long(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 255) }
    }

    private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ ".utf8) + long(0)
            + [x, y, z].flatMap { long(Int(($0 * 65536).rounded())) }
    }
}
