/// A compiled catalogue (`.mo`).
///
/// The C library trusts the offsets in such a file: a damaged one would let it read beyond the file.
enum CatalogueFile {
    /// The largest file that is read, in bytes.
    static let longest = 16 << 20

    /// Whether every text of the file lies in it and ends with a NUL.
    static func isSound(_ bytes: [UInt8]) -> Bool {
        // The byte order of this machine: msgfmt writes little-endian files. A later revision has tables
        // that the C library reads, too, and that are not checked here.
        guard word(bytes, 0) == 0x9504_12DE, word(bytes, 4) == 0,
            let count = word(bytes, 8), let originals = word(bytes, 12),
            let translations = word(bytes, 16), let hashCount = word(bytes, 20),
            let hashes = word(bytes, 24), count > 0
        else { return false }
        guard hashCount == 0 || fits(hashes, 4 * hashCount, in: bytes),
            hashCount == 0 || areSound(hashes, hashCount, count, bytes)
        else { return false }
        return hasTexts(originals, count, bytes) && hasTexts(translations, count, bytes)
            && isUTF8(translations, bytes)
    }

    private static func fits(_ start: Int, _ length: Int, in bytes: [UInt8]) -> Bool {
        start >= 0 && length <= bytes.count && start <= bytes.count - length
    }

    /// Whether a table of lengths and places has texts that end with a NUL.
    private static func hasTexts(_ table: Int, _ count: Int, _ bytes: [UInt8]) -> Bool {
        guard count <= bytes.count / 8, fits(table, 8 * count, in: bytes) else { return false }
        return (0..<count).allSatisfy { number in
            guard let length = word(bytes, table + 8 * number),
                let place = word(bytes, table + 8 * number + 4)
            else { return false }
            return fits(place, length + 1, in: bytes) && bytes[place + length] == 0
        }
    }

    /// Whether every entry of the table of hashes names a text of the file.
    private static func areSound(
        _ table: Int, _ hashCount: Int, _ count: Int, _ bytes: [UInt8]
    ) -> Bool {
        // A table without a free entry would let the search for an unknown text go on for ever.
        var hasFree = false
        for number in 0..<hashCount {
            guard let entry = word(bytes, table + 4 * number), entry <= count else { return false }
            hasFree = hasFree || entry == 0
        }
        return hashCount > 2 && hasFree
    }

    /// Whether the header, the translation of the empty text, names UTF-8.
    private static func isUTF8(_ translations: Int, _ bytes: [UInt8]) -> Bool {
        guard let length = word(bytes, translations), let place = word(bytes, translations + 4)
        else { return false }
        let header = String(decoding: bytes[place..<place + length], as: UTF8.self)
        return header.contains("charset=UTF-8\n") && header.contains("Plural-Forms: nplurals=")
    }

    /// The number of four bytes at a place.
    private static func word(_ bytes: [UInt8], _ place: Int) -> Int? {
        guard place >= 0, place <= bytes.count - 4 else { return nil }
        return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
}
