import CZlib

/// Compresses bytes as a zlib stream (RFC 1950) of DEFLATE blocks (RFC 1951), each with a Huffman code of
/// its own, in which only runs of equal bytes are shortened.
///
/// The result has the size of zlib's strategy Z_RLE in less than half of the time.
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

    /// Compresses `bytes` in blocks of at most `blockLength` bytes.
    static func zlibStream(_ bytes: [UInt8], blockLength: Int = 1 << 20) -> [UInt8] {
        // The window of 32 KiB, and a check of the header.
        var stream: [UInt8] = [0x78, 0x01]
        var pending = PendingBits()
        var start = 0
        repeat {
            let part = start..<min(start + blockLength, bytes.count)
            stream += block(bytes, part, isLast: part.upperBound == bytes.count, &pending)
            start = part.upperBound
        } while start < bytes.count
        if pending.count > 0 { stream.append(UInt8(truncatingIfNeeded: pending.bits)) }
        let checksum = adler32_z(1, bytes, bytes.count)
        return stream + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
    }

    /// The whole bytes of a block; `pending` are the bits before, and then those that are left over.
    private static func block(
        _ bytes: [UInt8], _ part: Range<Int>, isLast: Bool, _ pending: inout PendingBits
    ) -> [UInt8] {
        let (tokens, occurrences) = tokens(bytes, part)
        var counts = Array(occurrences[..<256]) + [1] + [Int](repeating: 0, count: 29)
        for length in shortestRun...longestRun {
            counts[runLengths[length].symbol] += occurrences[256 + length]
        }
        // A Huffman code has two symbols at least.
        if part.isEmpty { counts[0] = 1 }
        let code = HuffmanCode(counts: counts)
        // A run has at most 5 extra bits and a distance of one bit; the header is small.
        let bits = zip(counts, code.lengths).reduce(0) { $0 + $1.0 * (Int($1.1) + 6) }
        return [UInt8](unsafeUninitializedCapacity: bits / 8 + 512) { target, count in
            var output = BitWriter(target, pending)
            write(tokens, code, isLast: isLast, to: &output)
            (count, pending) = output.finish()
        }
    }

    /// The bytes as themselves, and the repetitions of the byte before as 256 more than their number;
    /// and how often each of these numbers occurs.
    private static func tokens(
        _ bytes: [UInt8], _ part: Range<Int>
    ) -> (tokens: [UInt16], occurrences: [Int]) {
        var occurrences = [Int](repeating: 0, count: 256 + longestRun + 1)
        let tokens = [UInt16](unsafeUninitializedCapacity: part.count) { tokens, count in
            var place = part.lowerBound
            var former = place > 0 ? Int(bytes[place - 1]) : -1
            while place < part.upperBound {
                let byte = bytes[place]
                var run = 0
                if Int(byte) == former {
                    let most = min(longestRun, part.upperBound - place)
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
        _ tokens: [UInt16], _ code: HuffmanCode, isLast: Bool, to output: inout BitWriter
    ) {
        // A block with codes of its own.
        output.write(isLast ? 0b101 : 0b100, 3)
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
    }
}

/// Bits that do not fill a byte yet; the first is the lowest.
private struct PendingBits {
    var bits: UInt64 = 0
    var count = 0
}

/// Writes bits into memory, the lowest first.
private struct BitWriter {
    private let target: UnsafeMutableRawBufferPointer
    /// The number of whole bytes in the memory.
    private var written = 0
    private var pending: PendingBits

    init(_ target: UnsafeMutableBufferPointer<UInt8>, _ pending: PendingBits) {
        self.target = UnsafeMutableRawBufferPointer(target)
        self.pending = pending
    }

    /// Writes the lowest `length` bits of `bits`, at most 32; the others have to be zero.
    @inline(__always)
    mutating func write(_ bits: UInt64, _ length: Int) {
        pending.bits |= bits << UInt64(truncatingIfNeeded: pending.count)
        pending.count += length
        guard pending.count >= 32 else { return }
        let word = UInt32(truncatingIfNeeded: pending.bits).littleEndian
        target.storeBytes(of: word, toByteOffset: written, as: UInt32.self)
        written += 4
        pending.bits >>= 32
        pending.count -= 32
    }

    /// Writes the whole bytes; returns the number of all bytes, and the bits that are left over.
    mutating func finish() -> (written: Int, PendingBits) {
        while pending.count >= 8 {
            target[written] = UInt8(truncatingIfNeeded: pending.bits)
            written += 1
            pending.bits >>= 8
            pending.count -= 8
        }
        return (written, pending)
    }
}
