import FileAccess
import CLinux
import DecodeClient
import EventLoop
import ImageWire
import Geometry
import Glibc
import Motion
import ImageTypes
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
    /// The end of the current request; nil until then.
    private var result: Result<DecodedThumbnail, DecodeFailure>?

    /// The nice(2) value of the process and of its thread, which gives priority to the viewer and
    /// its own decoder.
    static let niceness: Int32 = 10

    /// Starts the process ahead of the first job.
    init(_ path: String, limits: DecodeLimits, screen: ScreenProfile?, wakeup: Wakeup) {
        makeEnvironment = { [sources] in
            try? DecoderEnvironment(
                decoderPath: path, limits: limits, screen: screen, sources: sources,
                clock: Self.now)
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

    func waitForWakeup() {
        var poll = pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)
        Glibc.poll(&poll, 1, -1)
        wakeup.lower()
    }

    /// Requests a thumbnail of the file in `descriptor`, which is closed, and waits.
    ///
    /// `side` is the longest side in pixels. With `isStored` the result has pixels in sRGB, too.
    /// Returns nil if the job was cancelled.
    func ask(
        side: Int, isStored: Bool = false, _ descriptor: Int32, isCancelled: () -> Bool
    ) -> Result<DecodedThumbnail, DecodeFailure>? {
        if session == nil { start() }
        guard let session else {
            close(descriptor)
            return .failure(.unreadable(reason: "the decoder cannot be started"))
        }
        (bitmap, pictureSize, result) = (nil, .zero, nil)
        defer { (bitmap, result) = (nil, nil) }
        // Without the profile of a screen, the pixels to show are in sRGB themselves.
        let request = ThumbnailRequest(
            side: side, wantsSRGBCopy: isStored && hasScreen)
        session.start(.thumbnail(request), of: 0, .descriptor(descriptor))
        while true {
            wait()
            if let result { return result }
            if isCancelled() {
                session.cancel()
                return nil
            }
        }
    }

    /// Waits for the decoder, its deadline or a wakeup.
    private func wait() {
        let timeout = sources.deadline.map { max(0, $0.seconds(since: Self.now()) * 1000) }
        _ = sources.wait(atMost: timeout.map { Int32($0.rounded(.up)) } ?? -1)
        sources.handleDeadlines(at: Self.now())
        sources.handleReady()
    }

    private func handle(_ event: DecodeEvent) {
        switch event {
        case .info(_, let info): pictureSize = info.size
        case .pixels(_, let pixels, _): bitmap = pixels
        case .failed(_, let failure): result = .failure(failure)
        // Never requested, so the client does not deliver these events.
        case .opened, .waiting, .frame, .tile, .metadata: break
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

    /// The real time.
    static func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(milliseconds: Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6)
    }
}
