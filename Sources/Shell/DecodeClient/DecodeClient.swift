package import FileAccess
import ImageWire
import Glibc
import Localization
import SystemCalls
package import Motion
import ImageTypes

/// The viewer's side of decoding: gives each file a decoder process of its own, and reports the results
/// as events.
///
/// A client has one request at a time. It runs in a poll loop: poll `pollDescriptors`, wake at
/// `deadline`. The next decoder is started ahead. If a decoder crashes, does nothing for too long or
/// sends invalid replies, the client reports `failed`.
package final class DecodeClient {
    private let decoders: DecoderSupply
    /// Nil if all files are in memory.
    private let files: FileClient?
    /// A decoder that is killed after this processor time, in seconds, has reached its limit of
    /// processor time.
    private let processorLimit: Int
    /// The decoder of the current request.
    private var decoder: StartedDecoder?
    /// The current request.
    var current: ReplyValidator?
    /// The file of the current request.
    private let delivery: FileDelivery
    var timer: ReplyTimer
    /// When the decoder of the current request was found to have closed its socket.
    private var closeTime: Moment?
    /// Failures to report with the next events.
    var pending: [DecodeEvent] = []

    /// How many messages are handled in one turn of the poll loop: a decoder that sends without
    /// pause must not block the loop.
    private static let mostAtOnce = 64
    /// The longest time, in milliseconds, from the end of a decoder's socket to the report of how the
    /// process has ended.
    private static let longestEnd = 1000.0

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
        self.files = files
        self.processorLimit = processorLimit
        delivery = FileDelivery(files)
        timer = ReplyTimer(patience: patience, limit: limit)
        decoders = try DecoderSupply(launcher, niceness: niceness, usesScreen: usesScreen)
    }

    /// The socket to the decoder of the current request; -1 while there is none.
    var socket: Int32 { closeTime == nil ? decoder?.process?.socket ?? -1 : -1 }

    /// The descriptors to poll; when one is readable, call `handleReadable`.
    package var pollDescriptors: [Int32] {
        [socket, decoders.launcher.socket, files?.socket ?? -1].filter { $0 >= 0 }
    }

    /// When to call `handleDeadline` if no descriptor is readable before.
    ///
    /// Nil while no reply is due, for example while the decoder waits for `decode`.
    package var deadline: Moment? {
        if !pending.isEmpty { return timer.lastProgress }
        if let closeTime {
            return decoder?.ending == nil
                ? closeTime.advanced(byMilliseconds: Self.longestEnd) : closeTime
        }
        guard let current, current.isOwed else { return nil }
        return timer.deadline(phase)
    }

    private var phase: ReplyTimer.Phase { delivery.isHeld ? .sandboxReport : .reply }

    // MARK: Requests

    /// Requests something of the file in `descriptor`, which is closed; see the other `start`.
    package func start(_ request: Request, _ id: Int, descriptor: Int32, now: Moment) {
        start(request, id, .descriptor(descriptor), now: now)
    }

    /// Requests something of a file, and cancels the request before.
    package func start(_ request: Request, _ id: Int, _ source: PictureSource, now: Moment) {
        cancel()
        timer.beginFile(now: now)
        do throws(DecodeClientError) {
            decoder = try decoders.take()
        } catch {
            if case .descriptor(let descriptor) = source { close(descriptor) }
            pending.append(
                .failed(
                    id, .unreadable(reason: localized("the decoder cannot be started: \(error)"))))
            return
        }
        current = ReplyValidator(id, request)
        delivery.hold(request.message(id), source)
        pending += sendFile(now: now)
    }

    /// Sends the file of the current request, unless its decoder has to report its sandbox before;
    /// returns a failure if the decoder must not have the file.
    private func sendFile(now: Moment) -> [DecodeEvent] {
        guard delivery.isHeld, let process = decoder?.process else { return [] }
        do throws(DecodeFailure) {
            guard try process.mayHaveFile else { return [] }
            if try delivery.send(to: process, onOpen: { [weak self] in self?.fileWasOpened($0) }) {
                timer.begin(now: now)
                sendFollowers()
            }
            return []
        } catch { return giveUp(error) }
    }

    /// Continues after the file server has opened the file, or has failed; what follows is reported
    /// in `handleDeadline`.
    private func fileWasOpened(_ result: Result<FileStatus, DecodeFailure>) {
        delivery.noteOpened()
        guard let id = current?.id else { return }
        switch result {
        case .success(let status):
            pending.append(.opened(id, status))
            sendFollowers()
        case .failure(let failure): pending += giveUp(failure)
        }
    }

    /// Sends the requests that were made before the decoder had its file.
    private func sendFollowers() {
        for (request, descriptor) in delivery.takeFollowers() { send(request, owning: descriptor) }
    }

    /// Cancels the current request, of which no more events are reported.
    package func cancel() {
        // Ending the process is faster than waiting until it handles a cancellation.
        endCurrent()
        pending = []
    }

    /// Sends a request, and closes the descriptor that goes with it, or -1.
    func send(_ request: DecodeRequest, owning descriptor: Int32 = -1) {
        if delivery.keep(request, owning: descriptor) { return }
        decoder?.process?.send(request, with: descriptor)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Ends the decoder of the current request, and starts the next one.
    private func endCurrent() {
        guard decoder != nil else { return }
        (decoder, current, closeTime) = (nil, nil, nil)
        delivery.drop()
        decoders.prepare()
    }

    // MARK: Replies

    /// Receives messages from a readable descriptor.
    package func handleReadable(_ descriptor: Int32, now: Moment) -> [DecodeEvent] {
        if descriptor == decoders.launcher.socket { decoders.launcher.handleReadable() }
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
                timer.noteProgress(now: now)
                events += handle(bytes, memory, now: now)
            }
        }
        return events
    }

    /// Stops a decoder that makes no progress, or takes too long.
    package func handleDeadline(now: Moment) -> [DecodeEvent] {
        var events = drainPending(now: now)
        guard let deadline, now >= deadline, current != nil else { return events }
        if closeTime != nil {
            let failure = decoder?.failure(processorLimit: processorLimit)
            return events + giveUp(failure ?? .crashed)
        }
        switch timer.expire(phase, now: now) {
        case .early, .paused: break
        case .waiting: if let id = current?.id { events.append(.waiting(id)) }
        case .noSandboxReport:
            events += giveUp(
                .unreadable(
                    reason: localized(
                        "the decoder did not report its sandbox, which decode.sandbox requires"))
            )
        case .stalled: events += giveUp(.stalled)
        case .limitReached: events += giveUp(.timeLimitReached)
        }
        return events
    }

    private func drainPending(now: Moment) -> [DecodeEvent] {
        let events = pending
        pending = []
        // The time of the decoder begins when it has its file.
        if case .opened? = events.first { timer.begin(now: now) }
        return events
    }

    /// Ends the current request with a failure.
    private func giveUp(_ failure: DecodeFailure) -> [DecodeEvent] {
        let failed = current?.id
        endCurrent()
        return failed.map { [.failed($0, failure)] } ?? []
    }

    /// Parses a message and checks the memory that comes with it, which is always consumed.
    private func parse(
        _ bytes: [UInt8], _ memory: Int32
    ) throws(WireError) -> (DecodeReply, SealedMemory?, SealedFile?) {
        let reply: DecodeReply
        do throws(WireError) {
            reply = try DecodeReply(bytes)
        } catch {
            if memory >= 0 { close(memory) }
            throw error
        }
        guard memory >= 0 else { return (reply, nil, nil) }
        if case .edited = reply { return (reply, nil, try SealedFile(taking: memory)) }
        return (reply, try SealedMemory(taking: memory, decoders.launcher.limits), nil)
    }

    /// Parses and handles one message; ends the request if the message is invalid.
    private func handle(_ bytes: [UInt8], _ memory: Int32, now: Moment) -> [DecodeEvent] {
        do throws(WireError) {
            guard var validator = current else {
                if memory >= 0 { close(memory) }
                throw WireError()
            }
            let (reply, pixels, file) = try parse(bytes, memory)
            if case .sandboxReport(0, let report) = reply, decoder?.process?.note(report) == true {
                return sendFile(now: now)
            }
            let event: DecodeEvent?
            if case .edited(let number, let answer) = reply {
                event = try validator.accept(answer, of: number, file)
            } else {
                event = try validator.accept(reply, pixels)
            }
            current = validator
            switch event {
            case .frame, .tile: timer.noteReply(now: now)
            default: break
            }
            if validator.isOver { endCurrent() }
            return event.map { [$0] } ?? []
        } catch {
            return giveUp(.invalidReply)
        }
    }
}
