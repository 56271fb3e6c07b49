/// Reads big-endian numbers and ranges of bytes from untrusted data.
struct BigEndianReader {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// Reads an unsigned number of `size` bytes, 0…8.
    ///
    /// Nil if too few bytes are left, or if the number exceeds `Int`.
    mutating func number(_ size: Int) -> Int? {
        guard let bytes = take(size) else { return nil }
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }

    /// Consumes the next bytes; nil if too few are left, and then none is consumed.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropping(count) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as C functions expect them; nil if there are none.
    var bytes: UnsafePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }

    /// All but the first `count` bytes.
    func dropping(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: dropFirst(count))
    }

    /// A range of the bytes; nil if it does not lie completely inside.
    func part(at offset: Int, length: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            return nil
        }
        return UnsafeRawBufferPointer(rebasing: self[offset..<(offset + length)])
    }
}
