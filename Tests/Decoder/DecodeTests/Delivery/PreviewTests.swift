import ImageWire
import Geometry
import Glibc
import ImageTypes
import RasterPipeline
import Synchronization
import Testing
import Threads

@testable import Codecs

/// A codec whose rows come when the script allows.
private struct StubCodec: ReducibleCodec, ParallelCodec {
    static let format = PictureFormat.jpeg
    let size = PixelSize(width: 640, height: 480)
    let coarsestMipLevel = 3
    let previewsConcurrently = true
    let script: StubScript

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        guard let script = StubScript.current.withLock({ $0 }) else { throw .cutShort }
        self.script = script
    }

    func rows(reducedBy mipLevel: Int) throws(DecodeFailure) -> any RowSource {
        if mipLevel > 0, script.previewFails { throw .cutShort }
        return StubRows(size.reduced(by: mipLevel), script, waits: mipLevel == 0)
    }

    var mayBeIndexed: Bool { script.help != nil }

    func indexed(
        while isWanted: () -> Bool, until isEnough: (Double) -> Bool
    ) -> (index: any RowIndex, preview: StillPreview?)? {
        guard let help = script.help, help.isFound else { return nil }
        let small = StillPreview(mipLevel: 3, rows: StubRows(size.reduced(by: 3), script))
        return (StubIndex(script: script), small)
    }
}

/// A row index that fails as the script says.
private final class StubIndex: RowIndex {
    let script: StubScript

    init(script: StubScript) { self.script = script }

    func step(reducedBy mipLevel: Int) -> Int { 16 }

    func rows(
        _ rows: Range<Int>, reducedBy mipLevel: Int
    ) throws(DecodeFailure) -> any RowSource {
        script.bands.add(1, ordering: .relaxed)
        script.release.raise()
        guard let help = script.help, help.opens else { throw .cutShort }
        let size = PixelSize(width: 640, height: rows.count)
        let source = StubRows(size, script, first: rows.lowerBound)
        if rows.lowerBound < help.brokenBefore { source.left = min(source.left, help.rows) }
        return source
    }
}

/// How the bands of the helper threads succeed or fail.
private struct StubHelp {
    var isFound = true
    var opens = true
    /// Bands that begin before this row fail after `rows` rows.
    var brokenBefore = 0
    var rows = 0
}

/// Controls the stub codec and records its use.
private final class StubScript: Sendable {
    static let current = Mutex<StubScript?>(nil)
    /// Whether the full decode waits until a preview was delivered or a helper thread began a band.
    let holdsBack: Bool
    let previewFails: Bool
    /// How helper threads decode bands; nil without an index.
    let help: StubHelp?
    let release = Signal()
    /// The number of bands that helper threads began.
    let bands = Atomic(0)

    init(holdsBack: Bool = false, previewFails: Bool = false, help: StubHelp? = nil) {
        (self.holdsBack, self.previewFails, self.help) = (holdsBack, previewFails, help)
    }
}

private final class StubRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.bgrx8
    let color = ColorSource.standard
    private(set) var isComplete = true
    var left: Int
    private var waits: Bool
    private let script: StubScript
    /// The next row, in picture coordinates.
    private var y: Int

    init(_ size: PixelSize, _ script: StubScript, waits: Bool = false, first: Int = 0) {
        (self.size, self.waits, self.script) = (size, waits, script)
        left = size.height
        y = first
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        // The time limit (ms) makes a broken test fail instead of hang.
        if waits, script.holdsBack { _ = script.release.wait(atMost: 10_000) }
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
    /// The number of times that `shouldContinue` returns true.
    private let patience: Mutex<Int>
    let delivered = Mutex<[(mipLevel: Int, isFinal: Bool)]>([])

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
        delivered.withLock { $0.append((header.levels[0].mipLevel, isFinal)) }
        if !isFinal, script.help?.isFound != true { script.release.raise() }
    }
}

/// Previews and bands from helper threads during the full decode.
@Suite(.serialized) struct PreviewTests {
    private let target = PixelSize(width: 320, height: 240)

    private func decode(
        _ script: StubScript, patience: Int = .max
    ) throws -> (delivered: [(mipLevel: Int, isFinal: Bool)], message: String?) {
        StubScript.current.withLock { $0 = script }
        defer { StubScript.current.withLock { $0 = nil } }
        let sink = StubSink(script, patience: patience)
        var decoder = try StillDecoder(
            try StubCodec(UnsafeRawBufferPointer(start: nil, count: 0)), fileLength: 0)
        let message = try decoder.decode(for: target, to: sink)
        return (sink.delivered.withLock { $0 }, message)
    }

    /// The full decode waits for the preview, so the preview must be decoded in parallel.
    @Test func aPreviewIsShownDuringTheFullDecode() throws {
        try #require(SerialDecode.workers.width > 1, "needs at least two processors")
        let (delivered, message) = try decode(StubScript(holdsBack: true))
        #expect(delivered.map(\.mipLevel) == [3, 0])
        #expect(delivered.map(\.isFinal) == [false, true])
        #expect(message == nil)
    }

    @Test func thePictureIsDecodedIfThePreviewFails() throws {
        let (delivered, message) = try decode(StubScript(previewFails: true))
        #expect(delivered.map(\.mipLevel) == [0] && delivered.map(\.isFinal) == [true])
        #expect(message == nil)
    }

