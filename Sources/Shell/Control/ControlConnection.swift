import CLinux
import EventLoop
import Glibc
import Motion
import SystemCalls

/// One connection of the control socket: what was received and not handled yet, and what is to be sent.
///
/// Nothing in here waits, and no buffer grows without limit: while a reply is not sent, or is not known
/// yet, no further request is read.
final class ControlConnection {
    let number: Int
    let source: EventSources.Source
    private let descriptor: Int32
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    /// The newest state for a watcher that has not received an earlier one yet.
    private var nextState: [UInt8]?
    /// Whose states are sent; nil for a peer that does not watch.
    var watch: Watch?
    var isWatching: Bool { watch != nil }
    /// Whether a reply is owed that is not known yet.
    var isAwaiting = false
    /// Whether the peer sends nothing more, or is not listened to any more.
    private(set) var hasEnded = false
    private(set) var isBroken = false
    /// What the connection waits for its peer for, and since when; nil while it waits for nothing.
    private var stall: (kind: Stall, since: Moment)?

    /// The first window, or the window on an output.
    enum Watch: Hashable { case first, output(String) }

    private enum Stall { case request, reply }

    /// How long a peer may take to finish a request, or to receive a reply, in milliseconds.
    private static let patience = 10_000.0

    init(_ number: Int, _ descriptor: Int32, _ source: EventSources.Source, at now: Moment) {
        (self.number, self.descriptor, self.source) = (number, descriptor, source)
        // A connection has to be used for something.
        stall = (.request, now)
    }

    deinit {
        // A child that is being started may still have a copy of the descriptor.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    // MARK: Reading

    /// Whether the next request is to be read.
    var wantsInput: Bool { !hasEnded && !isAwaiting && output.isEmpty && !hasRequest }

    /// Whether a whole request has been received.
    private var hasRequest: Bool { input.contains(UInt8(ascii: "\n")) }

    /// Whether a request can be handled now.
    var canHandle: Bool {
        !isAwaiting && output.isEmpty && !isBroken && (hasRequest || hasEnded && !input.isEmpty)
    }

    var wantsOutput: Bool { !output.isEmpty }

    /// Reads what has arrived, at most up to the longest request.
    func receive() {
        guard wantsInput else {
            // poll(2) reports this without being asked.
            if PacketSocket.isClosed(descriptor) { isBroken = true }
            return
        }
        var buffer = [UInt8](repeating: 0, count: ControlProtocol.longestRequest)
        do throws(SystemError) {
            let count = try reporting { retrying { read(descriptor, &buffer, buffer.count) } }
            if count == 0 { hasEnded = true }
            input += buffer[..<count]
        } catch { if error.code != EAGAIN { isBroken = true } }
    }

    /// The next request, without its line break; nil if there is none, or if it is too long.
    ///
    /// After a request that is too long nothing more is read: where the next one begins is not known.
    func nextRequest() -> [UInt8]? {
        let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.count
        guard end < ControlProtocol.longestRequest else {
            input = []
            hasEnded = true
            return nil
        }
        let line = Array(input[..<end])
        input.removeFirst(min(end + 1, input.count))
        stall = nil
        return line
    }

    /// Whether the beginning of a request is too long already.
    var isTooLong: Bool { !hasRequest && input.count >= ControlProtocol.longestRequest }

    // MARK: Writing

    func send(_ line: String) {
        output += Array(line.utf8)
        flush()
    }

    /// Sends a state, instead of one that waits.
    func sendState(_ line: String) {
        guard output.isEmpty else { return nextState = Array(line.utf8) }
        send(line)
    }

    func flush() {
        while !output.isEmpty {
            do throws(SystemError) {
                let count = try reporting { clinux_send_now(descriptor, output, output.count) }
                output.removeFirst(count)
                if case .reply = stall?.kind { stall = nil }
            } catch {
                if error.code != EAGAIN { isBroken = true }
                return
            }
            if output.isEmpty, let state = nextState {
                output = state
                nextState = nil
            }
        }
    }

    // MARK: The end

    /// Whether nothing can happen any more.
    var isOver: Bool {
        isBroken || hasEnded && input.isEmpty && output.isEmpty && !isAwaiting && !isWatching
    }

    /// Notes what the connection waits for from `now` on.
    func updateStall(at now: Moment) {
        let kind: Stall? =
            if !output.isEmpty { isWatching ? nil : .reply } else if isAwaiting || hasRequest {
                nil
            } else if !input.isEmpty || stall?.kind == .request { .request } else { nil }
        guard kind != stall?.kind else { return }
        stall = kind.map { ($0, now) }
    }

    /// When the peer has taken too long; nil while it need not do anything.
    var deadline: Moment? { stall?.since.advanced(byMilliseconds: Self.patience) }
}
