import Containers

/// Reads the name of an ICC profile.
///
/// Source: ICC.1:2022, 7.2, 7.3, 9.2.41 and 10.15; ICC.1:2001, 6.5.17 for the older form.
enum ICCDescription {
    private static let headerLength = 128
    /// Limit for the number of tags, which no real profile exceeds.
    private static let mostTags = 100
    private static let longestName = 256

    static func name(of profile: UnsafeRawBufferPointer) -> String? {
        guard profile.count > headerLength else { return nil }
        var table = BigEndianReader(profile.dropping(headerLength))
        guard let count = table.number(4) else { return nil }
        for _ in 0..<min(count, mostTags) {
            guard let tag = table.consume(4), let offset = table.number(4),
                let length = table.number(4)
            else { return nil }
            guard tag.elementsEqual("desc".utf8) else { continue }
            return profile.part(at: offset, length: length).flatMap(text)
        }
        return nil
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        var reader = BigEndianReader(bytes)
        guard let type = reader.consume(4), reader.consume(4) != nil, let count = reader.number(4)
        else {
            return nil
        }
        if type.elementsEqual("desc".utf8) {
            let name = reader.rest.prefix(min(count, longestName)).prefix { $0 != 0 }
            return String(decoding: name, as: UTF8.self)
        }
        // The first language is used: skip the size of a record and the language, then read length
        // and offset.
        guard type.elementsEqual("mluc".utf8), count > 0, reader.consume(8) != nil,
            let length = reader.number(4), let offset = reader.number(4),
            let name = bytes.part(at: offset, length: min(length, longestName) & ~1)
        else { return nil }
        let units = stride(from: 0, to: name.count, by: 2).map {
            UInt16(name[$0]) << 8 | UInt16(name[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}
