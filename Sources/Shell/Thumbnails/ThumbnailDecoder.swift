import CLinux
import DecodeClient
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
        /// The bitmap as a PNG if requested, else empty; not validated.
        var file: [UInt8]
        /// Whether the picture is complete.
        var isWhole: Bool
    }

    enum Answer {
        case made(DecodedThumbnail)
        case failed(DecodeFailure)
        case cancelled
    }

    private let path: String
    private let limits: DecodeLimits
    private let screen: ScreenProfile?
    /// Raised when a job may have been cancelled.
    private let wakeup: Wakeup
    private var client: DecodeClient?
    private var lastID = 0

    /// The nice(2) value, which gives priority to the viewer and its own decoder.
    private static let niceness: Int32 = 10

    /// Starts the process ahead of the first job.
    init(_ path: String, limits: DecodeLimits, screen: ScreenProfile?, wakeup: Wakeup) {
        self.path = path
        self.limits = limits
        self.screen = screen
        self.wakeup = wakeup
        start()
    }

    private func start() {
        client = try? DecodeClient(
            decoderPath: path, niceness: Self.niceness, limits: limits, screen: screen)
    }

    func waitForWakeup() {
        var poll = pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)
        Glibc.poll(&poll, 1, -1)
        wakeup.lower()
    }

    /// Requests a thumbnail of the file in `descriptor`, takes ownership of it, and waits.
    func ask(
        _ request: ThumbnailRequest, _ descriptor: Int32, isCancelled: () -> Bool
    ) -> Answer {
        if client == nil { start() }
        guard let client else {
            close(descriptor)
            return .failed(.unreadable(reason: "the decoder cannot be started"))
        }
        lastID += 1
        client.thumbnail(lastID, request, descriptor: descriptor, now: Self.now())
        var (bitmap, size) = (Bitmap?.none, PixelSize.zero)
        while true {
            for event in wait(client) {
                switch event {
                case .info(_, let info): size = info.size
                case .pixels(_, let pixels, _): bitmap = pixels
                case .failed(_, let failure): return .failed(failure)
                // Never requested, so the client does not deliver these events.
                case .frame, .part, .metadata: break
                case .finished(_, let message):
                    // The client reports no end without pixels.
                    guard let bitmap else { return .failed(.invalidReply) }
                    let file = (bitmap.memory as? SealedMemory)?.file
                    let bytes = file.map(Array.init) ?? []
                    return .made(
                        DecodedThumbnail(
                            bitmap: bitmap, pictureSize: size, file: bytes,
                            isWhole: message == nil))
                }
            }
            if isCancelled() {
                client.cancel(lastID, now: Self.now())
                return .cancelled
            }
        }
    }

    /// Waits for the decoder, its deadline or a wakeup; returns the decoder's events.
    private func wait(_ client: DecodeClient) -> [DecodeEvent] {
        let descriptors = client.pollDescriptors
        var polls = (descriptors + [wakeup.descriptor]).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let timeout = client.deadline.map { max(0, $0.seconds(since: Self.now()) * 1000) }
        poll(&polls, nfds_t(polls.count), timeout.map { Int32($0.rounded(.up)) } ?? -1)
        if polls.last?.revents != 0 { wakeup.lower() }
        var events = client.handleDeadline(now: Self.now())
        for descriptor in descriptors {
            events += client.handleReadable(descriptor, now: Self.now())
        }
        return events
    }

    private static func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(milliseconds: Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6)
    }
}
