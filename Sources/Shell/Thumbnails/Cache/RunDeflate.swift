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

    /// A byte is its own token, and a run of n repetitions of the byte before is the token 256 + n.
    private static let tokenCount = 256 + longestRun + 1

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
        let counts = counts(bytes, part)
        let code = HuffmanCode(counts: counts)
        // A run has at most 5 extra bits and a distance of one bit; the header is small, and each write
        // touches eight bytes.
        let bits = zip(counts, code.lengths).reduce(0) { $0 + $1.0 * (Int($1.1) + 6) }
        return [UInt8](unsafeUninitializedCapacity: bits / 8 + 512) { target, count in
            var output = BitWriter(target, pending)
            writeHeader(code, isLast: isLast, to: &output)
            let bits = tokenBits(code)
            bits.withUnsafeBufferPointer { bits in
                forEachToken(bytes, part) { output.write(bits[$0]) }
            }
            output.write(CodedBits(code, end))
            (count, pending) = output.finish()
        }
    }

    /// How often each symbol occurs.
    private static func counts(_ bytes: [UInt8], _ part: Range<Int>) -> [Int] {
        // Two tables in turn: neighbours are often equal, and a processor waits for a number that it has
        // just written.
        var occurrences = [Int](repeating: 0, count: 2 * tokenCount)
        occurrences.withUnsafeMutableBufferPointer { occurrences in
            var (table, other) = (0, tokenCount)
            forEachToken(bytes, part) { token in
                occurrences[table &+ token] &+= 1
                swap(&table, &other)
            }
        }
        func count(_ token: Int) -> Int { occurrences[token] + occurrences[tokenCount + token] }
        var counts = (0..<256).map(count) + [1] + [Int](repeating: 0, count: 29)
        for length in shortestRun...longestRun {
            counts[runLengths[length].symbol] += count(256 + length)
        }
        // A Huffman code has two symbols at least.
        if part.isEmpty { counts[0] = 1 }
        return counts
    }

    /// Calls `body` with the tokens of a part of `bytes`, in order.
    ///
    /// Each use searches for the runs again: that is faster than storing the tokens.
    @inline(__always)
    private static func forEachToken(
        _ bytes: [UInt8], _ part: Range<Int>, _ body: (_ token: Int) -> Void
    ) {
        bytes.withUnsafeBytes { bytes in
            var place = part.lowerBound
            while place < part.upperBound {
                let byte = bytes[place]
                // A run: the byte before, this byte and the next two are equal.
                if place > 0, part.upperBound - place >= shortestRun {
                    let word = bytes.loadUnaligned(fromByteOffset: place - 1, as: UInt32.self)
                    if word == UInt32(byte) &* 0x0101_0101 {
                        var run = shortestRun
                        let most = min(longestRun, part.upperBound - place)
                        while run < most, bytes[place + run] == byte { run += 1 }
                        body(256 + run)
                        place += run
                        continue
                    }
                }
                body(Int(byte))
                place += 1
            }
        }
    }

    /// How each token is written.
    private static func tokenBits(_ code: HuffmanCode) -> [CodedBits] {
        let runs = runLengths.map { run in
            var bits = CodedBits(code, run.symbol)
            bits.append(UInt32(run.extra), run.extraBits)
            // The only distance.
            bits.append(0, 1)
            return bits
        }
        return (0..<256).map { CodedBits(code, $0) } + runs
    }

    private static func writeHeader(
        _ code: HuffmanCode, isLast: Bool, to output: inout BitWriter
    ) {
        // A block with codes of its own.
        output.write(CodedBits(isLast ? 0b101 : 0b100, 3))
        output.write(CodedBits(UInt32(symbolCount - 257), 5))
        // One distance.
        output.write(CodedBits(0, 5))
        // All of the 19 code lengths follow: 0 for three that stand for repetitions, and 4 for the
        // others, so that a length of 0 to 15 is written as itself in four bits.
        output.write(CodedBits(15, 4))
        for index in 0..<19 { output.write(CodedBits(index < 3 ? 0 : 4, 3)) }
        // The only distance, of 1, has a code of one bit.
        for length in code.lengths + [1] {
            let reversed = (length & 1) << 3 | (length & 2) << 1 | (length & 4) >> 1 | length >> 3
            output.write(CodedBits(UInt32(reversed), 4))
        }
    }
}

/// At most 26 bits that are written at once, the lowest first.
private struct CodedBits {
    /// The bits, and their number in the highest six bits.
    private var packed: UInt32

    private static let mask = UInt32(1) << 26 - 1

    /// The lowest `count` bits of `bits`; the others have to be zero.
    init(_ bits: UInt32, _ count: Int) { packed = bits | UInt32(count) << 26 }

    /// The code of a symbol.
    init(_ code: HuffmanCode, _ symbol: Int) {
        self.init(UInt32(code.codes[symbol]), Int(code.lengths[symbol]))
    }

    @inline(__always)
    var bits: UInt64 { UInt64(packed & Self.mask) }
    @inline(__always)
    var count: Int { Int(packed >> 26) }

    mutating func append(_ bits: UInt32, _ count: Int) {
        self = CodedBits(packed & Self.mask | bits << UInt32(self.count), self.count + count)
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

    /// Writes bits; the memory needs room for eight bytes.
    @inline(__always)
    mutating func write(_ coded: CodedBits) {
        // At most 7 bits are pending.
        pending.bits |= coded.bits &<< UInt64(truncatingIfNeeded: pending.count)
        pending.count &+= coded.count
        target.storeBytes(of: pending.bits.littleEndian, toByteOffset: written, as: UInt64.self)
        written &+= pending.count &>> 3
        pending.bits = pending.bits &>> UInt64(truncatingIfNeeded: pending.count & ~7)
        pending.count &= 7
    }

    /// Returns the number of whole bytes, and the bits that are left over.
    func finish() -> (written: Int, PendingBits) { (written, pending) }
}
