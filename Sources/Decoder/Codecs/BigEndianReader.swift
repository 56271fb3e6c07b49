/// Takes big-endian numbers and parts from bytes that may be anything.
struct BigEndianReader {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// An unsigned number of `size` bytes, 0…8; none where too few are left or it is beyond `Int`.
    mutating func number(_ size: Int) -> Int? {
        guard let bytes = take(size) else { return nil }
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }

    /// The next bytes; none, and nothing taken, where too few are left.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropping(count) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
}

extension UnsafeRawBufferPointer {
    /// As C's functions take them.
    var bytes: UnsafePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }

    /// All but the first bytes.
    func dropping(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: dropFirst(count))
    }

    /// A part of it; none where not all of it lies inside.
    func part(at offset: Int, length: Int) -> UnsafeRawBufferPointer? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            return nil
        }
        return UnsafeRawBufferPointer(rebasing: self[offset..<(offset + length)])
    }
}
