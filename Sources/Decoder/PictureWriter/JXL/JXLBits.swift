/// Bits of a JPEG XL codestream, the least significant bit of each byte first.
///
/// Source: ISO/IEC 18181-1, annex B.
struct JXLBits {
    private let bytes: UnsafeRawBufferPointer
    /// The number of bits that were read.
    private(set) var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next bits as a number; nil at the end.
    mutating func number(_ count: Int) -> Int? {
        guard place + count <= bytes.count * 8 else { return nil }
        var value = 0
        for index in 0..<count { value |= bit(place + index) << index }
        place += count
        return value
    }

    func bit(_ place: Int) -> Int { Int(bytes[place / 8] >> (place % 8) & 1) }

    mutating func flag() -> Bool? { number(1).map { $0 == 1 } }

    /// A number whose first two bits choose one of four ways: an offset, and a number of bits.
    mutating func number(_ ways: [(offset: Int, bits: Int)]) -> Int? {
        guard let way = number(2), let value = number(ways[way].bits) else { return nil }
        return ways[way].offset + value
    }

    /// An enumerated value.
    mutating func value() -> Int? { number([(0, 0), (1, 0), (2, 4), (18, 6)]) }

    /// Skips bits; false at the end.
    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, place + count <= bytes.count * 8 else { return false }
        place += count
        return true
    }
}
