import CZlib
import SeededRandom
import Testing

@testable import Thumbnails

/// Compression of runs: zlib reads every result, which is no larger than one of zlib's own.
@Suite struct RunDeflateTests {
    private static func inflated(_ stream: [UInt8], count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count + 1)
        var (length, consumed) = (uLongf(bytes.count), uLong(stream.count))
        guard uncompress2(&bytes, &length, stream, &consumed) == Z_OK, consumed == stream.count
        else { return nil }
        return Array(bytes.prefix(Int(length)))
    }

    private static func expectRoundTrip(
        _ bytes: [UInt8], blockLength: Int = 1 << 20, location: SourceLocation = #_sourceLocation
    ) {
        let stream = RunDeflate.zlibStream(bytes, blockLength: blockLength)
        #expect(inflated(stream, count: bytes.count) == bytes, sourceLocation: location)
    }

    @Test(arguments: 0...600)
    func runsOfAnyLengthRoundTrip(_ length: Int) {
        Self.expectRoundTrip([UInt8](repeating: 0, count: length))
        let run = [UInt8](repeating: 7, count: length)
        Self.expectRoundTrip([1, 2] + run + [8] + run)
    }

    @Test func bytesOfAnyDistributionRoundTrip() {
        var generator = SeededGenerator(seed: 5)
        for round in 0..<400 {
            let (values, runs) = (1 + round % 256, round % 5)
            var bytes: [UInt8] = []
            while bytes.count < round * 37 % 4000 {
                // Low values are much more frequent than high ones.
                let most = Int.random(in: 0..<values, using: &generator)
                let value = UInt8.random(in: 0...UInt8(most), using: &generator)
                let count = 1 + runs * Int.random(in: 0..<9, using: &generator)
                bytes += [UInt8](repeating: value, count: count)
            }
            Self.expectRoundTrip(bytes)
        }
    }

    /// The tree of Fibonacci's numbers is as deep as a tree can be: deeper than DEFLATE allows.
    @Test func codesAreNeverTooLong() {
        var (counts, next) = ([1], 1)
        for _ in 0..<29 { (counts, next) = (counts + [next], (counts.last ?? 0) + next) }
        let lengths = HuffmanCode(counts: counts).lengths
        #expect(lengths.allSatisfy { (1...15).contains($0) })
        // Every sequence of bits is a code, or begins with one.
        #expect(lengths.reduce(0) { $0 + (1 << (15 - Int($1))) } == 1 << 15)
        var generator = SeededGenerator(seed: 7)
        let bytes = counts[..<22].enumerated().flatMap { value, count in
            [UInt8](repeating: UInt8(value), count: count)
        }
        Self.expectRoundTrip(bytes.shuffled(using: &generator))
    }

    @Test(arguments: [1, 7, 100, 1000])
    func severalBlocksRoundTrip(_ blockLength: Int) {
        var generator = SeededGenerator(seed: 3)
        let noise = (0..<1005).map { _ in UInt8.random(in: 0...200, using: &generator) }
        Self.expectRoundTrip(noise, blockLength: blockLength)
        // Runs across the borders of blocks.
        for count in [1, 999, 1000, 1001, 2000] {
            let run = [UInt8](repeating: 9, count: count)
            Self.expectRoundTrip(run, blockLength: blockLength)
        }
    }

    @Test func theResultIsAsSmallAsThatOfZlib() {
        var generator = SeededGenerator(seed: 9)
        let bytes = (0..<100_000).map { place in
            let most = UInt8.random(in: 0...60, using: &generator)
            return place % 4000 < 900 ? 0 : UInt8.random(in: 0...most, using: &generator)
        }
        var stream = z_stream()
        deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15, 8, Z_RLE, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: 200_000)
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                (stream.next_in, stream.avail_in) = (source.baseAddress, uInt(source.count))
                (stream.next_out, stream.avail_out) = (target.baseAddress, uInt(target.count))
                deflate(&stream, Z_FINISH)
                return target.count - Int(stream.avail_out)
            }
        }
        let own = RunDeflate.zlibStream(bytes)
        #expect(Double(own.count) < Double(count) * 1.01)
        #expect(Self.inflated(own, count: bytes.count) == bytes)
    }
}
