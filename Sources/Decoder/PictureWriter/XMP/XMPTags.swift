import Containers

/// The tags of XMP data with their places.
///
/// `XMLScanner` is no use here: a depth map in XMP data exceeds its limits, and data that are damaged at
/// their end are copied like others. Comments, instructions and CDATA sections are skipped; a tag that
/// another tag interrupts is none.
struct XMPTags: Sequence {
    struct Tag {
        enum Kind { case start, end, empty }

        var kind: Kind
        /// The place of the tag with its brackets.
        var range: Range<Int>
        var name: Range<Int>
        var attributes: [Attribute] = []
    }

    struct Attribute {
        /// The place of name and value with the white space before them.
        var range: Range<Int>
        var name: Range<Int>
        /// The place of the value without its quotes.
        var value: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer

    /// The tags of data that outlive this value.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func makeIterator() -> AnyIterator<Tag> {
        var offset = 0
        return AnyIterator {
            while let start = place(of: UInt8(ascii: "<"), from: offset) {
                if let construct = Self.skipped.first(where: { has($0.start, at: start) }) {
                    guard
                        let end = bytes.firstIndex(
                            of: construct.end, from: start + construct.start.count)
                    else { return nil }
                    offset = end + construct.end.count
                    continue
                }
                var scanner = TagScanner(bytes, start)
                let tag = scanner.tag()
                offset = scanner.offset
                if let tag { return tag }
            }
            return nil
        }
    }

    private static let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
        .map { (start: Array($0.0.utf8), end: Array($0.1.utf8)) }

    private func has(_ text: [UInt8], at offset: Int) -> Bool {
        bytes.part(at: offset, length: text.count)?.elementsEqual(text) ?? false
    }

    private func place(of byte: UInt8, from offset: Int) -> Int? {
        bytes[offset...].firstIndex(of: byte)
    }
}

/// Reads one tag.
private struct TagScanner {
    private let bytes: UnsafeRawBufferPointer
    private let start: Int
    /// The offset of the next byte; the end of the data if the tag has no end.
    private(set) var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, _ start: Int) {
        (self.bytes, self.start, offset) = (bytes, start, start + 1)
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func tag() -> XMPTags.Tag? {
        let isEnd = skip(UInt8(ascii: "/"))
        let name = self.name()
        guard !name.isEmpty else { return nil }
        var attributes: [XMPTags.Attribute] = []
        while true {
            let space = offset
            while let byte = next, Self.isSpace(byte) { offset += 1 }
            guard let byte = next, byte != UInt8(ascii: "<") else { return nil }
            if skip(UInt8(ascii: ">")) {
                let isEmpty = bytes[offset - 2] == UInt8(ascii: "/")
                let kind: XMPTags.Tag.Kind = isEnd ? .end : isEmpty ? .empty : .start
                return XMPTags.Tag(
                    kind: kind, range: start..<offset, name: name, attributes: attributes)
            }
            if let attribute = attribute(after: space) { attributes.append(attribute) }
        }
    }

    /// Reads an attribute, or skips what is none: at least one byte.
    private mutating func attribute(after space: Int) -> XMPTags.Attribute? {
        let name = self.name()
        while let byte = next, Self.isSpace(byte) { offset += 1 }
        let hasValue = skip(UInt8(ascii: "="))
        while let byte = next, Self.isSpace(byte) { offset += 1 }
        guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            // A byte that is neither a name nor a bracket.
            if name.isEmpty, !hasValue { offset += 1 }
            return nil
        }
        let first = offset + 1
        guard let end = bytes[first...].firstIndex(of: quote) else {
            offset = bytes.count
            return nil
        }
        offset = end + 1
        guard hasValue, !name.isEmpty else { return nil }
        return XMPTags.Attribute(range: space..<offset, name: name, value: first..<end)
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        return true
    }

    private mutating func name() -> Range<Int> {
        let first = offset
        while let byte = next, Self.isNameByte(byte) { offset += 1 }
        return first..<offset
    }

    private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    /// Whether a byte belongs to a name with its prefix.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
            true
        default: false
        }
    }
}
