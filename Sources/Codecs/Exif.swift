package import Geometry

/// What EXIF data says of a picture that concerns how it is shown and sorted.
///
/// Source: EXIF 2.3 (CIPA DC-008) 4.5 and 4.6; the data is a TIFF file of its own. What does not hold
/// together is as if it were not there.
package struct Exif: Hashable, Sendable {
    package private(set) var orientation = Orientation.upright
    /// When it was taken, by the camera's clock: seconds since 1970-01-01 00:00 of that clock.
    package private(set) var taken: Int?

    /// No EXIF data.
    package init() {}

    private enum Tag {
        static let orientation = 0x0112
        static let dateTime = 0x0132
        static let exifDirectory = 0x8769
        static let dateTimeOriginal = 0x9003
    }

    /// Reads a TIFF structure.
    package init(tiff: some RandomAccessCollection<UInt8>) {
        guard let file = TIFFReader(Array(tiff.prefix(1 << 16))) else { return }
        let first = file.directory(at: file.start)
        if let value = first[Tag.orientation].flatMap(file.short),
            let raw = UInt8(exactly: value)
        {
            orientation = Orientation(rawValue: raw) ?? .upright
        }
        let more = first[Tag.exifDirectory].flatMap(file.long).map(file.directory) ?? [:]
        let text =
            more[Tag.dateTimeOriginal].flatMap(file.text) ?? first[Tag.dateTime].flatMap(file.text)
        taken = text.flatMap(Self.seconds)
    }

    /// Reads a JPEG's first EXIF segment.
    package init(jpeg: UnsafeRawBufferPointer) {
        guard let segment = Self.segment(of: jpeg) else {
            self.init()
            return
        }
        self.init(tiff: jpeg[segment])
    }

    private static func segment(of jpeg: UnsafeRawBufferPointer) -> Range<Int>? {
        var offset = 2
        while offset + 4 <= jpeg.count, jpeg[offset] == 0xFF {
            let marker = jpeg[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            // Start of scan or the end: what matters comes before.
            if marker == 0xDA || marker == 0xD9 { return nil }
            let length = Int(jpeg[offset + 2]) << 8 | Int(jpeg[offset + 3])
            let end = min(offset + 2 + length, jpeg.count)
            let body = offset + 4
            let name = Array("Exif".utf8) + [0, 0]
            if marker == 0xE1, body + 6 <= end, jpeg[body..<(body + 6)].elementsEqual(name) {
                return (body + 6)..<end
            }
            guard length >= 2 else { return nil }
            offset += 2 + length
        }
        return nil
    }

    /// The seconds of a text such as "2026:11:21 09:30:00"; nil where it is no date.
    ///
    /// Source of the day's number: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
    /// days_from_civil.
    private static func seconds(_ text: [UInt8]) -> Int? {
        let fields = text.split { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: " ") }
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        guard fields.count == 6, let year = fields[0], let month = fields[1], let day = fields[2],
            let hour = fields[3], let minute = fields[4], let second = fields[5],
            (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let fromMarch = month <= 2 ? year - 1 : year
        let era = fromMarch / 400
        let yearOfEra = fromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }
}

/// Reads the directories of a TIFF structure, believing nothing.
private struct TIFFReader {
    struct Entry {
        var type: Int
        var count: Int
        /// Where its value is, or the offset of its value.
        var place: Int
    }

    private let bytes: [UInt8]
    private let isLittle: Bool
    /// Where the first directory is.
    let start: Int

    /// More entries than this no camera writes.
    private static let mostEntries = 1024
    private static let (ascii, short, long) = (2, 3, 4)

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x49, 0x49): isLittle = true
        case (0x4D, 0x4D): isLittle = false
        default: return nil
        }
        self.bytes = bytes
        guard Self.number(bytes, isLittle, 2, 2) == 42,
            let start = Self.number(bytes, isLittle, 4, 4)
        else { return nil }
        self.start = start
    }

    private static func number(
        _ bytes: [UInt8], _ isLittle: Bool, _ offset: Int, _ size: Int
    ) -> Int? {
        guard offset >= 0, offset + size <= bytes.count else { return nil }
        var value = 0
        for place in 0..<size {
            value = value << 8 | Int(bytes[offset + (isLittle ? size - 1 - place : place)])
        }
        return value
    }

    private func number(_ offset: Int, _ size: Int) -> Int? {
        Self.number(bytes, isLittle, offset, size)
    }

    /// The entries of a directory by their tags; of two with the same tag the first counts.
    func directory(at offset: Int) -> [Int: Entry] {
        guard let count = number(offset, 2) else { return [:] }
        var entries: [Int: Entry] = [:]
        for index in 0..<min(count, Self.mostEntries) {
            let place = offset + 2 + index * 12
            guard let tag = number(place, 2), let type = number(place + 2, 2),
                let count = number(place + 4, 4)
            else { break }
            if entries[tag] == nil {
                entries[tag] = Entry(type: type, count: count, place: place + 8)
            }
        }
        return entries
    }

    func short(_ entry: Entry) -> Int? {
        entry.type == Self.short ? number(entry.place, 2) : nil
    }

    func long(_ entry: Entry) -> Int? {
        entry.type == Self.long ? number(entry.place, 4) : nil
    }

    /// A short text without its ending zeros.
    func text(_ entry: Entry) -> [UInt8]? {
        guard entry.type == Self.ascii, (5...64).contains(entry.count),
            let offset = number(entry.place, 4), offset + entry.count <= bytes.count
        else { return nil }
        return Array(bytes[offset..<(offset + entry.count)].prefix { $0 != 0 })
    }
}
