import Containers
import Glibc

/// The headroom of Apple's gain maps, from two numbers that the camera leaves in EXIF's note of the maker.
///
/// Source: Apple, Applying Apple HDR effect to your photos.
struct AppleHeadroom {
    private static let (exif, note) = (0x8769, 0x927C)
    private static let (first, second) = (33, 48)
    private static let signedRational = 10
    /// The name, the version and the byte order, which the directory follows.
    private static let name = Array("Apple iOS\0\0\u{1}MM".utf8)

    /// How many times as bright as white the picture becomes.
    let value: Double

    /// Reads the structure of an EXIF segment; nil without the numbers.
    init?(exif bytes: UnsafeRawBufferPointer) {
        guard let reader = TIFFReader(bytes),
            let place = reader.directory(at: reader.start)[Self.exif].flatMap(reader.long),
            let entry = reader.directory(at: place)[Self.note], let note = reader.value(entry),
            note.starts(with: Self.name), let first = Self.number(Self.first, in: note),
            let second = Self.number(Self.second, in: note)
        else { return nil }
        let stops =
            first < 1
            ? (second <= 0.01 ? -20 * second + 1.8 : -0.101 * second + 1.601)
            : (second <= 0.01 ? -70 * second + 3 : -0.303 * second + 2.303)
        value = exp2(max(stops, 0))
    }

    /// A fraction of the note, whose offsets count from its start.
    private static func number(_ tag: Int, in note: UnsafeRawBufferPointer) -> Double? {
        var directory = BigEndianReader(note.dropping(name.count))
        guard let count = directory.number(2) else { return nil }
        for _ in 0..<count {
            guard let entry = directory.number(2), let type = directory.number(2),
                directory.number(4) != nil, let offset = directory.number(4)
            else { return nil }
            guard entry == tag, type == signedRational, let value = note.part(at: offset, length: 8)
            else { continue }
            var fraction = BigEndianReader(value)
            guard let above = fraction.number(4), let below = fraction.number(4), below != 0 else {
                return nil
            }
            return Double(Int32(truncatingIfNeeded: above))
                / Double(Int32(truncatingIfNeeded: below))
        }
        return nil
    }
}
