import ImageWire
import Geometry
import Glibc
import ImageTypes
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
        return StubRows(size.reduced(by: exponent), script, waits: exponent == 0)
    }

    var mayBeIndexed: Bool { script.help != nil }

    func indexed(while isWanted: () -> Bool) -> (index: any RowIndex, preview: StillPreview?)? {
        guard let help = script.help, help.isFound else { return nil }
        let small = StillPreview(exponent: 3, rows: StubRows(size.reduced(by: 3), script))
        return (StubIndex(script: script), small)
    }
}

/// Finds rows anywhere, as many as the script says.
private final class StubIndex: RowIndex {
    let script: StubScript

    init(script: StubScript) { self.script = script }

    func step(reducedBy exponent: Int) -> Int { 16 }

    func rows(
        _ rows: Range<Int>, reducedBy exponent: Int
    ) throws(DecodeFailure) -> any RowSource {
        script.bands.add(1, ordering: .relaxed)
        script.mayGoOn.raise()
        guard let help = script.help, help.opens else { throw .cutShort }
        let size = PixelSize(width: 640, height: rows.count)
        let source = StubRows(size, script, first: rows.lowerBound)
        if rows.lowerBound < help.lastBroken { source.left = min(source.left, help.rows) }
        return source
    }
}

/// What comes of bands that others decode.
private struct StubHelp {
    var isFound = true
    var opens = true
    /// Bands that begin before this row end after so many.
    var lastBroken = 0
    var rows = 0
}

/// What happens when, and what was seen.
private final class StubScript: Sendable {
    static let current = Mutex<StubScript?>(nil)
    /// Whether the picture itself is held back until something was shown early, or others begin to help.
    let holdsBack: Bool
    let failsEarly: Bool
    /// How others help; nil where they cannot.
    let help: StubHelp?
    let mayGoOn = Signal()
    /// How many bands they began.
    let bands = Atomic(0)

    init(holdsBack: Bool = false, failsEarly: Bool = false, help: StubHelp? = nil) {
        (self.holdsBack, self.failsEarly, self.help) = (holdsBack, failsEarly, help)
    }
}

private final class StubRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.opaqueWords
    let color = ColorSource.standard
    private(set) var isComplete = true
    var left: Int
    private var waits: Bool
    private let script: StubScript
    /// The row that comes next, counted in the picture.
    private var y: Int

    init(_ size: PixelSize, _ script: StubScript, waits: Bool = false, first: Int = 0) {
        (self.size, self.waits, self.script) = (size, waits, script)
        left = size.height
        y = first
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        // Where nothing comes that it waits for, a test fails, and does not hang.
        if waits, script.holdsBack { _ = script.mayGoOn.wait(atMost: 10_000) }
        waits = false
        let count = min(rows.count, left)
        for row in rows.prefix(count) {
            row.assumingMemoryBound(to: UInt32.self).update(
                repeating: 0xFF10_0000 | UInt32(y), count: size.width)
            y += 1
        }
        left -= count
        if count < rows.count { isComplete = false }
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
        if !isFinal, script.help?.isFound != true { script.mayGoOn.raise() }
    }
}

/// A picture that is shown reduced, by a thread of its own, while it is decoded.
@Suite(.serialized) struct PreviewTests {
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
        try #require(SerialDecode.workers.width > 1, "one processor does one thing at a time")
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

    // MARK: Help

    /// The picture itself waits until others help with it.
    @Test func othersHelp() throws {
        let script = StubScript(holdsBack: true, help: StubHelp())
        let (delivered, notice) = try decode(script)
        #expect(delivered.map(\.exponent) == [3, 0] && delivered.map(\.isFinal) == [false, true])
        #expect(notice == nil)
        #expect(script.bands.load(ordering: .relaxed) > 0)
    }

    /// Help that comes to nothing is no reason to show less than there is: at once, in the middle, or
    /// where it was last needed.
    @Test(arguments: [
        StubHelp(isFound: false), StubHelp(opens: false), StubHelp(lastBroken: .max, rows: 0),
        StubHelp(lastBroken: .max, rows: 1), StubHelp(lastBroken: .max, rows: 31),
        StubHelp(lastBroken: 300, rows: 32), StubHelp(lastBroken: 200, rows: 17),
    ])
    private func whatHelpLeavesIsDecodedWithoutIt(help: StubHelp) throws {
        let script = StubScript(holdsBack: true, help: help)
        let (delivered, notice) = try decode(script)
        #expect(delivered.last?.isFinal == true && delivered.last?.exponent == 0)
        #expect(notice == nil)
    }

    /// Every row is where it belongs, whoever decodes it, and however much of it fails.
    @Test(arguments: [0, 150, 300, Int.max])
    func rowsAreWhereTheyBelong(lastBroken: Int) throws {
        let script = StubScript(help: StubHelp(lastBroken: lastBroken, rows: 20))
        let size = PixelSize(width: 640, height: 480)
        let source = StubRows(size, script)
        let decoding = try ParallelDecode(
            source, as: size, from: 0, .upright, on: WorkerPool(width: 2))
        // All that there is to be had before the first thread begins.
        decoding.help(StubIndex(script: script))
        #expect(script.bands.load(ordering: .relaxed) > 0)
        let sealed = try #require(try decoding.seal(source, StubSink(script)))
        defer { close(sealed.memory) }
        #expect(sealed.isComplete)
        let level = PixelLayout.levels(of: size)[0]
        for y in 0..<size.height {
            var word: UInt32 = 0
            #expect(pread(sealed.memory, &word, 4, off_t(level.offset + y * level.stride)) == 4)
            #expect(word == 0xFF10_0000 | UInt32(y), "row \(y)")
        }
    }

    @Test(arguments: [0, 1, 3]) func helpedPicturesStop(patience: Int) throws {
        let (delivered, notice) = try decode(StubScript(help: StubHelp()), patience: patience)
        #expect(!delivered.contains { $0.isFinal } && notice == nil)
    }
}
