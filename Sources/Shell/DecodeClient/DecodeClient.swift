package import ImageWire
package import Geometry
import Glibc
package import Motion
package import ImageTypes

/// The viewer's side of decoding: keeps a decoder process ready and reports its results as events.
///
/// A client runs in a poll loop: poll `pollDescriptors`, wake at `deadline`. If the decoder
/// crashes, hangs or sends invalid replies, the client reports `failed` and starts a new process
/// for the next picture.
package final class DecodeClient {
    private struct Job {
        var id: Int
        var descriptor: Int32
        var target: PixelSize?
        var thumbnail: ThumbnailRequest?
        var isDescription = false
        var isPlayed = false
        var isMetadata = false
        var frames = 0

        /// The first request to the decoder.
        var request: DecodeRequest {
            if let thumbnail { return .thumbnail(id: id, thumbnail) }
            if isMetadata { return .metadata(id: id) }
            if isPlayed { return .play(id: id) }
            return isDescription ? .describe(id: id) : .open(id: id)
        }
    }

    private let decoderPath: String
    /// The niceness of the decoder processes, as in nice(2).
    private let niceness: Int32
    /// The longest time without progress of the decoder, in milliseconds.
    private let patience: Double
    /// The longest time for a picture even with progress, in milliseconds.
    private let limit: Double
    /// The processor time, in seconds, after which a decoder is replaced before its next picture.
    ///
    /// A decoder that ends by itself after this time has reached its limit of processor time.
    private let retirementSeconds: Int
    private let limits: DecodeLimits
    private let screen: ScreenProfile?
    private var process: DecoderProcess?
    private var waiting: [Job] = []
    /// The picture that the process is decoding.
    private var current: ReplyValidator?
    /// Whether the process was given a file on the disk, whose descriptor it could keep.
    private var hasDiskFile = false
    /// When the decoder last reported progress, or got a request.
    private var lastProgress = Moment.zero
    /// When the time limit for the reply that is due began.
    private var requestTime = Moment.zero
    /// Failures to report with the next events.
    private var pending: [DecodeEvent] = []

    /// How many messages are handled in one turn of the poll loop: a decoder that sends without
    /// pause must not block the loop.
    private static let mostAtOnce = 64

    /// Starts a decoder ahead of the first picture.
    ///
    /// `patience` and `limit` are in milliseconds, `retirementSeconds` is in seconds of processor time.
    /// `niceness` is 0…19 as in nice(2). Throws if the decoder cannot be started.
    package init(
        decoderPath: String, patience: Double = 10_000,
        limit: Double = Double(PictureLimits.seconds) * 1000, niceness: Int32 = 0,
        retirementSeconds: Int = DecoderLifetime.retirementSeconds,
        limits: DecodeLimits = .standard,
        screen: ScreenProfile? = nil
    ) throws(DecodeClientError) {
        self.decoderPath = decoderPath
        self.patience = patience
        self.limit = limit
        self.retirementSeconds = retirementSeconds
        self.niceness = niceness
        self.limits = limits
        self.screen = screen
        process = try DecoderProcess(
            decoderPath, niceness: niceness, limits: limits, screen: screen)
    }

    deinit {
        for job in waiting { close(job.descriptor) }
    }

    /// The socket to the present process; -1 while there is none.
    var socket: Int32 { process?.socket ?? -1 }

    /// The descriptors to poll; when one is readable, call `handleReadable`.
    package var pollDescriptors: [Int32] {
        process.map { [$0.socket] } ?? []
    }

    /// When to call `handleDeadline` if no descriptor is readable before.
    ///
    /// Nil while no reply is due, for example while the decoder waits for `decode`.
    package var deadline: Moment? {
        if !pending.isEmpty { return lastProgress }
        guard let current, current.isOwed else { return nil }
        return min(lastProgress.advanced(byMilliseconds: patience), end)
    }

    /// When the picture has taken too long, even if the decoder reports progress.
    private var end: Moment { requestTime.advanced(byMilliseconds: limit) }

    // MARK: Requests

    /// Opens the picture in `descriptor` and requests its info; requests are handled in order.
    ///
    /// The client closes `descriptor`.
    package func open(_ id: Int, descriptor: Int32, now: Moment) {
        waiting.append(Job(id: id, descriptor: descriptor))
        startNext(now: now)
    }

    /// Requests the pixels of an opened picture; `target` is the size at which the picture is first
    /// shown, in device pixels.
    package func decode(_ id: Int, target: PixelSize, now: Moment) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting[index].target = target
        } else if current?.id == id, current?.isDecoding == false {
            (lastProgress, requestTime) = (now, now)
            current?.isDecoding = true
            send(.decode(id: id, target: target))
        }
    }

    /// Gives the decoder an empty file of `PictureInfo.backingFileBytes` bytes for the pixels of a picture.
    ///
    /// Without the file or `refuseBackingFile` no pixels arrive. The client closes `descriptor`.
    package func sendBackingFile(_ id: Int, descriptor: Int32) {
        if current?.id == id {
            send(.backingFile(id: id), with: descriptor)
            hasDiskFile = true
        }
        close(descriptor)
    }

    /// Refuses the backing file: the picture is decoded in memory as a whole,
    /// if it is not too large for that.
    package func refuseBackingFile(_ id: Int) {
        guard current?.id == id else { return }
        send(.backingFile(id: id))
    }

    /// Requests only the info of the picture in `descriptor`; the events are the info and the end.
    ///
    /// The client closes `descriptor`.
    package func describe(_ id: Int, descriptor: Int32, now: Moment) {
        waiting.append(Job(id: id, descriptor: descriptor, isDescription: true))
        startNext(now: now)
    }

    /// Requests the metadata of the file in `descriptor`.
    ///
    /// The events are the info where there is one, the metadata in several events, and the end. The
    /// client closes `descriptor`.
    package func metadata(_ id: Int, descriptor: Int32, now: Moment) {
        waiting.append(Job(id: id, descriptor: descriptor, isMetadata: true))
        startNext(now: now)
    }

    /// Opens the animation in `descriptor` for playing.
    ///
    /// The events are the info and then the frames that `frame` requests, until `cancel`. The
    /// client closes `descriptor`.
    package func play(_ id: Int, descriptor: Int32, now: Moment) {
        waiting.append(Job(id: id, descriptor: descriptor, isPlayed: true))
        startNext(now: now)
    }

    /// Requests the next frame of a played animation; the first frame follows the last one.
    package func frame(_ id: Int, now: Moment) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting[index].frames += 1
        } else if current?.id == id, current?.isPlayed == true {
            if current?.owedFrames == 0 { (lastProgress, requestTime) = (now, now) }
            current?.owedFrames += 1
            send(.frame(id: id))
        }
    }

    /// Requests a tile of a tiled picture, after the final pixels of its overview have arrived.
    ///
    /// The picture keeps the decoder until `cancel`.
    package func tile(_ id: Int, _ tile: PictureTile, now: Moment) {
        guard current?.id == id else {
            // The decoder of the picture has failed since then.
            pending.append(.failed(id, .crashed))
            lastProgress = now
            return
        }
        if current?.owedTiles.isEmpty == true { (lastProgress, requestTime) = (now, now) }
        current?.owedTiles.append(tile)
        send(.tile(id: id, tile))
    }

    /// Requests a thumbnail of the picture in `descriptor`.
    ///
    /// The events are the info, one bitmap of `request.size(of:)`, and the end. The client closes
    /// `descriptor`.
    package func thumbnail(
        _ id: Int, _ request: ThumbnailRequest, descriptor: Int32, now: Moment
    ) {
        waiting.append(Job(id: id, descriptor: descriptor, thumbnail: request))
        startNext(now: now)
    }

    /// Cancels the requests for a picture; no more events about the picture are reported.
    package func cancel(_ id: Int, now: Moment) {
        waiting.removeAll { job in
            guard job.id == id else { return false }
            close(job.descriptor)
            return true
        }
        guard current?.id == id else { return }
        // Starting a new process is faster than waiting until the old process handles a
        // cancellation.
        restart()
        startNext(now: now)
    }

    private func startNext(now: Moment) {
        guard current == nil, !waiting.isEmpty else { return }
        // A decoder that ended while idle is not a failure of any picture. A decoder near its limit
        // of processor time must not reach the limit while it decodes a picture.
        if process.map({ $0.isGone || $0.processorSeconds >= retirementSeconds }) ?? true {
            restart()
        }
        guard process != nil else {
            // No process can be started: report a failure for each waiting picture.
            for job in waiting {
                close(job.descriptor)
                pending.append(.failed(job.id, .crashed))
            }
            waiting = []
            lastProgress = now
            return
        }
        let job = waiting.removeFirst()
        current = ReplyValidator(
            id: job.id, isDecoding: job.target != nil, thumbnail: job.thumbnail,
            isDescription: job.isDescription, isPlayed: job.isPlayed, isMetadata: job.isMetadata)
        (lastProgress, requestTime) = (now, now)
        send(job.request, with: job.descriptor)
        close(job.descriptor)
        if let target = job.target { send(.decode(id: job.id, target: target)) }
        for _ in 0..<job.frames { frame(job.id, now: now) }
    }

    /// Ignores errors: a decoder that has ended is detected when its socket is read.
    private func send(_ request: DecodeRequest, with descriptor: Int32 = -1) {
        _ = process?.send(request, with: descriptor)
    }

    private func restart() {
        current = nil
        hasDiskFile = false
        process = try? DecoderProcess(
            decoderPath, niceness: niceness, limits: limits, screen: screen)
    }

    // MARK: Replies

    /// Receives the decoder's messages from a readable descriptor.
    package func handleReadable(_ descriptor: Int32, now: Moment) -> [DecodeEvent] {
        var events = drainPending()
        for _ in 0..<Self.mostAtOnce {
            guard let process, process.socket == descriptor else { break }
            switch process.receive() {
            case .nothing: return events
            case .end:
                events += handleEnd(now: now)
                return events + drainPending()
            case .message(let bytes, let memory):
                lastProgress = now
                events += handle(bytes, memory, now: now)
            }
        }
        return events
    }

    /// Stops a decoder that makes no progress, or takes too long.
    package func handleDeadline(now: Moment) -> [DecodeEvent] {
        var events = drainPending()
        if let deadline, now >= deadline, current != nil {
            events += giveUp(now >= end ? .timeLimitReached : .hung, now: now)
        }
        return events + drainPending()
    }

    private func drainPending() -> [DecodeEvent] {
        defer { pending = [] }
        return pending
    }

    /// Handles the end of the decoder process.
    private func handleEnd(now: Moment) -> [DecodeEvent] {
        guard current == nil else {
            let hasReachedLimit = process.map { $0.processorSeconds >= retirementSeconds } ?? false
            return giveUp(hasReachedLimit ? .cpuLimitReached : .crashed, now: now)
        }
        // An idle decoder that ends might do so again at once, so the next one is started only when
        // there is a picture to decode.
        process = nil
        return []
    }

    /// Ends the current picture with a failure, and continues with a new process.
    private func giveUp(_ failure: DecodeFailure, now: Moment) -> [DecodeEvent] {
        let failed = current?.id
        restart()
        startNext(now: now)
        return failed.map { [.failed($0, failure)] } ?? []
    }

    /// Parses and handles one message; replaces the decoder if the message is invalid.
    private func handle(_ bytes: [UInt8], _ memory: Int32, now: Moment) -> [DecodeEvent] {
        do throws(WireError) {
            var pixels: SealedMemory?
            if memory >= 0 { pixels = try SealedMemory(taking: memory) }
            guard var validator = current else { throw WireError() }
            let event = try validator.accept(try DecodeReply(bytes), pixels)
            current = validator
            switch event {
            case .frame, .tile: requestTime = now
            default: break
            }
            if validator.isOver {
                current = nil
                if hasDiskFile { restart() }
                startNext(now: now)
            }
            return event.map { [$0] } ?? []
        } catch {
            return giveUp(.invalidReply, now: now)
        }
    }
}
