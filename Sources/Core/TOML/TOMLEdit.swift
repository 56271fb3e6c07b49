/// Changes to a document that keep every other byte: comments, order, blanks and line ends.
extension TOMLDocument {
    /// The document with `value` under the key `path`, in place of the value that is there or as a new
    /// line; nil where the key has no place, for example because a part of it is a value.
    package func setting(_ path: [String], to value: TOMLValue) -> TOMLDocument? {
        let edited = TOMLDocument(edit(path, value))
        let isSet = edited.entries.contains { $0.path == path && $0.value == value }
        guard isSet, edited.problems.count <= problems.count else { return nil }
        return edited
    }

    private func edit(_ path: [String], _ value: TOMLValue) -> [UInt8] {
        let text = Array(value.text.utf8)
        if let entry = entries.first(where: { $0.path == path }) {
            return Array(bytes[..<entry.range.lowerBound]) + text
                + Array(bytes[entry.range.upperBound...])
        }
        let parent = path.dropLast()
        if let sibling = entries.last(where: { $0.path.dropLast() == parent }) {
            if sibling.isInline {
                let key = TOMLValue.key(path.suffix(1))
                return inserting(", \(key) = \(value.text)", at: sibling.range.upperBound)
            }
            return insertingLine(path, value, in: sibling.section, at: sibling.end)
        }
        if let section = sections.lastIndex(where: { $0.path[...] == parent }), section > 0 {
            return insertingLine(path, value, in: section, at: sections[section].start)
        }
        if parent.isEmpty {
            return insertingLine(path, value, in: 0, at: min(sections[0].start, bytes.count))
        }
        return inserting(
            (bytes.isEmpty ? "" : lineBreak) + "[\(TOMLValue.key(parent))]\(lineBreak)"
                + "\(TOMLValue.key(path.suffix(1))) = \(value.text)\(lineBreak)",
            at: bytes.count)
    }

    /// Inserts a line at the start of another one, or at the end.
    private func insertingLine(
        _ path: [String], _ value: TOMLValue, in section: Int, at position: Int
    ) -> [UInt8] {
        let key = TOMLValue.key(path.dropFirst(sections[section].path.count))
        return inserting("\(key) = \(value.text)\(lineBreak)", at: position)
    }

    private func inserting(_ text: String, at position: Int) -> [UInt8] {
        // The last line may lack its end.
        let lacksEnd =
            position == bytes.count && !bytes.isEmpty && bytes.last != UInt8(ascii: "\n")
        return bytes[..<position] + Array(((lacksEnd ? lineBreak : "") + text).utf8)
            + bytes[position...]
    }

    /// How the document ends its lines.
    private var lineBreak: String {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0,
            bytes[end - 1] == UInt8(ascii: "\r")
        else { return "\n" }
        return "\r\n"
    }
}
