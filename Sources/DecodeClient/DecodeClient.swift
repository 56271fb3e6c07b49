import DecodeWire
package import Geometry
import Glibc
package import Motion
import Pictures

/// The viewer's end of decoding: keeps a decoder process ready and hands out what it makes.
///
/// It belongs to a poll loop: poll `pollDescriptors`, wake at `deadline`. Whatever the decoder does
/// (crash, hang, lie), the answer is a `failed` event and a new process for the next picture.
package final class DecodeClient {
    private struct Job {
        var id: Int
        var descriptor: Int32
        var target: PixelSize?
    }

    private let decoderPath: String
    /// How long a decoder may show no sign of progress, in milliseconds.
    private let patience: Double
    private var process: DecoderProcess?
    private var waiting: [Job] = []
    /// The picture that the process is at.
    private var current: Int?
    private var lastSign = Moment.zero
    /// Failures to be told at the next occasion.
    private var pending: [DecodeEvent] = []

    /// Starts a decoder ahead of the first picture.
    package init(decoderPath: String, patience: Double = 10_000) throws(DecodeClientError) {
        self.decoderPath = decoderPath
        self.patience = patience
        process = try DecoderProcess(decoderPath)
    }

    deinit {
        for job in waiting { close(job.descriptor) }
    }

    /// Readable: call `handleReadable`.
    package var pollDescriptors: [Int32] {
        process.map { [$0.socket] } ?? []
    }

    /// When to call `handleDeadline` if nothing is readable before.
    package var deadline: Moment? {
        if !pending.isEmpty { return lastSign }
        return current == nil ? nil : lastSign.advanced(byMilliseconds: patience)
    }

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
        } else if current == id {
            lastSign = now
            send(.decode(id: id, target: target))
        }
    }

    /// Wants the picture no more; there will be no event of it.
    package func cancel(_ id: Int, now: Moment) {
        waiting.removeAll { job in
            guard job.id == id else { return false }
            close(job.descriptor)
            return true
        }
        guard current == id else { return }
        // A new process is quicker than waiting for the old one to notice.
        restart()
        startNext(now: now)
    }

    private func startNext(now: Moment) {
        guard current == nil, !waiting.isEmpty else { return }
        // One that died while it had nothing to do is nobody's failure.
        if process?.isGone ?? true { restart() }
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
        current = job.id
        lastSign = now
        send(.open(id: job.id), with: job.descriptor)
        close(job.descriptor)
        if let target = job.target { send(.decode(id: job.id, target: target)) }
    }

    /// A decoder that is gone shows when its socket is read.
    private func send(_ request: DecodeRequest, with descriptor: Int32 = -1) {
        _ = process?.send(request, with: descriptor)
    }

    private func restart() {
        current = nil
        process = try? DecoderProcess(decoderPath)
    }

    // MARK: Answers

    /// Takes what the decoder has sent.
    package func handleReadable(_ descriptor: Int32, now: Moment) -> [DecodeEvent] {
        var events = takePending()
        while true {
            guard let process, process.socket == descriptor else {
                return events
            }
            switch process.receive() {
            case .nothing: return events
            case .end:
                events += giveUp(.crashed, now: now)
                return events + takePending()
            case .message(let bytes, let memory):
                lastSign = now
                events += take(bytes, memory, now: now)
            }
        }
    }

    /// Stops a decoder that shows no sign of progress.
    package func handleDeadline(now: Moment) -> [DecodeEvent] {
        var events = takePending()
        if let deadline, now >= deadline, current != nil { events += giveUp(.hung, now: now) }
        return events + takePending()
    }

    private func takePending() -> [DecodeEvent] {
        defer { pending = [] }
        return pending
    }

    /// Ends the current picture with a failure and goes on with a new process.
    private func giveUp(_ failure: DecodeFailure, now: Moment) -> [DecodeEvent] {
        let failed = current
        restart()
        startNext(now: now)
        return failed.map { [.failed($0, failure)] } ?? []
    }

    /// Understands one message, or takes the decoder for broken.
    private func take(_ bytes: [UInt8], _ memory: Int32, now: Moment) -> [DecodeEvent] {
        do throws(WireError) {
            let reply = try DecodeReply(bytes)
            if case .pixels(let id, let isFinal) = reply {
                guard memory >= 0, let pixels = SealedMemory(taking: memory) else {
                    throw WireError()
                }
                let bitmap = try pixels.bitmap()
                guard id == current else { throw WireError() }
                return [.pixels(id, bitmap, isFinal: isFinal)]
            }
            if memory >= 0 { close(memory) }
            return try event(for: reply, now: now)
        } catch {
            return giveUp(.badReply, now: now)
        }
    }

    private func event(for reply: DecodeReply, now: Moment) throws(WireError) -> [DecodeEvent] {
        switch reply {
        case .info(let id, let info):
            guard id == current else { throw WireError() }
            return [.info(id, info)]
        case .progress(let id):
            guard id == current else { throw WireError() }
            return []
        case .finished(let id, let notice):
            guard id == current else { throw WireError() }
            current = nil
            startNext(now: now)
            return [.finished(id, notice: notice)]
        case .failed(let id, let failure):
            guard id == current else { throw WireError() }
            current = nil
            startNext(now: now)
            return [.failed(id, failure)]
        case .pixels: return []
        }
    }
}
