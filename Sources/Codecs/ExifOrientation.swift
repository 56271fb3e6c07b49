package import Geometry

/// Finds tag 0x0112 in EXIF data.
///
/// Source: EXIF 2.3 (CIPA DC-008) 4.5 and 4.6; the data is a TIFF file of its own. Anything that
/// does not hold together means upright.
package enum ExifOrientation {
    private static let tag = 0x0112
    private static let shortType = 3
    /// More entries than this no camera writes.
    private static let mostEntries = 1024

    /// The orientation in a TIFF structure.
    package static func parse(tiff: some RandomAccessCollection<UInt8>) -> Orientation {
        let bytes = Array(tiff.prefix(1 << 16))
        guard bytes.count >= 8 else { return .upright }
        let isLittle: Bool
        switch (bytes[0], bytes[1]) {
        case (0x49, 0x49): isLittle = true
        case (0x4D, 0x4D): isLittle = false
        default: return .upright
        }
        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, offset + size <= bytes.count else { return nil }
            let part = bytes[offset..<(offset + size)]
            return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2, 2) == 42, let directory = number(4, 4), let count = number(directory, 2)
        else { return .upright }
        for index in 0..<min(count, mostEntries) {
            let entry = directory + 2 + index * 12
            guard let name = number(entry, 2) else { break }
            guard name == tag else { continue }
            guard number(entry + 2, 2) == shortType, let value = number(entry + 8, 2),
                let raw = UInt8(exactly: value)
            else { break }
            return Orientation(rawValue: raw) ?? .upright
        }
        return .upright
    }

    /// The orientation that a JPEG's first EXIF segment gives.
    package static func parse(jpeg: UnsafeRawBufferPointer) -> Orientation {
        var offset = 2
        while offset + 4 <= jpeg.count, jpeg[offset] == 0xFF {
            let marker = jpeg[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            // Start of scan or the end: what matters comes before.
            if marker == 0xDA || marker == 0xD9 { break }
            let length = Int(jpeg[offset + 2]) << 8 | Int(jpeg[offset + 3])
            let end = min(offset + 2 + length, jpeg.count)
            let body = offset + 4
            let name = Array("Exif".utf8) + [0, 0]
            if marker == 0xE1, body + 6 <= end, jpeg[body..<(body + 6)].elementsEqual(name) {
                return parse(tiff: jpeg[(body + 6)..<end])
            }
            guard length >= 2 else { break }
            offset += 2 + length
        }
        return .upright
    }
}
