package import ImageTypes

/// Metadata as bytes: the entries, the alternative texts, then the position in millionths of a degree.
extension PictureMetadata {
    /// Bytes of a message for the entries; the remaining bytes hold the other fields.
    private static let capacity = longestMessage - 128
    /// Encoded units per degree: one millionth of a degree is a tenth of a metre on the ground.
    private static let degree = 1e6

    /// The metadata divided into parts that each fit in one message; the last part has the position.
    package var parts: [PictureMetadata] {
        var parts = [PictureMetadata()]
        var used = 0
        /// Begins another part if the last one has no room.
        func reserve(_ length: Int) {
            if used + length > Self.capacity {
                parts.append(PictureMetadata())
                used = 0
            }
            used += length
        }
        for entry in entries.prefix(Self.mostEntries) {
            reserve(
                9 + min(entry.label.utf8.count, Self.longestLabel)
                    + min(entry.value.utf8.count, Self.longestValue))
            parts[parts.count - 1].entries.append(entry)
        }
        for text in alternativeTexts.prefix(Self.mostAlternativeTexts) {
            reserve(
                8 + min(text.language.utf8.count, Self.longestLanguage)
                    + min(text.text.utf8.count, Self.longestValue))
            parts[parts.count - 1].alternativeTexts.append(text)
        }
        parts[parts.count - 1].position = position
        return parts
    }

    func write(to writer: inout WireWriter) {
        writer.add(UInt64(entries.count))
        for entry in entries {
            writer.add(entry.group.rawValue)
            writer.add(entry.label, limit: Self.longestLabel)
            writer.add(entry.value, limit: Self.longestValue)
        }
        writer.add(UInt64(alternativeTexts.count))
        for text in alternativeTexts {
            writer.add(text.language, limit: Self.longestLanguage)
            writer.add(text.text, limit: Self.longestValue)
        }
        writer.add(UInt8(position == nil ? 0 : 1))
        guard let position else { return }
        // Measured from the south pole and from the antimeridian, so that neither value is negative.
        writer.add(UInt64(((position.latitude + 90) * Self.degree).rounded()))
        writer.add(UInt64(((position.longitude + 180) * Self.degree).rounded()))
    }

    init(from reader: inout WireReader) throws(WireError) {
        self.init()
        for _ in 0..<(try reader.number(0...Self.mostEntries)) {
            guard let group = Group(rawValue: try reader.number(UInt8.self)) else {
                throw WireError()
            }
            let label = try reader.text(limit: Self.longestLabel)
            let value = try reader.text(limit: Self.longestValue)
            guard !label.isEmpty, !value.isEmpty else { throw WireError() }
            entries.append(Entry(group, label, value))
        }
        for _ in 0..<(try reader.number(0...Self.mostAlternativeTexts)) {
            let language = try reader.text(limit: Self.longestLanguage)
            let text = try reader.text(limit: Self.longestValue)
            guard !text.isEmpty else { throw WireError() }
            alternativeTexts.append(AlternativeText(text, language: language))
        }
        guard try reader.number(UInt8.self) != 0 else { return }
        let latitude = Double(try reader.number(0...180_000_000)) / Self.degree - 90
        let longitude = Double(try reader.number(0...360_000_000)) / Self.degree - 180
        position = Position(latitude: latitude, longitude: longitude)
    }
}
