/// Places in the bytes of an XML document that was found to be well-formed: start tags, and the values of
/// their attributes.
struct Markup {
    private struct Tag {
        /// The name with its prefix, and where it ends.
        var name: String
        var nameEnd: Int
        /// The attributes, and where their values are between the quotes.
        var attributes: [(name: String, value: Range<Int>)] = []
        /// Where the tag ends, after its `>`.
        var end = 0
        var isEmpty = false
    }

    private let bytes: [UInt8]
    private var tags: [Tag] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var offset = 0
        while let start = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
            offset = start + 1
            if let end = skipped(from: start) {
                offset = end
            } else if offset < bytes.count, bytes[offset] != UInt8(ascii: "/") {
                guard let tag = tag(from: offset) else { break }
                tags.append(tag)
                offset = tag.end
            }
        }
    }

    /// The end of a comment, a processing instruction or a section that begins at `start`.
    private func skipped(from start: Int) -> Int? {
        for (begin, end) in [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")]
        where bytes[start...].starts(with: begin.utf8) {
            let mark = Array(end.utf8)
            var place = start + begin.utf8.count
            while place < bytes.count, !bytes[place...].starts(with: mark) { place += 1 }
            return min(place + mark.count, bytes.count)
        }
        return nil
    }

    private func tag(from start: Int) -> Tag? {
        let ends = Set(" \t\r\n=/>".utf8)
        func name(_ start: Int) -> Int {
            bytes[start...].firstIndex { ends.contains($0) } ?? bytes.count
        }
        var tag = Tag(name: "", nameEnd: name(start))
        tag.name = String(decoding: bytes[start..<tag.nameEnd], as: UTF8.self)
        var offset = tag.nameEnd
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: ">"):
                tag.end = offset + 1
                return tag
            case UInt8(ascii: "/"):
                tag.isEmpty = true
                offset += 1
            case UInt8(ascii: "="), 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default:
                let end = name(offset)
                guard end > offset,
                    let open = bytes[end...].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
                    let close = bytes[(open + 1)...].firstIndex(of: bytes[open])
                else { return nil }
                tag.attributes.append(
                    (String(decoding: bytes[offset..<end], as: UTF8.self), open + 1..<close))
                offset = close + 1
            }
        }
        return nil
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func prefixes(of space: String, _ tag: Tag) -> [String] {
        tag.attributes.filter { $0.name.hasPrefix("xmlns:") && text($0.value) == space }
            .map { String($0.name.dropFirst(6)) }
    }

    /// The prefixes that stand for a name space anywhere in the document.
    func prefixes(of space: String) -> [String] {
        var found: [String] = []
        for prefix in tags.flatMap({ prefixes(of: space, $0) }) where !found.contains(prefix) {
            found.append(prefix)
        }
        return found
    }

    /// The prefixes that the tag whose name ends at `place` declares for a name space.
    func prefixes(of space: String, onTagAt place: Int) -> [String] {
        tags.first { $0.nameEnd == place }.map { prefixes(of: space, $0) } ?? []
    }

    /// Where the name of the first element with this name ends; nil without one.
    func endOfName(of element: String) -> Int? { tags.first { $0.name == element }?.nameEnd }

    /// Where the value of a property is: of the first attribute with this name, or the text of the first
    /// element.
    func value(of name: String) -> Range<Int>? {
        for tag in tags {
            if let attribute = tag.attributes.first(where: { $0.name == name }) {
                return attribute.value
            }
            if tag.name == name, !tag.isEmpty,
                let end = bytes[tag.end...].firstIndex(of: UInt8(ascii: "<"))
            {
                return tag.end..<end
            }
        }
        return nil
    }
}
