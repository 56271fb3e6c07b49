import Localization

/// Values: arrays, tables in braces, and what is written without quotes.
extension TOMLReader {
    /// A value, and where it is.
    struct Parsed {
        var value: TOMLValue
        var range: Range<Int>
        /// The values inside a table in braces, and its tables.
        var leaves: [Leaf] = []
        var tables: [[String]] = []
    }

    struct Leaf {
        var path: [String]
        var value: TOMLValue
        var range: Range<Int>
    }

    /// The value that is the whole text.
    mutating func readOnlyValue() throws(Fault) -> TOMLValue {
        skipBlanks()
        let value = try readValue().value
        skipBlanks()
        guard next == nil else { throw fault(localized("there is something after the value")) }
        return value
    }

    mutating func readValue() throws(Fault) -> Parsed {
        let start = position
        depth += 1
        defer { depth -= 1 }
        guard depth <= TOMLDocument.deepest else {
            throw fault(localized("the value is nested more than \(TOMLDocument.deepest) deep"))
        }
        let value: TOMLValue
        switch next {
        case UInt8(ascii: "\""):
            value = .string(has("\"\"\"") ? try readLongBasicString() : try readBasicString())
        case UInt8(ascii: "'"):
            value = .string(has("'''") ? try readLongLiteralString() : try readLiteralString())
        case UInt8(ascii: "["): value = .array(try readArray())
        case UInt8(ascii: "{"): return try readTable()
        default: value = try readWord()
        }
        return Parsed(value: value, range: start..<position)
    }

    private mutating func readArray() throws(Fault) -> [TOMLValue] {
        position += 1
        var values: [TOMLValue] = []
        while true {
            try skipLines()
            if next == UInt8(ascii: "]") { break }
            values.append(try readValue().value)
            try skipLines()
            if next == UInt8(ascii: "]") { break }
            guard next == UInt8(ascii: ",") else {
                throw fault(localized("the array needs a comma or ] here"))
            }
            position += 1
        }
        position += 1
        return values
    }

    private mutating func readTable() throws(Fault) -> Parsed {
        let start = position
        position += 1
        var table = Parsed(value: .table([:]), range: start..<start)
        var keys = TOMLKeys()
        var members: [String: TOMLValue] = [:]
        skipBlanks()
        var isFirst = true
        while next != UInt8(ascii: "}") || !isFirst {
            let place = position
            let path = try readKey()
            guard next == UInt8(ascii: "=") else {
                throw fault(localized("= is missing after the key"))
            }
            position += 1
            skipBlanks()
            let value = try readValue()
            do throws(TOMLKeys.Clash) {
                try keys.define(path, in: 0, section: 0)
            } catch { throw Fault(position: place, reason: error.reason) }
            members.insert(value.value, at: path[...])
            table.add(value, at: path)
            isFirst = false
            skipBlanks()
            if next == UInt8(ascii: "}") { break }
            guard next == UInt8(ascii: ",") else {
                throw fault(localized("the table needs a comma or } here"))
            }
            position += 1
            skipBlanks()
        }
        position += 1
        table.value = .table(members)
        table.range = start..<position
        return table
    }

    /// Reads a number, a flag or a date.
    private mutating func readWord() throws(Fault) -> TOMLValue {
        let start = position
        skipWord()
        guard position > start else {
            throw fault(
                next == nil || next == UInt8(ascii: "\n")
                    ? localized("the value is missing")
                    : localized("this is not a value; texts need quotes"))
        }
        // A blank may separate the date from the time.
        if position - start == 10, bytes[start + 4] == UInt8(ascii: "-"),
            next == UInt8(ascii: " "), byte(1)?.isDigit == true, byte(2)?.isDigit == true,
            byte(3) == UInt8(ascii: ":")
        {
            position += 1
            skipWord()
        }
        let word = try text(start..<position)
        if let value = TOMLWord.value(word) { return value }
        throw Fault(position: start, reason: TOMLWord.reason(word))
    }

    private mutating func skipWord() {
        while let byte = next,
            byte.isKeyByte || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: ":")
        { position += 1 }
    }
}

extension TOMLReader.Parsed {
    /// Adds a member of the table.
    fileprivate mutating func add(_ member: TOMLReader.Parsed, at path: [String]) {
        guard case .table = member.value else {
            leaves.append(
                TOMLReader.Leaf(path: path, value: member.value, range: member.range))
            return
        }
        tables.append(path)
        tables += member.tables.map { path + $0 }
        leaves += member.leaves.map {
            TOMLReader.Leaf(path: path + $0.path, value: $0.value, range: $0.range)
        }
    }
}

extension [String: TOMLValue] {
    /// Stores a value under a key of several parts, which is not there yet.
    package mutating func insert(_ value: TOMLValue, at path: ArraySlice<String>) {
        guard let first = path.first else { return }
        guard path.count > 1 else {
            self[first] = value
            return
        }
        var inner: [String: TOMLValue] = [:]
        if case .table(let members)? = removeValue(forKey: first) { inner = members }
        inner.insert(value, at: path.dropFirst())
        self[first] = .table(inner)
    }
}
