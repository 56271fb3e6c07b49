import CZlib

/// Compresses bytes as a zlib stream (RFC 1950) of one DEFLATE block (RFC 1951) with a Huffman code of
/// its own, in which only runs of equal bytes are shortened.
///
/// The result has the size of zlib's strategy Z_RLE in a fifth of the time.
struct RunDeflate {
    /// The end of the block.
    private static let end = 256
    /// All symbols of bytes, of the end, and of the lengths of runs.
    private static let symbolCount = 286
    private static let shortestRun = 3
    private static let longestRun = 258

    /// How the length of a run is written: a symbol and extra bits (RFC 1951, 3.2.5).
    private struct RunLength {
        var symbol: Int
        var extraBits: Int
        var extra: Int
    }

    /// By the length of the run.
    private static let runLengths: [RunLength] = {
        var lengths = (0...longestRun).map { _ in RunLength(symbol: 0, extraBits: 0, extra: 0) }
        var (symbol, first) = (257, shortestRun)
        while symbol < 285 {
            let extraBits = symbol < 265 ? 0 : (symbol - 261) / 4
            for extra in 0..<(1 << extraBits) where first + extra < longestRun {
                lengths[first + extra] = RunLength(
                    symbol: symbol, extraBits: extraBits, extra: extra)
            }
            (symbol, first) = (symbol + 1, first + 1 << extraBits)
        }
        lengths[longestRun] = RunLength(symbol: 285, extraBits: 0, extra: 0)
        return lengths
    }()

    static func zlibStream(_ bytes: [UInt8]) -> [UInt8] {
        let (tokens, occurrences) = tokens(bytes)
        var counts = Array(occurrences[..<256]) + [1] + [Int](repeating: 0, count: 29)
        for length in shortestRun...longestRun {
            counts[runLengths[length].symbol] += occurrences[256 + length]
        }
        // A Huffman code has two symbols at least.
        if bytes.isEmpty { counts[0] = 1 }
        let code = HuffmanCode(counts: counts)
        // A run has at most 5 extra bits and a distance of one bit; header and checksum are small.
        let bits = zip(counts, code.lengths).reduce(0) { $0 + $1.0 * (Int($1.1) + 6) }
        return [UInt8](unsafeUninitializedCapacity: bits / 8 + 512) { target, count in
            var output = BitWriter(target)
            // The window of 32 KiB, and a check of the header.
            output.write(0x78, 8)
            output.write(0x01, 8)
            write(tokens, code, to: &output)
            let checksum = adler32(1, bytes, uInt(bytes.count))
            for shift in [24, 16, 8, 0] { output.write(UInt64(checksum >> shift & 0xFF), 8) }
            output.fillByte()
            count = output.written
        }
    }

    /// The bytes as themselves, and the repetitions of the byte before as 256 more than their number;
    /// and how often each of these numbers occurs.
    private static func tokens(_ bytes: [UInt8]) -> (tokens: [UInt16], occurrences: [Int]) {
        var occurrences = [Int](repeating: 0, count: 256 + longestRun + 1)
        let tokens = [UInt16](unsafeUninitializedCapacity: bytes.count) { tokens, count in
            var (place, former) = (0, -1)
            while place < bytes.count {
                let byte = bytes[place]
                var run = 0
                if Int(byte) == former {
                    let most = min(longestRun, bytes.count - place)
                    while run < most, bytes[place + run] == byte { run += 1 }
                }
                let isRun = run >= shortestRun
                let token = isRun ? 256 + run : Int(byte)
                tokens[count] = UInt16(truncatingIfNeeded: token)
                occurrences[token] += 1
                count += 1
                place += isRun ? run : 1
                former = Int(byte)
            }
        }
        return (tokens, occurrences)
    }

    private static func write(
        _ tokens: [UInt16], _ code: HuffmanCode, to output: inout BitWriter
    ) {
        // The last block, with codes of its own.
        output.write(0b101, 3)
        output.write(UInt64(symbolCount - 257), 5)
        // One distance.
        output.write(0, 5)
        // All of the 19 code lengths follow: 0 for three that stand for repetitions, and 4 for the
        // others, so that a length of 0 to 15 is written as itself in four bits.
        output.write(15, 4)
        for index in 0..<19 { output.write(index < 3 ? 0 : 4, 3) }
        // The only distance, of 1, has a code of one bit.
        for length in code.lengths + [1] {
            let reversed = (length & 1) << 3 | (length & 2) << 1 | (length & 4) >> 1 | length >> 3
            output.write(UInt64(reversed), 4)
        }
        let runLengths = runLengths
        let entries = zip(code.codes, code.lengths).map { (UInt64($0), Int($1)) }
        for token in tokens {
            if token < 256 {
                output.write(entries[Int(token)].0, entries[Int(token)].1)
                continue
            }
            let run = runLengths[Int(token) - 256]
            output.write(entries[run.symbol].0, entries[run.symbol].1)
            output.write(UInt64(run.extra), run.extraBits)
            output.write(0, 1)
        }
        output.write(entries[end].0, entries[end].1)
        output.fillByte()
    }
}

/// Writes bits into memory, the lowest first.
private struct BitWriter {
    private let target: UnsafeMutableRawBufferPointer
    /// The number of whole bytes in the memory.
    private(set) var written = 0
    private var buffer: UInt64 = 0
    private var count = 0

    init(_ target: UnsafeMutableBufferPointer<UInt8>) {
        self.target = UnsafeMutableRawBufferPointer(target)
    }

    /// Writes the lowest `length` bits of `bits`, at most 32; the others have to be zero.
    @inline(__always)
    mutating func write(_ bits: UInt64, _ length: Int) {
        buffer |= bits << UInt64(truncatingIfNeeded: count)
        count += length
        guard count >= 32 else { return }
        let word = UInt32(truncatingIfNeeded: buffer).littleEndian
        target.storeBytes(of: word, toByteOffset: written, as: UInt32.self)
        written += 4
        buffer >>= 32
        count -= 32
    }

    /// Writes zero bits up to the end of the byte.
    mutating func fillByte() {
        while count > 0 {
            target[written] = UInt8(truncatingIfNeeded: buffer)
            written += 1
            buffer >>= 8
            count = max(0, count - 8)
        }
    }
}
