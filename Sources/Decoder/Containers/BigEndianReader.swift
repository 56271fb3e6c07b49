/// Reads big-endian numbers and ranges of bytes from untrusted data.
package struct BigEndianReader {
    /// The bytes that are left.
    package private(set) var rest: UnsafeRawBufferPointer

    /// Reads `bytes` from the start; they have to outlive the reader.
    package init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// Reads an unsigned number of `size` bytes, 0…8.
    ///
    /// Nil if too few bytes are left, or if the number exceeds `Int`.
    package mutating func number(_ size: Int) -> Int? {
        guard let bytes = consume(size) else { return nil }
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }

    /// Consumes the next bytes; nil if too few are left, and then none is consumed.
    package mutating func consume(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropping(count) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as C functions expect them; nil if there are none.
    package var bytes: UnsafePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }

    /// The offset of a slice of these bytes.
    package func offset(of slice: UnsafeRawBufferPointer) -> Int {
        guard let start = slice.baseAddress, let base = baseAddress else { return 0 }
        return start - base
    }

    /// All but the first `count` bytes.
    package func dropping(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: dropFirst(count))
    }

    /// A range of the bytes; nil if it does not lie completely inside.
    package func part(at offset: Int, length: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            return nil
        }
        return UnsafeRawBufferPointer(rebasing: self[offset..<(offset + length)])
    }
}
