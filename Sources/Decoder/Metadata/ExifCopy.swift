import Containers

/// Copies the few EXIF values that are shown to a person into a new, small TIFF structure.
///
/// libexif reads nothing but this copy. Loops, absurd counts and maker notes of the file do not
/// reach libexif: three directories are read, once each, and every value lies completely inside the
/// copy.
/// Source: EXIF 2.3 (CIPA DC-008) 4.5 and 4.6.
enum ExifCopy {
    enum Tag {
        static let description = 0x010E
        static let make = 0x010F
        static let model = 0x0110
        static let software = 0x0131
        static let dateTime = 0x0132
        static let artist = 0x013B
        static let copyright = 0x8298
        static let exposureTime = 0x829A
        static let aperture = 0x829D
        static let exifDirectory = 0x8769
        static let gpsDirectory = 0x8825
        static let sensitivity = 0x8827
        static let dateTimeOriginal = 0x9003
        static let dateTimeDigitized = 0x9004
        static let exposureBias = 0x9204
        static let flash = 0x9209
        static let focalLength = 0x920A
        static let focalLengthIn35mm = 0xA405
        static let lensMake = 0xA433
        static let lensModel = 0xA434
        static let latitudeSide = 1
        static let latitude = 2
        static let longitudeSide = 3
        static let longitude = 4
        static let altitudeSide = 5
        static let altitude = 6
    }

    private static let picture = [
        Tag.description, Tag.make, Tag.model, Tag.software, Tag.dateTime, Tag.artist, Tag.copyright,
    ]
    private static let camera = [
        Tag.exposureTime, Tag.aperture, Tag.sensitivity, Tag.dateTimeOriginal,
        Tag.dateTimeDigitized, Tag.exposureBias, Tag.flash, Tag.focalLength, Tag.focalLengthIn35mm,
        Tag.lensMake, Tag.lensModel,
    ]
    private static let gps = Array(Tag.latitudeSide...Tag.altitude)
    /// The longest value in bytes; all of them together are less than 64 KiB.
    private static let longestValue = 2048

    private struct Value {
        var tag: Int
        var type: Int
        var count: Int
        var bytes: [UInt8]
    }

    /// The copy of a TIFF structure; nil if it is invalid or has none of the shown values.
    static func copy(of bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let file = TIFFReader(bytes) else { return nil }
        let first = file.directory(at: file.start)
        func subdirectory(_ tag: Int, _ tags: [Int]) -> [Value] {
            guard let entry = first[tag], let offset = file.long(entry) else { return [] }
            return values(tags, in: file.directory(at: offset), of: file)
        }
        var top = values(picture, in: first, of: file)
        let lower = [
            (Tag.exifDirectory, subdirectory(Tag.exifDirectory, camera)),
            (Tag.gpsDirectory, subdirectory(Tag.gpsDirectory, gps)),
        ].filter { !$0.1.isEmpty }
        guard !top.isEmpty || !lower.isEmpty else { return nil }
        // The offsets of the directories follow from the lengths of all that precedes them.
        var offset = 8 + length(of: top, entries: top.count + lower.count)
        for (tag, values) in lower {
            top.append(Value(tag: tag, type: 4, count: 1, bytes: number(offset, 4, file.isLittle)))
            offset += length(of: values, entries: values.count)
        }
        var result: [UInt8] = file.isLittle ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
        result += number(8, 4, file.isLittle)
        append(top, to: &result, isLittle: file.isLittle)
        for (_, values) in lower { append(values, to: &result, isLittle: file.isLittle) }
        return result
    }

    /// The values of `tags`, each cut to at most `longestValue` bytes.
    private static func values(
        _ tags: [Int], in directory: [Int: TIFFReader.Entry], of file: TIFFReader
    ) -> [Value] {
        tags.compactMap { tag in
            guard let entry = directory[tag],
                let bytes = file.value(entry, limit: longestValue)
            else { return nil }
            return Value(
                tag: tag, type: entry.type, count: bytes.count / file.size(of: entry),
                bytes: Array(bytes))
        }
    }

    private static func length(of values: [Value], entries: Int) -> Int {
        2 + entries * 12 + 4 + values.reduce(0) { $0 + outsideLength(for: $1) }
    }

    /// Bytes that a value takes outside its entry, which holds up to four bytes itself.
    private static func outsideLength(for value: Value) -> Int {
        value.bytes.count <= 4 ? 0 : value.bytes.count + value.bytes.count % 2
    }

    /// Appends a directory, followed by the values that lie outside the entries.
    private static func append(_ values: [Value], to result: inout [UInt8], isLittle: Bool) {
        var place = result.count + 2 + values.count * 12 + 4
        result += number(values.count, 2, isLittle)
        // The standard requires ascending tags.
        let sorted = values.sorted { $0.tag < $1.tag }
        for value in sorted {
            result += number(value.tag, 2, isLittle) + number(value.type, 2, isLittle)
            result += number(value.count, 4, isLittle)
            if value.bytes.count <= 4 {
                result += value.bytes + [UInt8](repeating: 0, count: 4 - value.bytes.count)
            } else {
                result += number(place, 4, isLittle)
                place += outsideLength(for: value)
            }
        }
        result += number(0, 4, isLittle)
        for value in sorted where value.bytes.count > 4 {
            result += value.bytes + [UInt8](repeating: 0, count: value.bytes.count % 2)
        }
    }

    private static func number(_ value: Int, _ size: Int, _ isLittle: Bool) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isLittle ? bytes : bytes.reversed()
    }
}
