import FileAccess
import DecodeClient
import EventLoop
import ImageWire
import Geometry
import Glibc
import Localization
import Motion
import ImageTypes
import SystemCalls
import Threads

/// A decoder process with blocking requests, which can be cancelled, for a worker thread.
final class ThumbnailDecoder {
    /// A thumbnail that the decoder has made.
    struct DecodedThumbnail {
        var bitmap: Bitmap
        /// The size of the full picture, in pixels.
        var pictureSize: PixelSize
        /// The same picture in sRGB, for the cache; nil unless it can be stored.
        var sRGB: Bitmap?
        /// Whether the picture is complete.
        var isWhole: Bool
    }

    /// Nil if no file can be opened.
    private let files: FileClient?
    private let makeEnvironment: () -> DecoderEnvironment?
    /// Whether shown pixels have the colours of a screen instead of sRGB.
    private let hasScreen: Bool
    private let sources = EventSources()
    /// Raised when a job may have been cancelled.
    private let wakeup: Wakeup
    /// Nil if the decoder could not be started.
    private var session: DecodeSession?
    /// What has arrived for the current request.
    private var (bitmap, pictureSize) = (Bitmap?.none, PixelSize.zero)
    /// The state of the file that was opened for the last request; nil if none was.
    private(set) var openedFile: FileStatus?
    /// The end of the current request; nil until then.
    private var result: Result<DecodedThumbnail, DecodeFailure>?

    /// The nice(2) value of the process and of its thread, which gives priority to the viewer and
    /// its own decoder.
    static let niceness: Int32 = 10

    static let notStarted = DecodeFailure.unreadable(
        reason: localized("the decoder cannot be started"))
    /// The longest time to wait for the state of a file, in milliseconds.
    private static let longestStatus = 2000.0

    /// Starts the process ahead of the first job.
    ///
    /// Files are opened by the server of `files`; on threads of this process if there is none.
    /// `warmsUp` is for many files.
    init(
        _ program: DecoderProgram, limits: DecodeLimits, screen: ScreenProfile?,
        files: FileServer.Connection?, wakeup: Wakeup, warmsUp: Bool = false
    ) {
        let files = (files ?? (try? FileServer.startThread())).map { FileClient($0) }
        self.files = files
        makeEnvironment = { [sources] in
            let environment = try? DecoderEnvironment(
                program: program, limits: limits, screen: screen, sources: sources,
                files: files, clock: MonotonicClock.now)
            if warmsUp { environment?.warmUp() }
            return environment
        }
        hasScreen = screen != nil
        self.wakeup = wakeup
        _ = sources.add(descriptor: wakeup.descriptor) { wakeup.lower() }
        start()
    }

    private func start() {
        session = makeEnvironment().flatMap { try? DecodeSession($0, niceness: Self.niceness) }
        session?.onEvent = { [unowned self] in handle($0) }
    }

    /// Starts the decoder unless it has started; returns whether it has.
    ///
    /// Its event sources receive the replies of the file server, too.
    func isReady() -> Bool {
        if session == nil { start() }
        return session != nil
    }

    func waitForWakeup() {
        waitUntilReady(wakeup.descriptor)
        wakeup.lower()
    }

    /// Asks for the state of a file, and waits; returns nil if the job was cancelled.
    func status(
        _ path: [UInt8], isCancelled: () -> Bool
    ) throws(DecodeFailure) -> FileStatus? {
        guard let files else { throw .unreadable(reason: localized("no file can be opened")) }
        var reply: Result<FileStatus, DecodeFailure>?
        let number = try files.status(of: path) { reply = $0 }
        defer { files.forget(number) }
        let end = MonotonicClock.now().advanced(byMilliseconds: Self.longestStatus)
        while reply == nil {
            wait(until: end)
            if isCancelled() { return nil }
            if reply == nil, MonotonicClock.now() >= end { throw .stalled }
        }
        return try reply?.get()
    }

    /// Requests a thumbnail of a picture, and waits; a descriptor is closed.
    ///
    /// `side` is the longest side in pixels. With `isStored` the result has pixels in sRGB, too.
    /// Returns nil if the job was cancelled.
    func ask(
        side: Int, isStored: Bool = false, _ source: PictureSource, isCancelled: () -> Bool
    ) -> Result<DecodedThumbnail, DecodeFailure>? {
        (bitmap, pictureSize, openedFile, result) = (nil, .zero, nil, nil)
        defer { (bitmap, result) = (nil, nil) }
        guard isReady(), let session else {
            if case .descriptor(let descriptor) = source { close(descriptor) }
            return .failure(Self.notStarted)
        }
        // Without the profile of a screen, the pixels to show are in sRGB themselves.
        let request = ThumbnailRequest(
            side: side, wantsSRGBCopy: isStored && hasScreen)
        session.start(.thumbnail(request), of: 0, source)
        while true {
            wait()
            if let result {
                // A file that does not arrive must not hold up the next job.
                if case .failure(.stalled) = result { session.cancel() }
                return result
            }
            if isCancelled() {
                session.cancel()
                return nil
            }
        }
    }

    /// Waits for the file server, the decoder, its deadline, a wakeup, or this moment.
    private func wait(until end: Moment? = nil) {
        let timeout = [sources.deadline, end].compactMap(\.self).min().map {
            max(0, $0.seconds(since: MonotonicClock.now()) * 1000)
        }
        _ = sources.wait(atMost: timeout.map { Int32($0.rounded(.up)) } ?? -1)
        sources.handleDeadlines(at: MonotonicClock.now())
        sources.handleReady()
    }

    private func handle(_ event: DecodeEvent) {
        switch event {
        case .info(_, let info): pictureSize = info.size
        case .pixels(_, let pixels, _): bitmap = pixels
        case .failed(_, let failure): result = .failure(failure)
        case .opened(_, let status): openedFile = status
        case .waiting: result = .failure(.stalled)
        // Never requested, so the client does not deliver these events.
        case .gain, .frame, .tile, .metadata, .edited: break
        case .finished(_, let message): result = finished(isWhole: message == nil)
        }
    }

    private func finished(isWhole: Bool) -> Result<DecodedThumbnail, DecodeFailure> {
        // The client reports no end without pixels.
        guard let bitmap else { return .failure(.invalidReply) }
        let sRGB =
            hasScreen ? (bitmap.memory as? SealedMemory)?.sRGBCopy : bitmap
        return .success(
            DecodedThumbnail(
                bitmap: bitmap, pictureSize: pictureSize, sRGB: sRGB, isWhole: isWhole))
    }
}
