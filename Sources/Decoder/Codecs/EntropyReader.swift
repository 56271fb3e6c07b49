/// A Huffman table of a JPEG file.
///
/// Source: ITU-T T.81, C.2 and F.2.2.3.
struct HuffmanTable {
    /// By the next 16 bits: the length of the code times 256, plus its symbol; 0 without a code.
    fileprivate let codes: [UInt16]

    /// The length in bytes of the table at an offset; nil if it has no codes, or too many.
    static func length(_ file: FileBytes, at offset: Int) -> Int? {
        let count = (0..<16).reduce(0) { $0 + Int(file[offset + $1]) }
        return (1...256).contains(count) && file.has(16 + count, at: offset) ? 16 + count : nil
    }

    /// Parses the table at an offset of the file; nil if the table is corrupt.
    init?(_ file: FileBytes, at offset: Int) {
        let counts = (0..<16).map { Int(file[offset + $0]) }
        guard Self.length(file, at: offset) != nil else { return nil }
        var codes: [UInt16] = []
        codes.reserveCapacity(1 << 16)
        var symbol = offset + 16
        for (index, count) in counts.enumerated() {
            for _ in 0..<count {
                let entry = UInt16(index + 1) << 8 | UInt16(file[symbol])
                guard codes.count + 1 << (15 - index) <= 1 << 16 else { return nil }
                codes.append(contentsOf: repeatElement(entry, count: 1 << (15 - index)))
                symbol += 1
            }
        }
        codes.append(contentsOf: repeatElement(0, count: 1 << 16 - codes.count))
        self.codes = codes
    }
}

/// Reads entropy-coded data bit by bit, up to the next marker.
///
/// Source: ITU-T T.81, F.2.2.5.
struct EntropyReader {
    private let file: FileBytes
    private var offset: Int
    /// The buffered bits, the next one in the highest position.
    private var bits: UInt64 = 0
    /// The number of buffered bits.
    private var count = 0
    private var nextRestart: UInt8 = 0

    private static let firstRestart: UInt8 = 0xD0

    init(_ file: FileBytes, from offset: Int) {
        self.file = file
        self.offset = offset
    }

    /// The offset of the next marker.
    var end: Int {
        var offset = offset
        while offset < file.count, file[offset] != 0xFF || file[offset + 1] == 0 { offset += 1 }
        return offset
    }

    private mutating func fill() {
        while count <= 56 {
            let byte = file[offset]
            if byte == 0xFF {
                // 0xFF begins a marker unless 0 follows: then it is a byte of data.
                guard file[offset + 1] == 0 else { return }
                offset += 1
            }
            guard offset < file.count else { return }
            offset += 1
            bits |= UInt64(byte) << UInt64(56 - count)
            count += 8
        }
    }

    /// Reads the next symbol; nil if the next bits are no code.
    mutating func symbol(_ table: HuffmanTable) -> UInt8? {
        if count < 32 { fill() }
        let entry = table.codes[Int(bits >> 48)]
        let length = Int(entry >> 8)
        guard length > 0, length <= count else { return nil }
        bits <<= UInt64(length)
        count -= length
        return UInt8(truncatingIfNeeded: entry)
    }

    /// Reads a coded difference of `length` bits, at most 16; nil if too few bits are left.
    mutating func difference(_ length: Int) -> Int? {
        guard length > 0 else { return 0 }
        if count < length { fill() }
        guard length <= count else { return nil }
        let value = Int(bits >> UInt64(64 - length))
        bits <<= UInt64(length)
        count -= length
        return value < 1 << (length - 1) ? value - 1 << length + 1 : value
    }

    /// Skips the restart marker that has to come next; false if something else comes.
    mutating func restart() -> Bool {
        // Padding bits may be left of the last byte before the marker.
        guard count < 8, file[offset] == 0xFF, file[offset + 1] == Self.firstRestart + nextRestart
        else { return false }
        nextRestart = (nextRestart + 1) & 7
        offset += 2
        (bits, count) = (0, 0)
        return true
    }
}
