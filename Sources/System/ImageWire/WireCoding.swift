import Localization

/// Encodes little-endian numbers and UTF-8 strings.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Adds the length and the bytes of an array.
    mutating func add(_ array: [UInt8]) {
        add(UInt32(array.count))
        bytes.append(contentsOf: array)
    }

    /// Adds the length and the bytes of a string, truncated to `limit` bytes.
    mutating func add(_ text: String, limit: Int) {
        let utf8 = Array(text.cut(toBytes: limit).utf8)
        add(UInt32(utf8.count))
        bytes.append(contentsOf: utf8)
    }
}

/// The bytes are not a valid message.
package struct WireError: Error, Hashable {
    package init() {}
}

/// Decodes the encoding of `WireWriter` from untrusted bytes.
struct WireReader {
    private var remaining: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        remaining = Array(bytes)[...]
    }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self)
        throws(WireError) -> Number
    {
        let size = MemoryLayout<Number>.size
        guard remaining.count >= size else { throw WireError() }
        var number = Number.zero
        for (index, byte) in remaining.prefix(size).enumerated() {
            number |= Number(truncatingIfNeeded: byte) << Number(index * 8)
        }
        remaining = remaining.dropFirst(size)
        return number
    }

    /// Reads a number; throws if it is outside `range`.
    mutating func number(_ range: ClosedRange<Int>) throws(WireError) -> Int {
        let value = try number(UInt64.self)
        guard let number = Int(exactly: value), range.contains(number) else { throw WireError() }
        return number
    }

    mutating func bytes(limit: Int) throws(WireError) -> [UInt8] {
        let count = Int(try number(UInt32.self))
        guard count <= limit, count <= remaining.count else { throw WireError() }
        defer { remaining = remaining.dropFirst(count) }
        return Array(remaining.prefix(count))
    }

    mutating func text(limit: Int) throws(WireError) -> String {
        let count = Int(try number(UInt32.self))
        guard count <= limit, count <= remaining.count else { throw WireError() }
        defer { remaining = remaining.dropFirst(count) }
        return PrintableText.text(String(decoding: remaining.prefix(count), as: UTF8.self))
    }

    /// Throws if any bytes are left.
    func finish() throws(WireError) {
        guard remaining.isEmpty else { throw WireError() }
    }
}
