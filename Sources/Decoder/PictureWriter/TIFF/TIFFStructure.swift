import Containers
import Geometry

/// A TIFF structure in memory whose first directory is changed: a TIFF file, or EXIF data.
///
/// Source: TIFF 6.0, section 2; EXIF 2.3 (CIPA DC-008), 4.5 and 4.6.
struct TIFFStructure {
    enum Tag {
        static let width = 0x0100
        static let height = 0x0101
        static let orientation = 0x0112
        static let stripOffsets = 0x0111
        static let stripLengths = 0x0117
        static let thumbnailOffset = 0x0201
        static let thumbnailLength = 0x0202
        static let xmp = 0x02BC
        static let iptc = 0x83BB
        static let exifDirectory = 0x8769
        static let positionDirectory = 0x8825
        static let pixelWidth = 0xA002
        static let pixelHeight = 0xA003
        static let subjectArea = 0x9214
        static let subjectLocation = 0xA214
    }

    private let bytes: UnsafeRawBufferPointer
    let isLittle: Bool
    /// The offset of the first directory.
    let start: Int

    /// Nil if the bytes are no TIFF structure, or if the first directory is not inside.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let reader = TIFFReader(bytes) else { return nil }
        self.bytes = bytes
        isLittle = reader.isLittle
        start = reader.start
        guard start >= 8, let count = number(at: start, 2), count > 0,
            start + 2 + count * 12 + 4 <= bytes.count
        else { return nil }
    }

    // MARK: Numbers

    func number(at offset: Int, _ size: Int) -> Int? {
        guard let part = bytes.part(at: offset, length: size) else { return nil }
        return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }

    func encoded(_ value: Int, _ size: Int) -> [UInt8] {
        Self.encoded(value, size, isLittle: isLittle)
    }

    static func encoded(_ value: Int, _ size: Int, isLittle: Bool) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isLittle ? bytes : bytes.reversed()
    }

    /// The offsets of the entries with a tag in the directory at `directory`.
    func entries(_ tag: Int, at directory: Int) -> [Int] {
        guard let count = number(at: directory, 2) else { return [] }
        return (0..<count).map { directory + 2 + $0 * 12 }.filter { number(at: $0, 2) == tag }
    }

    /// A value of one SHORT or LONG.
    func value(_ tag: Int, at directory: Int) -> Int? {
        guard let entry = entries(tag, at: directory).first, number(at: entry + 4, 4) == 1 else {
            return nil
        }
        switch number(at: entry + 2, 2) {
        case 3: return number(at: entry + 8, 2)
        case 4, 13: return number(at: entry + 8, 4)
        default: return nil
        }
    }

    // MARK: Pictures

    /// Maximum number of directories that are followed.
    private static let mostDirectories = 8
    /// Maximum number of strips of a picture.
    private static let mostStrips = 1024

    /// The place of the link to the second directory, and the offset of that directory, if there is one.
    var secondDirectory: (link: Int, offset: Int)? {
        guard let count = number(at: start, 2) else { return nil }
        let link = start + 2 + count * 12
        guard let offset = number(at: link, 4), offset > 0 else { return nil }
        return (link, offset)
    }

    /// The ranges of the pictures in the directory at `offset` and in those after it.
    ///
    /// A corrupt place could be that of other values: a compressed picture has to begin as a JPEG, and
    /// a picture ends before what the first directory, and those that it refers to, have.
    func pictures(from offset: Int) -> [Range<Int>] {
        guard let reader = TIFFReader(bytes) else { return [] }
        var found: [Range<Int>] = []
        let used = used(reader)
        func add(_ place: Int, _ length: Int) {
            let picture = place..<(place + length)
            let end = used.reduce(picture.upperBound) { end, range in
                range.overlaps(picture) ? min(end, range.lowerBound) : end
            }
            if end > place { found.append(place..<end) }
        }
        var next: Int? = offset
        for _ in 0..<Self.mostDirectories {
            guard let directory = next else { break }
            next = reader.next(after: directory)
            if let place = value(Tag.thumbnailOffset, at: directory),
                let length = value(Tag.thumbnailLength, at: directory), place >= 8, length > 0,
                bytes.part(at: place, length: length)?.starts(with: [0xFF, 0xD8]) == true
            {
                add(place, length)
            }
            let entries = reader.directory(at: directory)
            guard let places = entries[Tag.stripOffsets], let lengths = entries[Tag.stripLengths]
            else { continue }
            let strips = zip(
                reader.numbers(places, limit: Self.mostStrips),
                reader.numbers(lengths, limit: Self.mostStrips))
            for (place, length) in strips where bytes.part(at: place, length: length) != nil {
                add(place, length)
            }
        }
        return found
    }

    /// The ranges of the header, and of the directories of the picture with their values.
    private func used(_ reader: TIFFReader) -> [Range<Int>] {
        var ranges = [0..<8]
        let first = reader.directory(at: start)
        let others = [Tag.exifDirectory, Tag.positionDirectory].compactMap {
            first[$0].flatMap(reader.long)
        }
        for offset in [start] + others {
            guard let count = number(at: offset, 2) else { continue }
            ranges.append(offset..<(offset + 2 + count * 12 + 4))
            for entry in reader.directory(at: offset).values {
                guard let value = reader.value(entry) else { continue }
                let place = bytes.offset(of: value)
                ranges.append(place..<(place + value.count))
            }
        }
        return ranges
    }

    // MARK: Changes

    /// The changes, in offsets of the structure, that set the orientation: in place, or by a new first
    /// directory at the end.
    func settingOrientation(_ orientation: Orientation) -> ByteChanges {
        var changes = ByteChanges()
        // Type, count and value, which is padded to four bytes.
        let entry =
            encoded(3, 2) + encoded(1, 4) + encoded(Int(orientation.rawValue), 2) + [0, 0]
        let places = entries(Tag.orientation, at: start)
        for place in places { changes.replace((place + 2)..<(place + 12), with: entry) }
        guard places.isEmpty, let count = number(at: start, 2) else { return changes }
        let old = (0..<count).map { start + 2 + $0 * 12 }
        let after = old.firstIndex { number(at: $0, 2) ?? 0 > Tag.orientation } ?? count
        var directory = encoded(count + 1, 2)
        directory += bytes[(start + 2)..<(start + 2 + after * 12)]
        directory += encoded(Tag.orientation, 2) + entry
        directory += bytes[(start + 2 + after * 12)..<(start + 2 + count * 12 + 4)]
        // Directories begin at even offsets.
        let padding = [UInt8](repeating: 0, count: bytes.count % 2)
        changes.replace(4..<8, with: encoded(bytes.count + padding.count, 4))
        changes.insert(padding + directory, at: bytes.count)
        return changes
    }

    /// EXIF data with nothing but an orientation.
    static func minimal(_ orientation: Orientation) -> [UInt8] {
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
            + encoded(Tag.orientation, 2, isLittle: false) + [0, 3, 0, 0, 0, 1, 0]
            + [orientation.rawValue, 0, 0, 0, 0, 0, 0]
    }
}
