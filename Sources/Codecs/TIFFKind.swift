/// Tells cameras' files from other TIFFs, as far as their directories show.
///
/// Source: TIFF/EP (ISO 12234-2) and the DNG specification 1.6 for the tags.
enum TIFFKind {
    private static let (photometric, subs, version) = (262, 330, 50706)
    /// A filter array's samples, and a sensor's that were made colours.
    private static let sensorSamples: Set<Int> = [32803, 34892]
    /// More no camera has.
    private static let (mostEntries, mostSubs) = (1024, 8)

    static func isRaw(_ file: FileBytes) -> Bool {
        let reader = Reader(file: file, isLittle: file[0] == 0x49)
        let first = reader.directory(at: reader.long(4))
        if first[version] != nil { return true }
        if let samples = first[photometric], sensorSamples.contains(reader.value(samples)) {
            return true
        }
        guard let subs = first[subs] else { return false }
        let offsets =
            subs.count == 1
            ? [reader.value(subs)]
            : (0..<min(subs.count, mostSubs)).map { reader.long(reader.long(subs.place) + 4 * $0) }
        return offsets.contains { offset in
            reader.directory(at: offset)[photometric].map {
                sensorSamples.contains(reader.value($0))
            } ?? false
        }
    }

    private struct Entry {
        var type: Int
        var count: Int
        var place: Int
    }

    private struct Reader {
        let file: FileBytes
        let isLittle: Bool

        func short(_ offset: Int) -> Int {
            isLittle ? file.little16(offset) : file.big16(offset)
        }

        func long(_ offset: Int) -> Int { isLittle ? file.little32(offset) : file.big32(offset) }

        /// A short or a long where it stands itself.
        func value(_ entry: Entry) -> Int {
            entry.type == 3 ? short(entry.place) : long(entry.place)
        }

        func directory(at offset: Int) -> [Int: Entry] {
            guard offset >= 8, file.has(2, at: offset) else { return [:] }
            var entries: [Int: Entry] = [:]
            for index in 0..<min(short(offset), TIFFKind.mostEntries) {
                let place = offset + 2 + 12 * index
                guard file.has(12, at: place) else { break }
                entries[short(place)] = Entry(
                    type: short(place + 2), count: long(place + 4), place: place + 8)
            }
            return entries
        }
    }
}
