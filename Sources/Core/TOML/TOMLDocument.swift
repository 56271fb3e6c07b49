import Localization

/// A TOML document as a person has written it: its values with their places, and the errors in it.
///
/// Version 1.0 of the language. An error is noted with its line and costs that line; every other line
/// counts. Tables in double brackets are refused, because no setting takes them.
///
/// Source: TOML v1.0.0, https://toml.io/en/v1.0.0.
package struct TOMLDocument: Sendable {
    /// A value with its key.
    package struct Entry: Hashable, Sendable {
        /// The parts of the whole key, those of the table included.
        package let path: [String]
        package let value: TOMLValue
        /// The line of the key, from 1.
        package let line: Int
        /// The bytes of the value.
        package let range: Range<Int>
        /// The end of the last line of the key and its value, behind the line break.
        let end: Int
        /// The number of the section in `sections`.
        let section: Int
        /// Whether the value is inside a table in braces.
        let isInline: Bool

        /// The key as people name it: `viewer.enlarge`.
        package var name: String { TOMLValue.key(path) }
    }

    /// The lines below a header.
    struct Section: Hashable, Sendable {
        let path: [String]
        /// The end of the line of the header; 0 for the lines before the first header.
        let start: Int
    }

    /// What is wrong with a line.
    package struct Problem: Hashable, Sendable {
        /// From 1.
        package let line: Int
        /// The key whose value is wrong; nil if the line has none.
        package let key: String?
        package let reason: String
    }

    package let bytes: [UInt8]
    /// The values, in the order of the document.
    ///
    /// Values of tables in braces are entries of their own.
    package internal(set) var entries: [Entry] = []
    /// The first problems, in the order of the document; at most `mostProblems`.
    package internal(set) var problems: [Problem] = []
    /// The paths of all tables that were named, also of empty ones.
    package internal(set) var tables: [[String]] = []
    var sections = [Section(path: [], start: 0)]

    /// The longest document in bytes.
    package static let longest = 1 << 20
    /// The most parts of a key, and the deepest value.
    package static let deepest = 64
    /// The most problems that are noted.
    package static let mostProblems = 20

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count <= Self.longest else {
            note(
                Problem(
                    line: 1, key: nil,
                    reason:
                        localized(
                            "the file has more than \(Self.longest >> 20) MiB, so nothing of it is used"
                        )
                ))
            return
        }
        if let zero = bytes.firstIndex(of: 0) {
            let line = bytes[..<zero].count { $0 == UInt8(ascii: "\n") } + 1
            note(
                Problem(
                    line: line, key: nil,
                    reason: localized("not a text, so nothing of the file is used")))
            return
        }
        var reader = TOMLReader(bytes)
        reader.read(into: &self)
    }

    package init(_ text: String) { self.init(Array(text.utf8)) }

    mutating func note(_ problem: Problem) {
        if problems.count < Self.mostProblems { problems.append(problem) }
    }
}
