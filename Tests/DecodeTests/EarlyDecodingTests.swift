import DecodeWire
import Geometry
import Glibc
import Pictures
import Synchronization
import Testing
import Threads

@testable import Codecs

/// A codec whose picture comes when the test wants it to.
private struct StubCodec: StillCodec {
    static let format = PictureFormat.jpeg
    let size = PixelSize(width: 640, height: 480)
    let deepestReduction = 3
    let decodesBeside = true
    let script: StubScript

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let script = StubScript.current.withLock({ $0 }) else { throw .cutShort }
        self.script = script
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        if exponent > 0, script.failsEarly { throw .cutShort }
        return StubRows(size.reduced(by: exponent), waits: exponent == 0, script)
    }

    func pieces(reducedBy exponent: Int, count: Int) throws(DecodeFailure) -> [RowPiece] {
        guard let ends = script.pieces else { return [] }
        let half = size.height / 2
        return [0..<half, half..<size.height].map { rows in
            let part = StubRows(
                PixelSize(width: size.width, height: rows.count), waits: false, script)
            if rows.lowerBound > 0 { part.left = min(part.left, ends) }
            return RowPiece(rows: rows, source: part)
        }
    }
}

/// What happens when, and what was seen.
private final class StubScript: Sendable {
    static let current = Mutex<StubScript?>(nil)
    /// Whether the picture itself is held back until something was shown early.
    let holdsBack: Bool
    let failsEarly: Bool
    /// So many rows of the second of two pieces are there; nil where there are no pieces.
    let pieces: Int?
    let wasShown = Signal()

    init(holdsBack: Bool = false, failsEarly: Bool = false, pieces: Int? = nil) {
        (self.holdsBack, self.failsEarly, self.pieces) = (holdsBack, failsEarly, pieces)
    }
}

private final class StubRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.opaqueWords
    let color = ColorSource.standard
    var isComplete: Bool { left == 0 }
    var left: Int
    private var waits: Bool
    private let script: StubScript

    init(_ size: PixelSize, waits: Bool, _ script: StubScript) {
        (self.size, self.waits, self.script) = (size, waits, script)
        left = size.height
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        if waits, script.holdsBack { script.wasShown.wait() }
        waits = false
        let count = min(rows.count, left)
        for row in rows.prefix(count) {
            row.assumingMemoryBound(to: UInt32.self).update(
                repeating: 0xFF10_2030, count: size.width)
        }
        left -= count
        return count
    }
}

private final class StubSink: DecodeSink {
    private let script: StubScript
    /// So many times it may go on.
    private let patience: Mutex<Int>
    let delivered = Mutex<[(exponent: Int, isFinal: Bool)]>([])

    init(_ script: StubScript, patience: Int = .max) {
        self.script = script
        self.patience = Mutex(patience)
    }

    func shouldContinue() -> Bool {
        patience.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
    }

    func deliver(_ memory: Int32, isFinal: Bool) {
        defer { close(memory) }
        var bytes = [UInt8](repeating: 0, count: PixelHeader.length)
        let length = Int(lseek(memory, 0, SEEK_END))
        guard pread(memory, &bytes, bytes.count, 0) == bytes.count,
            let header = try? PixelHeader(checking: bytes, memoryLength: length)
        else { return }
        delivered.withLock { $0.append((header.levels[0].exponent, isFinal)) }
        if !isFinal { script.wasShown.raise() }
    }
}

/// A picture that is shown reduced, by a thread of its own, while it is decoded.
@Suite(.serialized) struct EarlyDecodingTests {
    private let target = PixelSize(width: 320, height: 240)

    private func decode(
        _ script: StubScript, patience: Int = .max
    ) throws -> (delivered: [(exponent: Int, isFinal: Bool)], notice: String?) {
        StubScript.current.withLock { $0 = script }
        defer { StubScript.current.withLock { $0 = nil } }
        let sink = StubSink(script, patience: patience)
        var decoder = try StillDecoder<StubCodec>(UnsafeRawBufferPointer(start: nil, count: 0))
        let notice = try decoder.decode(for: target, to: sink)
        return (sink.delivered.withLock { $0 }, notice)
    }

    /// The picture comes only when the early one was shown: it has to be decoded beside it.
    @Test func whatIsEarlyIsShownWhileThePictureIsDecoded() throws {
        try #require(StripDecoding.workers.width > 1, "one processor does one thing at a time")
        let (delivered, notice) = try decode(StubScript(holdsBack: true))
        #expect(delivered.map(\.exponent) == [3, 0])
        #expect(delivered.map(\.isFinal) == [false, true])
        #expect(notice == nil)
    }

    @Test func aPictureComesWithoutWhatWasToBeEarly() throws {
        let (delivered, notice) = try decode(StubScript(failsEarly: true))
        #expect(delivered.map(\.exponent) == [0] && delivered.map(\.isFinal) == [true])
        #expect(notice == nil)
    }

    /// Wherever it is told to stop nothing final comes, and every thread ends.
    @Test(arguments: [0, 1, 2, 5]) func whoIsToldToStopStops(patience: Int) throws {
        let (delivered, notice) = try decode(StubScript(), patience: patience)
        #expect(!delivered.contains { $0.isFinal })
        #expect(notice == nil)
    }

    // MARK: Pieces

    @Test func piecesAreDecodedInOnePass() throws {
        let (delivered, notice) = try decode(StubScript(pieces: .max))
        #expect(delivered.map(\.exponent) == [0] && delivered.map(\.isFinal) == [true])
        #expect(notice == nil)
    }

    /// A piece that ends early is no reason to show less than the whole has.
    @Test(arguments: [0, 1, 31, 32, 100]) func wherePiecesEndTheWholeIsDecoded(ends: Int) throws {
        let (delivered, notice) = try decode(StubScript(pieces: ends))
        #expect(delivered.map(\.exponent) == [0] && delivered.map(\.isFinal) == [true])
        #expect(notice == nil)
    }

    @Test(arguments: [0, 1, 3]) func piecesStop(patience: Int) throws {
        let (delivered, notice) = try decode(StubScript(pieces: .max), patience: patience)
        #expect(delivered.isEmpty && notice == nil)
    }
}
