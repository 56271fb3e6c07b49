/// A table of Huffman codes, as a JPEG has it.
///
/// Source: ITU-T T.81, C.2 and F.2.2.3.
struct HuffmanTable {
    /// By the next 16 bits: how many of them are a code, times 256, and its symbol; 0 where they are none.
    fileprivate let codes: [UInt16]

    /// Bytes that the table at a place of a file takes; nil where it has no codes, or too many.
    static func length(_ file: FileBytes, at place: Int) -> Int? {
        let count = (0..<16).reduce(0) { $0 + Int(file[place + $1]) }
        return (1...256).contains(count) && file.has(16 + count, at: place) ? 16 + count : nil
    }

    /// Nil where it does not hold together.
    init?(_ file: FileBytes, at place: Int) {
        let counts = (0..<16).map { Int(file[place + $0]) }
        guard Self.length(file, at: place) != nil else { return nil }
        var codes: [UInt16] = []
        codes.reserveCapacity(1 << 16)
        var symbol = place + 16
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
    private var place: Int
    /// The next bits, the first one on top.
    private var bits: UInt64 = 0
    /// How many there are.
    private var count = 0
    private var nextRestart: UInt8 = 0

    private static let firstRestart: UInt8 = 0xD0

    init(_ file: FileBytes, from place: Int) {
        self.file = file
        self.place = place
    }

    /// Where the next marker is.
    var end: Int {
        var place = place
        while place < file.count, file[place] != 0xFF || file[place + 1] == 0 { place += 1 }
        return place
    }

    private mutating func fill() {
        while count <= 56 {
            let byte = file[place]
            if byte == 0xFF {
                // A marker, or a byte of data that happens to be 0xFF.
                guard file[place + 1] == 0 else { return }
                place += 1
            }
            guard place < file.count else { return }
            place += 1
            bits |= UInt64(byte) << UInt64(56 - count)
            count += 8
        }
    }

    /// The symbol whose code comes next; nil where none does.
    mutating func symbol(_ table: HuffmanTable) -> UInt8? {
        if count < 32 { fill() }
        let entry = table.codes[Int(bits >> 48)]
        let length = Int(entry >> 8)
        guard length > 0, length <= count else { return nil }
        bits <<= UInt64(length)
        count -= length
        return UInt8(truncatingIfNeeded: entry)
    }

    /// A number of so many bits, at most 16, as differences are coded; nil where there are not as many.
    mutating func difference(_ length: Int) -> Int? {
        guard length > 0 else { return 0 }
        if count < length { fill() }
        guard length <= count else { return nil }
        let value = Int(bits >> UInt64(64 - length))
        bits <<= UInt64(length)
        count -= length
        return value < 1 << (length - 1) ? value - 1 << length + 1 : value
    }

    /// Goes past the restart marker that has to come next; false where it does not.
    mutating func restart() -> Bool {
        // What is left of a byte fills it up.
        guard count < 8, file[place] == 0xFF, file[place + 1] == Self.firstRestart + nextRestart
        else { return false }
        nextRestart = (nextRestart + 1) & 7
        place += 2
        (bits, count) = (0, 0)
        return true
    }
}
