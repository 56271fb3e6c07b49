import Localization

/// Reads a document line by line.
struct TOMLReader {
    /// An error at a byte of the document.
    struct Fault: Error {
        var position: Int
        var reason: String
    }

    let bytes: [UInt8]
    var position = 0
    /// How deep the current value is nested.
    var depth = 0
    /// Bytes that were read again after errors in values of several lines.
    private var reread = 0
    /// The number of the current inline table, or section; it distinguishes who has defined a key.
    private var sectionCount = 0
    private var lineStarts: [Int] = [0]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Bytes

    /// The next byte; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func byte(_ distance: Int) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    func has(_ text: StaticString) -> Bool {
        var offset = position
        for scalar in "\(text)".utf8 {
            guard offset < bytes.count, bytes[offset] == scalar else { return false }
            offset += 1
        }
        return true
    }

    func fault(_ reason: String) -> Fault { Fault(position: position, reason: reason) }

    mutating func skipBlanks() {
        while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
            position += 1
        }
    }

    /// Skips blanks, line breaks and comments.
    mutating func skipLines() throws(Fault) {
        while true {
            skipBlanks()
            try skipComment()
            guard skipLineBreak() else { return }
        }
    }

    /// Skips a line break, if one follows.
    mutating func skipLineBreak() -> Bool {
        if next == UInt8(ascii: "\n") {
            position += 1
        } else if next == UInt8(ascii: "\r"), byte(1) == UInt8(ascii: "\n") {
            position += 2
        } else {
            return false
        }
        return true
    }

    private mutating func skipComment() throws(Fault) {
        guard next == UInt8(ascii: "#") else { return }
        let start = position
        while let byte = next, byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "\r"), self.byte(1) == UInt8(ascii: "\n") { break }
            guard !byte.isControl else {
                throw fault(localized("the comment has a control character"))
            }
            position += 1
        }
        _ = try text(start..<position)
    }

    /// The bytes as a string.
    func text(_ range: Range<Int>) throws(Fault) -> String {
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw Fault(
                position: range.lowerBound, reason: localized("the text is not valid UTF-8"))
        }
        return text
    }

    private mutating func finishLine() throws(Fault) {
        skipBlanks()
        try skipComment()
        guard next != nil else { return }
        guard skipLineBreak() else {
            throw fault(
                localized(
                    "there is something after the value; a second key needs a line of its own"))
        }
    }

    // MARK: Lines

    /// The number of the line of a byte, from 1.
    private func line(of position: Int) -> Int {
        var range = 0..<lineStarts.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range =
                lineStarts[middle] <= position
                ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound + 1
    }

    /// The start of the line after that of a byte.
    private func nextLine(after position: Int) -> Int {
        let line = line(of: position)
        return line < lineStarts.count ? lineStarts[line] : bytes.count
    }

    mutating func read(into document: inout TOMLDocument) {
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            lineStarts.append(index + 1)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            // The mark that some editors begin a file with.
            position = 3
            document.sections[0] = TOMLDocument.Section(path: [], start: 3)
        }
        var keys = TOMLKeys()
        // The node of the current table; nil below a header that is wrong.
        var table: Int? = 0
        while next != nil {
            let start = position
            var key: String?
            do throws(Fault) {
                skipBlanks()
                if next == UInt8(ascii: "[") {
                    try readHeader(into: &document, &keys, &table)
                } else if let byte = next, byte != UInt8(ascii: "#"), byte != UInt8(ascii: "\n"),
                    byte != UInt8(ascii: "\r")
                {
                    try readEntry(into: &document, &keys, table, &key)
                } else {
                    try finishLine()
                }
            } catch {
                document.note(
                    TOMLDocument.Problem(
                        line: line(of: min(error.position, max(0, bytes.count - 1))), key: key,
                        reason: error.reason))
                recover(from: start, at: position)
            }
        }
    }

    /// Continues after an error: at the second line of a value without an end, so that the lines below
    /// count, too.
    ///
    /// A document is read again only in part, so that the time grows with its length.
    private mutating func recover(from start: Int, at position: Int) {
        let second = nextLine(after: start)
        reread += max(0, position - second)
        self.position = reread <= 4 * bytes.count ? second : nextLine(after: position)
        depth = 0
    }

    private mutating func readHeader(
        into document: inout TOMLDocument, _ keys: inout TOMLKeys, _ table: inout Int?
    ) throws(Fault) {
        table = nil
        sectionCount += 1
        position += 1
        guard next != UInt8(ascii: "[") else {
            throw fault(
                localized(
                    "no setting is a table in double brackets; the lines below it are not used"))
        }
        skipBlanks()
        let path: [String]
        do throws(Fault) {
            path = try readKey()
            guard next == UInt8(ascii: "]") else {
                throw fault(localized("] is missing after the table"))
            }
            position += 1
            try finishLine()
        } catch {
            throw Fault(
                position: error.position,
                reason: localized("\(error.reason); the lines below it are not used"))
        }
        document.sections.append(TOMLDocument.Section(path: path, start: position))
        let name = TOMLValue.key(path)
        do throws(TOMLKeys.Clash) {
            var node = 0
            defer { table = node }
            try keys.head(path, node: &node)
            document.tables.append(path)
        } catch {
            switch error {
            case .closed:
                table = nil
                document.sections.removeLast()
                throw Fault(
                    position: position - 1,
                    reason: localized("\(name) has a value above; the lines below it are not used"))
            case .defined:
                throw Fault(
                    position: position - 1, reason: localized("the table \(name) is there twice"))
            }
        }
    }

    private mutating func readEntry(
        into document: inout TOMLDocument, _ keys: inout TOMLKeys, _ table: Int?,
        _ key: inout String?
    ) throws(Fault) {
        let start = position
        let own = try readKey()
        let section = document.sections.count - 1
        let path = (table == nil ? [] : document.sections[section].path) + own
        key = TOMLValue.key(path)
        guard next == UInt8(ascii: "=") else {
            throw fault(localized("= is missing after the key"))
        }
        position += 1
        skipBlanks()
        let value = try readValue()
        try finishLine()
        guard let table else { return }
        do throws(TOMLKeys.Clash) {
            try keys.define(own, in: table, section: sectionCount)
        } catch { throw Fault(position: start, reason: error.reason) }
        document.add(value, path, line: line(of: start), end: position, section: section) {
            [self] in line(of: $0)
        }
    }

    // MARK: Keys

    /// Reads a key of one or several parts, and the blanks after it.
    mutating func readKey() throws(Fault) -> [String] {
        var path: [String] = []
        while true {
            path.append(try readKeyPart())
            guard path.count <= TOMLDocument.deepest else {
                throw fault(localized("the key has more than \(TOMLDocument.deepest) parts"))
            }
            skipBlanks()
            guard next == UInt8(ascii: ".") else { return path }
            position += 1
            skipBlanks()
        }
    }

    private mutating func readKeyPart() throws(Fault) -> String {
        switch next {
        case UInt8(ascii: "\""): return try readBasicString()
        case UInt8(ascii: "'"): return try readLiteralString()
        default: break
        }
        let start = position
        while let byte = next, byte.isKeyByte { position += 1 }
        guard position > start else { throw fault(localized("a key is missing here")) }
        return try text(start..<position)
    }
}

extension TOMLKeys.Clash {
    var reason: String {
        switch self {
        case .defined: localized("the key is there twice; the first one counts")
        case .closed:
            localized("a part of the key is complete above, so nothing can be added to it")
        }
    }
}

extension TOMLDocument {
    /// Adds a value; `line` gives the line of a byte.
    fileprivate mutating func add(
        _ parsed: TOMLReader.Parsed, _ path: [String], line: Int, end: Int, section: Int,
        lineOf: (Int) -> Int
    ) {
        guard case .table = parsed.value else {
            entries.append(
                Entry(
                    path: path, value: parsed.value, line: line, range: parsed.range, end: end,
                    section: section, isInline: false))
            return
        }
        tables.append(path)
        tables += parsed.tables.map { path + $0 }
        entries += parsed.leaves.map {
            Entry(
                path: path + $0.path, value: $0.value, line: lineOf($0.range.lowerBound),
                range: $0.range, end: end, section: section, isInline: true)
        }
    }
}
