/// Writes little-endian numbers and texts.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A text, cut at `limit` bytes, with its length before it.
    mutating func add(_ text: String, limit: Int) {
        let utf8 = Array(text.utf8.prefix(limit))
        add(UInt32(utf8.count))
        bytes.append(contentsOf: utf8)
    }
}

/// Why bytes are no message.
package struct WireError: Error, Hashable {
    package init() {}
}

/// Reads what `WireWriter` wrote, from bytes that may be anything.
struct WireReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = Array(bytes)[...]
    }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self)
        throws(WireError) -> Number
    {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { throw WireError() }
        var number = Number.zero
        for (place, byte) in rest.prefix(size).enumerated() {
            number |= Number(truncatingIfNeeded: byte) << Number(place * 8)
        }
        rest = rest.dropFirst(size)
        return number
    }

    /// A number that has to lie in a range.
    mutating func number(_ range: ClosedRange<Int>) throws(WireError) -> Int {
        let value = try number(UInt64.self)
        guard let number = Int(exactly: value), range.contains(number) else { throw WireError() }
        return number
    }

    mutating func text(limit: Int) throws(WireError) -> String {
        let count = Int(try number(UInt32.self))
        guard count <= limit, count <= rest.count else { throw WireError() }
        defer { rest = rest.dropFirst(count) }
        return Self.printable(String(decoding: rest.prefix(count), as: UTF8.self))
    }

    /// The text without what could steer a terminal or turn the line around: controls and format
    /// characters become U+FFFD.
    private static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Nothing may be left over.
    func finish() throws(WireError) {
        guard rest.isEmpty else { throw WireError() }
    }
}
