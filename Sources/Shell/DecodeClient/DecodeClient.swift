package import FileAccess
package import ImageWire
package import Geometry
import Glibc
import SystemCalls
package import Motion
package import ImageTypes

/// The viewer's side of decoding: gives each file a decoder process of its own, and reports the results
/// as events.
///
/// A client has one request at a time. It runs in a poll loop: poll `pollDescriptors`, wake at
/// `deadline`. The next decoder is started ahead. If a decoder crashes, does nothing for too long or
/// sends invalid replies, the client reports `failed`.
package final class DecodeClient {
    /// What is requested of a file.
    package enum Request: Sendable {
        /// The info; the pixels follow after `decode`.
        case picture
        /// The info alone.
        case header
        /// The info where there is one, and the metadata in several events.
        case metadata
        /// The info; the frames follow after `frame`, until `cancel`.
        case animation
        /// The info and one bitmap of `ThumbnailRequest.size(of:)`.
        case thumbnail(ThumbnailRequest)

        fileprivate func message(_ id: Int) -> DecodeRequest {
            switch self {
            case .picture: .open(id: id)
            case .header: .describe(id: id)
            case .metadata: .metadata(id: id)
            case .animation: .play(id: id)
            case .thumbnail(let thumbnail): .thumbnail(id: id, thumbnail)
            }
        }
    }

    /// A decoder process, and how it has ended.
    private final class Decoder {
        var process: DecoderProcess?
        var ending: DecoderEnding?
    }

    private let launcher: DecoderLauncher
    /// Nil if all files are in memory.
    private let files: FileClient?
    /// The niceness of the decoder processes, as in nice(2).
    private let niceness: Int32
    private let usesScreen: Bool
    /// The longest time without progress of the decoder, in milliseconds.
    private let patience: Double
    /// The longest time for a picture even with progress, in milliseconds.
    private let limit: Double
    /// A decoder that is killed after this processor time, in seconds, has reached its limit of
    /// processor time.
    private let processorLimit: Int
    /// The decoder for the next request, started ahead; nil if it has ended by itself.
    private var next: Decoder?
    /// The decoder of the current request.
    private var decoder: Decoder?
    /// The current request.
    private var current: ReplyValidator?
    /// The file of the current request, until the decoder may have it.
    private var heldFile: (message: DecodeRequest, source: PictureSource)?
    /// The number of the request to open the file; nil before and after.
    private var opening: Int?
    /// Whether it was reported that the file of the current request is waited for.
    private var hasReportedWait = false
    /// Requests that follow the file.
    private var held: [DecodeRequest] = []
    /// When the decoder of the current request was found to have closed its socket.
    private var closeTime: Moment?
    /// When the decoder last reported progress, or got a request.
    private var lastProgress = Moment.zero
    /// When the time limit for the reply that is due began.
    private var requestTime = Moment.zero
    /// Failures to report with the next events.
    private var pending: [DecodeEvent] = []

    /// How many messages are handled in one turn of the poll loop: a decoder that sends without
    /// pause must not block the loop.
    private static let mostAtOnce = 64
    /// The longest time, in milliseconds, from the end of a decoder's socket to the report of how the
    /// process has ended.
    private static let longestEnd = 1000.0
    /// How long a decoder does nothing, in milliseconds, before a person is told that the file is
    /// waited for.
    private static let silentWait = 2000.0
    /// The longest time, in milliseconds, until a decoder reports its sandbox.
    private static let longestReport = 5000.0
    /// A loop that handles a deadline this much too late, in milliseconds, was stopped itself.
    private static let longestDelay = 500.0

    /// Starts a decoder ahead of the first request.
    ///
    /// `patience` and `limit` are in milliseconds, `processorLimit` is in seconds of processor time.
    /// `niceness` is 0…19 as in nice(2). Throws if the decoder cannot be started.
    package init(
        _ launcher: DecoderLauncher, files: FileClient? = nil,
        patience: Double = Double(PictureLimits.seconds) * 1000,
        limit: Double = Double(PictureLimits.seconds) * 1000, niceness: Int32 = 0,
        processorLimit: Int = PictureLimits.seconds, usesScreen: Bool = true
    ) throws(DecodeClientError) {
        self.launcher = launcher
        self.files = files
        self.patience = patience
        self.limit = limit
        self.niceness = niceness
        self.processorLimit = processorLimit
        self.usesScreen = usesScreen
        try startNext()
    }

    deinit { dropFile() }

    /// The socket to the decoder of the current request; -1 while there is none.
    var socket: Int32 { closeTime == nil ? decoder?.process?.socket ?? -1 : -1 }

    /// The descriptors to poll; when one is readable, call `handleReadable`.
    package var pollDescriptors: [Int32] {
        [socket, launcher.socket, files?.socket ?? -1].filter { $0 >= 0 }
    }

    /// When to call `handleDeadline` if no descriptor is readable before.
    ///
    /// Nil while no reply is due, for example while the decoder waits for `decode`.
    package var deadline: Moment? {
        if !pending.isEmpty { return lastProgress }
        if let closeTime {
            return decoder?.ending == nil
                ? closeTime.advanced(byMilliseconds: Self.longestEnd) : closeTime
        }
        guard let current, current.isOwed else { return nil }
        if heldFile != nil { return lastProgress.advanced(byMilliseconds: Self.longestReport) }
        let first = hasReportedWait ? patience : min(patience, Self.silentWait)
        return min(lastProgress.advanced(byMilliseconds: first), end)
    }

    /// When the picture has taken too long, even if the decoder reports progress.
    private var end: Moment { requestTime.advanced(byMilliseconds: limit) }

    // MARK: Requests

    /// Requests something of the file in `descriptor`, which is closed; see the other `start`.
    package func start(_ request: Request, _ id: Int, descriptor: Int32, now: Moment) {
        start(request, id, .descriptor(descriptor), now: now)
    }

    /// Requests something of a file, and cancels the request before.
    package func start(_ request: Request, _ id: Int, _ source: PictureSource, now: Moment) {
        cancel()
        (lastProgress, requestTime) = (now, now)
        // The next decoder may have ended since it was started.
        launcher.handleReadable()
        do throws(DecodeClientError) {
            if next == nil { try startNext() }
        } catch {
            if case .descriptor(let descriptor) = source { close(descriptor) }
            pending.append(
                .failed(id, .unreadable(reason: "the decoder cannot be started: \(error)")))
            return
        }
        (decoder, next) = (next, nil)
        current = ReplyValidator(id, request)
        heldFile = (request.message(id), source)
        hasReportedWait = false
        pending += sendFile(now: now)
    }

    /// Sends the file of the current request, unless its decoder has to report its sandbox before;
    /// returns a failure if the decoder must not have the file.
    private func sendFile(now: Moment) -> [DecodeEvent] {
        guard let file = heldFile, let process = decoder?.process else { return [] }
        if launcher.limits.requiresSandbox {
            guard let report = process.sandboxReport else { return [] }
            let lacking = report.lacking.filter(\.isRequired).map(\.name)
            guard lacking.isEmpty else {
                let names = lacking.joined(separator: ", ")
                return giveUp(
                    .unreadable(
                        reason: "the decoder has no \(names), which decode.sandbox requires"))
            }
        }
        switch file.source {
        case .descriptor(let descriptor):
            heldFile = nil
            _ = process.send(file.message, with: descriptor)
            close(descriptor)
            (lastProgress, requestTime) = (now, now)
            sendHeldRequests()
        case .file(let path):
            heldFile = nil
            do throws(DecodeFailure) {
                guard let files else { throw .unreadable(reason: "no process opens files") }
                opening = try files.send(
                    path, with: file.message.bytes, over: process.socket
                ) { [weak self] in self?.fileArrived($0) }
            } catch { return giveUp(error) }
        }
        return []
    }

    /// Continues after the file server has opened the file, or has failed; what follows is reported
    /// in `handleDeadline`.
    private func fileArrived(_ result: Result<FileStatus, DecodeFailure>) {
        opening = nil
        guard let id = current?.id else { return }
        switch result {
        case .success(let status):
            pending.append(.opened(id, status))
            sendHeldRequests()
        case .failure(let failure): pending += giveUp(failure)
        }
    }

    /// Sends the requests that were made before the decoder had its file.
    private func sendHeldRequests() {
        let requests = held
        held = []
        for request in requests { send(request) }
    }

    private func dropFile() {
        if case .descriptor(let descriptor)? = heldFile?.source { close(descriptor) }
        if let opening { files?.forget(opening) }
        (heldFile, opening, held) = (nil, nil, [])
    }

    /// Requests the pixels of an opened picture; `target` is the size at which the picture is first
    /// shown, in device pixels.
    package func decode(_ id: Int, target: PixelSize, now: Moment) {
        guard current?.id == id, current?.isDecoding == false else { return }
        (lastProgress, requestTime) = (now, now)
        current?.isDecoding = true
        send(.decode(id: id, target: target))
    }

    /// Gives the decoder an empty file of `PictureInfo.backingFileBytes` bytes for the pixels of a picture.
    ///
    /// Without the file or `refuseBackingFile` no pixels arrive. The client closes `descriptor`.
    package func sendBackingFile(_ id: Int, descriptor: Int32) {
        if current?.id == id { send(.backingFile(id: id), with: descriptor) }
        close(descriptor)
    }

    /// Refuses the backing file: the picture is decoded in memory as a whole,
    /// if it is not too large for that.
    package func refuseBackingFile(_ id: Int) {
        guard current?.id == id else { return }
        send(.backingFile(id: id))
    }

    /// Requests the next frame of a played animation; the first frame follows the last one.
    package func frame(_ id: Int, now: Moment) {
        guard current?.id == id, current?.isPlayed == true else { return }
        if current?.owedFrames == 0 { (lastProgress, requestTime) = (now, now) }
        current?.owedFrames += 1
        send(.frame(id: id))
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

    /// Cancels the current request, of which no more events are reported.
    package func cancel() {
        // Ending the process is faster than waiting until it handles a cancellation.
        endCurrent()
        pending = []
    }

    /// Ignores errors: a decoder that has ended is detected when its socket is read.
    private func send(_ request: DecodeRequest, with descriptor: Int32 = -1) {
        guard heldFile == nil, opening == nil else {
            held.append(request)
            return
        }
        _ = decoder?.process?.send(request, with: descriptor)
    }

    // MARK: Processes

    /// Starts the decoder for the next request.
    private func startNext() throws(DecodeClientError) {
        let decoder = Decoder()
        decoder.process = try launcher.start(niceness: niceness, usesScreen: usesScreen) {
            [weak self, weak decoder] ending in
            guard let decoder else { return }
            decoder.ending = ending
            // A decoder that ends while it waits might do so again at once, so the next one is started
            // only when there is a file for it.
            if self?.next === decoder { self?.next = nil }
        }
        next = decoder
    }

    /// Ends the decoder of the current request, and starts the next one.
    private func endCurrent() {
        guard decoder != nil else { return }
        (decoder, current, closeTime) = (nil, nil, nil)
        dropFile()
        // A decoder that cannot be started is a failure of the next request.
        if next == nil { try? startNext() }
    }

    // MARK: Replies

    /// Receives messages from a readable descriptor.
    package func handleReadable(_ descriptor: Int32, now: Moment) -> [DecodeEvent] {
        if descriptor == launcher.socket { launcher.handleReadable() }
        if descriptor == files?.socket { files?.handleReadable() }
        var events = drainPending(now: now)
        for _ in 0..<Self.mostAtOnce {
            guard descriptor >= 0, socket == descriptor, let process = decoder?.process else {
                break
            }
            switch process.receive() {
            case .nothing: return events
            case .end:
                closeTime = now
                return events
            case .message(let bytes, let memory):
                lastProgress = now
                events += handle(bytes, memory, now: now)
            }
        }
        return events
    }

    /// Stops a decoder that makes no progress, or takes too long.
    package func handleDeadline(now: Moment) -> [DecodeEvent] {
        var events = drainPending(now: now)
        guard let deadline, now >= deadline, current != nil else { return events }
        if closeTime != nil { return events + giveUp(failure(of: decoder?.ending)) }
        let delay = now.seconds(since: deadline) * 1000
        guard delay < Self.longestDelay else {
            // The viewer was stopped, and perhaps the decoder with it.
            lastProgress = lastProgress.advanced(byMilliseconds: delay + Self.longestDelay)
            requestTime = requestTime.advanced(byMilliseconds: delay + Self.longestDelay)
            return events
        }
        if heldFile != nil {
            return events
                + giveUp(
                    .unreadable(
                        reason: "the decoder did not report its sandbox, which decode.sandbox "
                            + "requires"))
        }
        if !hasReportedWait, now < end, now < lastProgress.advanced(byMilliseconds: patience) {
            hasReportedWait = true
            if let id = current?.id { events.append(.waiting(id)) }
            return events
        }
        // Without any progress the file has not arrived, even if the time limit is reached, too.
        let hasStalled = now >= lastProgress.advanced(byMilliseconds: patience)
        return events + giveUp(hasStalled ? .stalled : .timeLimitReached)
    }

    private func drainPending(now: Moment) -> [DecodeEvent] {
        let events = pending
        pending = []
        // The time of the decoder begins when it has its file.
        if case .opened? = events.first { (lastProgress, requestTime) = (now, now) }
        return events
    }

    /// Why a decoder has ended before the end of its request; nil for an unknown end.
    private func failure(of ending: DecoderEnding?) -> DecodeFailure {
        switch ending {
        case .signalled(let signal, let seconds):
            guard signal == Int(SIGKILL) else { return .crashed }
            return seconds >= processorLimit ? .cpuLimitReached : .killed
        case .notStarted(let code):
            return .unreadable(
                reason: "the decoder cannot be started: \(SystemError(code: Int32(code)))")
        case .exited, nil: return .crashed
        }
    }

    /// Ends the current request with a failure.
    private func giveUp(_ failure: DecodeFailure) -> [DecodeEvent] {
        let failed = current?.id
        endCurrent()
        return failed.map { [.failed($0, failure)] } ?? []
    }

    /// Parses and handles one message; ends the request if the message is invalid.
    private func handle(_ bytes: [UInt8], _ memory: Int32, now: Moment) -> [DecodeEvent] {
        do throws(WireError) {
            var pixels: SealedMemory?
            if memory >= 0 { pixels = try SealedMemory(taking: memory) }
            guard var validator = current else { throw WireError() }
            let reply = try DecodeReply(bytes)
            if case .sandboxReport(0, let report) = reply, decoder?.process?.note(report) == true {
                return sendFile(now: now)
            }
            let event = try validator.accept(reply, pixels)
            current = validator
            switch event {
            case .frame, .tile: requestTime = now
            default: break
            }
            if validator.isOver { endCurrent() }
            return event.map { [$0] } ?? []
        } catch {
            return giveUp(.invalidReply)
        }
    }
}