    /// A stop request at any point prevents the final delivery, and all threads end.
    @Test(arguments: [0, 1, 2, 5]) func decodingStopsOnRequest(patience: Int) throws {
        let (delivered, message) = try decode(StubScript(), patience: patience)
        #expect(!delivered.contains { $0.isFinal })
        #expect(message == nil)
    }

    // MARK: Parallel decoding

    /// The full decode waits until a helper thread begins a band.
    @Test func helperThreadsDecodeBands() throws {
        let script = StubScript(holdsBack: true, help: StubHelp())
        let (delivered, message) = try decode(script)
        #expect(delivered.map(\.mipLevel) == [3, 0] && delivered.map(\.isFinal) == [false, true])
        #expect(message == nil)
        #expect(script.bands.load(ordering: .relaxed) > 0)
    }

    /// Bands that fail at the start, in the middle or at the end of the picture do not reduce the result.
    @Test(arguments: [
        StubHelp(isFound: false), StubHelp(opens: false), StubHelp(brokenBefore: .max, rows: 0),
        StubHelp(brokenBefore: .max, rows: 1), StubHelp(brokenBefore: .max, rows: 31),
        StubHelp(brokenBefore: 300, rows: 32), StubHelp(brokenBefore: 200, rows: 17),
    ])
    private func bandsThatFailAreDecodedSerially(help: StubHelp) throws {
        let script = StubScript(holdsBack: true, help: help)
        let (delivered, message) = try decode(script)
        #expect(delivered.last?.isFinal == true && delivered.last?.mipLevel == 0)
        #expect(message == nil)
    }

    /// Every row is in its place, whichever thread decodes the row and however many bands fail.
    @Test(arguments: [0, 150, 300, Int.max])
    func rowsOfAllBandsAreInPlace(brokenBefore: Int) throws {
        let script = StubScript(help: StubHelp(brokenBefore: brokenBefore, rows: 20))
        let size = PixelSize(width: 640, height: 480)
        let source = StubRows(size, script)
        let decoding = try ParallelDecode(
            source, as: size, from: 0, .upright, on: WorkerPool(width: 2))
        // Decode all bands before the full decode begins.
        decoding.help(StubIndex(script: script), reducedBy: 0)
        #expect(script.bands.load(ordering: .relaxed) > 0)
        let sealed = try #require(try decoding.seal(source, StubSink(script)))
        defer { close(sealed) }
        #expect(source.isComplete)
        let level = PixelLayout.levels(of: size)[0]
        for y in 0..<size.height {
            var word: UInt32 = 0
            #expect(pread(sealed, &word, 4, off_t(level.offset + y * level.stride)) == 4)
            #expect(word == 0xFF10_0000 | UInt32(y), "row \(y)")
        }
    }

    private func parallelDecode() throws -> (StubRows, ParallelDecode<BandedDecode>) {
        let size = PixelSize(width: 640, height: 480)
        let source = StubRows(size, StubScript(help: StubHelp()))
        return (
            source,
            try ParallelDecode(source, as: size, from: 0, .upright, on: WorkerPool(width: 2))
        )
    }

    private final class Watch: DecodeSink {
        var secondsLeft: () -> Double? = { nil }
        var seen: [Double?] = []

        func shouldContinue() -> Bool {
            usleep(200)
            seen.append(secondsLeft())
            return true
        }

        func deliver(_ memory: Int32, isFinal: Bool) { close(memory) }
    }

    /// The pace of the first thread tells when the picture will be complete.
    @Test func theTimeLeftIsKnownAfterTheFirstRows() throws {
        let (source, decoding) = try parallelDecode()
        #expect(decoding.secondsLeft(after: 0) == nil)
        let watch = Watch()
        watch.secondsLeft = { decoding.secondsLeft(after: 0) }
        close(try #require(try decoding.seal(source, watch)))
        // Before the first rows, and before the second ones, no rows are decoded.
        #expect(watch.seen.prefix(2) == [nil, nil])
        let known = watch.seen.dropFirst(2).compactMap(\.self)
        #expect(known.count == watch.seen.count - 2 && known.allSatisfy { $0 > 0 })
        let (first, last) = (try #require(known.first), try #require(known.last))
        #expect(last < first)
        // After any delay less is left, but never less than nothing.
        #expect(decoding.secondsLeft(after: 1e6) == 0)
    }

    /// A helper begins where both threads have the same number of rows left.
    @Test func theMiddleIsThatOfTheRowsThatAreLeft() throws {
        let (source, decoding) = try parallelDecode()
        #expect(!decoding.isMiddle(of: 0.49) && decoding.isMiddle(of: 0.5))
        let watch = Watch()
        var middles: [Bool] = []
        watch.secondsLeft = {
            middles.append(decoding.isMiddle(of: 0.75))
            return nil
        }
        close(try #require(try decoding.seal(source, watch)))
        // Half of the rows above three quarters are left once the first thread has decoded one half.
        let count = try #require(middles.firstIndex(of: false))
        #expect(abs(Double(count) / Double(middles.count) - 0.5) < 0.15)
        #expect(middles[count...].allSatisfy { !$0 })
    }

    @Test(arguments: [0, 1, 3]) func parallelDecodingStopsOnRequest(patience: Int) throws {
        let (delivered, message) = try decode(StubScript(help: StubHelp()), patience: patience)
        #expect(!delivered.contains { $0.isFinal } && message == nil)
    }
}
