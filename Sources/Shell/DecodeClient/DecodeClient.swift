package import ImageWire
package import Geometry
import Glibc
package import Motion
package import ImageTypes

/// The viewer's end of decoding: keeps a decoder process ready and hands out what it makes.
///
/// It belongs to a poll loop: poll `pollDescriptors`, wake at `deadline`. Whatever the decoder does
/// (crash, hang, lie), the answer is a `failed` event and a new process for the next picture.
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

        /// What is asked of the decoder first.
        var request: DecodeRequest {
            if let thumbnail { return .thumbnail(id: id, thumbnail) }
            if isMetadata { return .metadata(id: id) }
            if isPlayed { return .play(id: id) }
            return isDescription ? .describe(id: id) : .open(id: id)
        }
    }

    private let decoderPath: String
    /// How far its decoders stand back behind other processes, as nice(2) counts.
    private let niceness: Int32
    /// How long a decoder may show no sign of progress, in milliseconds.
    private let patience: Double
    /// How long a picture may take whatever signs of progress there are, in milliseconds.
    private let limit: Double
    /// Seconds of processor time after which a decoder is replaced; one that ends later ends for that.
    private let freshSeconds: Int
    private let limits: DecodeLimits
    private let screen: ScreenProfile?
    private var process: DecoderProcess?
    private var waiting: [Job] = []
    /// The picture that the process is at.
    private var current: Conversation?
    /// Whether the process was handed a file on the disk, which it could keep.
    private var hasRoom = false
    private var lastSign = Moment.zero
    /// Since when the decoder owes what it owes.
    private var asked = Moment.zero
    /// Failures to be told at the next occasion.
    private var pending: [DecodeEvent] = []

    /// How many messages are taken at a time: a decoder that never stops talking must not keep the
    /// poll loop from all else.
    private static let mostAtOnce = 64

    /// Starts a decoder ahead of the first picture; `niceness` 0…19 as nice(2) counts, the times in
    /// milliseconds.
    package init(
        decoderPath: String, patience: Double = 10_000,
        limit: Double = Double(PictureLimits.seconds) * 1000, niceness: Int32 = 0,
        freshSeconds: Int = DecoderAge.freshSeconds, limits: DecodeLimits = .standard,
        screen: ScreenProfile? = nil
    ) throws(DecodeClientError) {
        self.decoderPath = decoderPath
        self.patience = patience
        self.limit = limit
        self.freshSeconds = freshSeconds
        self.niceness = niceness
        self.limits = limits
        self.screen = screen
        process = try DecoderProcess(
            decoderPath, niceness: niceness, limits: limits, screen: screen)
    }

    deinit {
        for job in waiting { close(job.descriptor) }
    }

    /// Readable: call `handleReadable`.
    package var pollDescriptors: [Int32] {
        process.map { [$0.socket] } ?? []
    }

    /// When to call `handleDeadline` if nothing is readable before; nil while the decoder owes
    /// nothing, be it that it waits to be told how large the picture will be shown.
    package var deadline: Moment? {
        if !pending.isEmpty { return lastSign }
        guard let current, current.isOwed else { return nil }
        return min(lastSign.advanced(byMilliseconds: patience), end)
    }

    /// When the picture has taken too long, whatever the decoder says.
    private var end: Moment { asked.advanced(byMilliseconds: limit) }

    // MARK: Asking

    /// Asks what the picture in `descriptor`, which is taken over, is; first come, first served.
    package func open(_ id: Int, descriptor: Int32, now: Moment) {
        waiting.append(Job(id: id, descriptor: descriptor))
        startNext(now: now)
    }

    /// Asks for its pixels; they will be shown this large at first, in device pixels.
    package func decode(_ id: Int, target: PixelSize, now: Moment) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting[index].target = target
        } else if current?.id == id, current?.isDecoding == false {
            (lastSign, asked) = (now, now)
            current?.isDecoding = true
            send(.decode(id: id, target: target))
        }
    }

    /// Hands over an empty file of `PictureInfo.room` bytes, whose descriptor is taken over, without which
    /// its pixels do not come.
    package func giveRoom(_ id: Int, descriptor: Int32) {
        if current?.id == id {
            send(.room(id: id), with: descriptor)
            hasRoom = true
        }
        close(descriptor)
    }

    /// Says that there is no such room: the picture comes as a whole, if it is not too large for that.
    package func refuseRoom(_ id: Int) {
        guard current?.id == id else { return }
        send(.room(id: id))
    }

    /// Asks only what the picture in `descriptor`, which is taken over, is: its info and the end.
    package func describe(_ id: Int, descriptor: Int32, now: Moment) {
        waiting.append(Job(id: id, descriptor: descriptor, isDescription: true))
        startNext(now: now)
    }

    /// Asks what the file in `descriptor`, which is taken over, tells of its picture: its info where
    /// it has one, metadata in parts, and the end.
    package func metadata(_ id: Int, descriptor: Int32, now: Moment) {
        waiting.append(Job(id: id, descriptor: descriptor, isMetadata: true))
        startNext(now: now)
    }

    /// Makes ready to play the animation in `descriptor`, which is taken over: its info comes, and
    /// then the frames that `frame` asks for, until `cancel`.
    package func play(_ id: Int, descriptor: Int32, now: Moment) {
        waiting.append(Job(id: id, descriptor: descriptor, isPlayed: true))
        startNext(now: now)
    }

    /// Asks for the next frame of what is played; the first comes after the last.
    package func frame(_ id: Int, now: Moment) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting[index].frames += 1
        } else if current?.id == id, current?.isPlayed == true {
            if current?.owedFrames == 0 { (lastSign, asked) = (now, now) }
            current?.owedFrames += 1
            send(.frame(id: id))
        }
    }

    /// Asks for a part of a tiled picture of which all pixels came that are to come by themselves; it
    /// keeps the decoder until `cancel`.
    package func part(_ id: Int, _ part: PicturePart, now: Moment) {
        guard current?.id == id else {
            // Its decoder has failed since.
            pending.append(.failed(id, .crashed))
            lastSign = now
            return
        }
        if current?.owedParts.isEmpty == true { (lastSign, asked) = (now, now) }
        current?.owedParts.append(part)
        send(.part(id: id, part))
    }

    /// Asks for a thumbnail of the picture in `descriptor`, which is taken over: what comes is its
    /// info, one bitmap of `request.size(of:)`, and the end.
    package func thumbnail(
        _ id: Int, _ request: ThumbnailRequest, descriptor: Int32, now: Moment
    ) {
        waiting.append(Job(id: id, descriptor: descriptor, thumbnail: request))
        startNext(now: now)
    }

    /// Wants the picture no more; there will be no event of it.
    package func cancel(_ id: Int, now: Moment) {
        waiting.removeAll { job in
            guard job.id == id else { return false }
            close(job.descriptor)
            return true
        }
        guard current?.id == id else { return }
        // A new process is quicker than waiting for the old one to notice.
        restart()
        startNext(now: now)
    }

    private func startNext(now: Moment) {
        guard current == nil, !waiting.isEmpty else { return }
        // One that died while it had nothing to do is nobody's failure, and one that has done enough
        // must not run into its limit in the midst of a picture.
        if process.map({ $0.isGone || $0.processorSeconds >= freshSeconds }) ?? true {
            restart()
        }
        guard process != nil else {
            // No process can be had: say so of each that waits.
            for job in waiting {
                close(job.descriptor)
                pending.append(.failed(job.id, .crashed))
            }
            waiting = []
            lastSign = now
            return
        }
        let job = waiting.removeFirst()
        current = Conversation(
            id: job.id, isDecoding: job.target != nil, thumbnail: job.thumbnail,
            isDescription: job.isDescription, isPlayed: job.isPlayed, isMetadata: job.isMetadata)
        (lastSign, asked) = (now, now)
        send(job.request, with: job.descriptor)
        close(job.descriptor)
        if let target = job.target { send(.decode(id: job.id, target: target)) }
        for _ in 0..<job.frames { frame(job.id, now: now) }
    }

    /// A decoder that is gone shows when its socket is read.
    private func send(_ request: DecodeRequest, with descriptor: Int32 = -1) {
        _ = process?.send(request, with: descriptor)
    }

    private func restart() {
        current = nil
        hasRoom = false
        process = try? DecoderProcess(
            decoderPath, niceness: niceness, limits: limits, screen: screen)
    }

    // MARK: Answers

    /// Takes what the decoder has sent.
    package func handleReadable(_ descriptor: Int32, now: Moment) -> [DecodeEvent] {
        var events = takePending()
        for _ in 0..<Self.mostAtOnce {
            guard let process, process.socket == descriptor else { break }
            switch process.receive() {
            case .nothing: return events
            case .end:
                events += takeEnd(now: now)
                return events + takePending()
            case .message(let bytes, let memory):
                lastSign = now
                events += take(bytes, memory, now: now)
            }
        }
        return events
    }

    /// Stops a decoder that shows no sign of progress.
    package func handleDeadline(now: Moment) -> [DecodeEvent] {
        var events = takePending()
        if let deadline, now >= deadline, current != nil {
            events += giveUp(now >= end ? .endless : .hung, now: now)
        }
        return events + takePending()
    }

    private func takePending() -> [DecodeEvent] {
        defer { pending = [] }
        return pending
    }

    /// The decoder is gone.
    private func takeEnd(now: Moment) -> [DecodeEvent] {
        guard current == nil else {
            let isSpent = process.map { $0.processorSeconds >= freshSeconds } ?? false
            return giveUp(isSpent ? .spent : .crashed, now: now)
        }
        // One that ends with nothing to do might do so again at once; the next is started when
        // there is a picture for it.
        process = nil
        return []
    }

    /// Ends the current picture with a failure and goes on with a new process.
    private func giveUp(_ failure: DecodeFailure, now: Moment) -> [DecodeEvent] {
        let failed = current?.id
        restart()
        startNext(now: now)
        return failed.map { [.failed($0, failure)] } ?? []
    }

    /// Understands one message, or takes the decoder for broken.
    private func take(_ bytes: [UInt8], _ memory: Int32, now: Moment) -> [DecodeEvent] {
        do throws(WireError) {
            var pixels: SealedMemory?
            if memory >= 0 { pixels = try SealedMemory(taking: memory) }
            guard var conversation = current else { throw WireError() }
            let event = try conversation.take(try DecodeReply(bytes), pixels)
            current = conversation
            switch event {
            case .frame, .part: asked = now
            default: break
            }
            if conversation.isOver {
                current = nil
                if hasRoom { restart() }
                startNext(now: now)
            }
            return event.map { [$0] } ?? []
        } catch {
            return giveUp(.badReply, now: now)
        }
    }
}
