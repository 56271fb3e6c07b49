import Glibc

/// Encoders of ICC profiles.
package enum TestProfile {
    /// CIE XYZ with a D50 white, as in ICC profiles.
    package struct Colorant: Sendable {
        var x: Double
        var y: Double
        var z: Double

        package static let red = Colorant(x: 0.4361, y: 0.2225, z: 0.0139)
        package static let green = Colorant(x: 0.3851, y: 0.7169, z: 0.0971)
        package static let blue = Colorant(x: 0.1431, y: 0.0606, z: 0.7139)
        static let white = Colorant(x: 0.9642, y: 1, z: 0.8249)
    }

    /// sRGB with red and blue swapped, which shows whether a profile is applied.
    package static let swapped = matrix(.blue, .green, .red, gamma: 2.2)

    /// sRGB with red and green swapped.
    package static let exchanged = matrix(.green, .red, .blue, gamma: 2.2)

    /// sRGB with a tone curve of 1024 entries.
    package static let standard: [UInt8] = {
        let numbers = (0..<1024).flatMap { step -> [UInt8] in
            let value = Double(step) / 1023
            let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            let number = Int((light * 65535).rounded())
            return [UInt8(number >> 8), UInt8(number & 255)]
        }
        return matrix(.red, .green, .blue, curve: tag("curv") + number(1024) + numbers)
    }()

    /// A version 2 display profile with the given colorants and one gamma for all channels.
    package static func matrix(
        _ red: Colorant, _ green: Colorant, _ blue: Colorant, gamma: Double
    ) -> [UInt8] {
        let curve = tag("curv") + number(1) + [UInt8(gamma), UInt8(Int(gamma * 256) & 255)]
        return matrix(red, green, blue, curve: curve)
    }

    private static func matrix(
        _ red: Colorant, _ green: Colorant, _ blue: Colorant, curve: [UInt8]
    ) -> [UInt8] {
        profile(
            "RGB ",
            [
                ("rXYZ", xyz(red)), ("gXYZ", xyz(green)), ("bXYZ", xyz(blue)),
                ("wtpt", xyz(.white)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
                ("desc", description), ("cprt", tag("text") + Array("none\0".utf8)),
            ])
    }

    /// A grey profile with a gamma.
    package static func gray(gamma: Double) -> [UInt8] {
        let curve = tag("curv") + number(1) + [UInt8(gamma), UInt8(Int(gamma * 256) & 255)]
        return profile(
            "GRAY",
            [
                ("wtpt", xyz(.white)), ("kTRC", curve), ("desc", description),
                ("cprt", tag("text") + Array("none\0".utf8)),
            ])
    }

    private static let description =
        tag("desc") + number(5) + Array("test\0".utf8) + [UInt8](repeating: 0, count: 78)

    private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
        var table = number(tags.count)
        var data: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for (name, bytes) in tags {
            table += Array(name.utf8) + number(start + data.count) + number(bytes.count)
            data += bytes
            while !data.count.isMultiple(of: 4) { data.append(0) }
        }
        var header = number(start + data.count) + Array("none".utf8) + [2, 0x20, 0, 0]
        header += Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8)
        // The date has no effect.
        header += [7, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
        header += [UInt8](repeating: 0, count: 28) + xyz(.white).dropFirst(8)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + data
    }

    private static func tag(_ type: String) -> [UInt8] { Array(type.utf8) + [0, 0, 0, 0] }

    private static func xyz(_ color: Colorant) -> [UInt8] {
        tag("XYZ ") + [color.x, color.y, color.z].flatMap { number(Int(($0 * 65536).rounded())) }
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}

extension TestPicture {
    /// Inserts a profile into a JPEG.
    package static func jpeg(_ file: [UInt8], withProfile profile: [UInt8]) -> [UInt8] {
        let data = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = data.count + 2
        return Array(file.prefix(2)) + [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + data
            + file.dropFirst(2)
    }

    /// Inserts chunks after a PNG's header; the data of an iCCP chunk becomes a zlib stream.
    package static func png(_ file: [UInt8], with chunks: [(name: String, data: [UInt8])])
        -> [UInt8]
    {
        let header = 8 + 25
        let added = chunks.flatMap { name, data in
            TestAnimation.chunk(name, name == "iCCP" ? Array("p\0\0".utf8) + packed(data) : data)
        }
        return file.inserting(added, at: header)
    }

    /// A zlib stream with a single stored block.
    package static func packed(_ data: [UInt8]) -> [UInt8] {
        let length = data.count
        var (a, b) = (1, 0)
        for byte in data {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        let block = [
            1, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255),
            UInt8((~length >> 8) & 255),
        ]
        return [0x78, 0x01] + block + data + [
            UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255),
        ]
    }
}
