import DecodeClient
import EventLoop
import FileAccess
import Geometry
import ImageService
import ImageTypes
import Motion
import TestKit

/// A provider with decoders, files in a folder, a manual clock and a poll loop.
final class ProviderStage {
    let folder = TemporaryFolder()
    let sources = EventSources()
    let files: any PictureFiles
    let environment: DecoderEnvironment
    /// The time of the provider; decoders work in real time.
    var now = Moment.zero
    let provider: PictureProvider
    /// The failures and messages so far, by the ids of the pictures.
    private(set) var failures: [Int: [DecodeFailure]] = [:]
    private(set) var messages: [Int: String] = [:]
    private(set) var infos: [Int: PictureInfo] = [:]

    init(decoder: String? = nil, limits: DecodeLimits = .standard) throws {
        final class Clock { var now: () -> Moment = { .zero } }
        let clock = Clock()
        let path =
            decoder.map { [folder] in Binaries.hostileDecoder($0, in: folder) } ?? Binaries.decoder
        environment = try DecoderEnvironment(
            program: DecoderProgram(path), limits: limits, screen: nil, sources: sources,
            files: FileClient(try FileServer.startThread()), clock: { clock.now() })
        files = NumberedFiles(folder)
        provider = try PictureProvider(environment, files: files) { _ in }
        provider.setTarget(PixelSize(width: 64, height: 64))
        clock.now = { [unowned self] in now }
        provider.onEvent = { [unowned self] in note($0) }
    }

    private func note(_ event: DecodeEvent) {
        switch event {
        case .failed(let id, let failure): failures[id, default: []].append(failure)
        case .finished(let id, let message): messages[id] = message
        case .info(let id, let info): infos[id] = info
        default: break
        }
    }

    /// Writes the file of a picture.
    func write(_ id: Int, _ bytes: [UInt8]) { _ = folder.file("\(id)", bytes) }

    /// When a deadline is due; nil if nothing happens without an event.
    var deadline: Moment? { sources.deadline }

    /// The width of the finest pixels of a picture; nil without pixels.
    func width(_ id: Int) -> Int? {
        provider.source(of: id).flatMap { provider.bitmap($0) }?.levels[0].size.width
    }

    /// Handles events until `isDone`, for at most 20 seconds; returns whether it is.
    @discardableResult
    func run(until isDone: () -> Bool) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(20)
        while !isDone(), clock.now < end {
            _ = sources.wait(atMost: 10)
            sources.handleReady()
            sources.handleDeadlines(at: now)
        }
        return isDone()
    }

    /// Waits until nothing is being decoded.
    @discardableResult
    func rest() -> Bool { run { !provider.isBusy } }

    /// Lets time pass, and handles the deadlines that are due.
    func advance(seconds: Double) {
        now = now.advanced(byMilliseconds: seconds * 1000)
        sources.handleDeadlines(at: now)
    }
}

/// Files that are named by the ids of their pictures.
private final class NumberedFiles: PictureFiles {
    private let folder: TemporaryFolder

    init(_ folder: TemporaryFolder) { self.folder = folder }

    func source(_ id: Int) -> PictureSource { .file(Array((folder / "\(id)").utf8)) }
    func fileRevision(_ id: Int) -> Int? { 0 }
    func displayPath(_ id: Int) -> String? { folder / "\(id)" }
}
