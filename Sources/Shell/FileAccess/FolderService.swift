import Glibc
import ImageWire
import Synchronization
import SystemCalls
import Threads

/// Serves the requests of a `FolderClient` in order, although calls may not return.
///
/// One thread serves at a time. If a call takes longer than the patience, another thread answers that
/// the folder has stalled and serves from then on. The former thread reports when its call returns.
final class FolderService: Sendable {
    private struct State {
        /// The number of the thread that serves.
        var turn = 0
        /// When the serving thread began its request or last sent a part of the reply, in milliseconds;
        /// nil between requests.
        var since: Int?
        /// The path that the serving thread is at.
        var path: [UInt8] = []
        /// Whether the other thread looks at `since` from time to time.
        var isWatched = false
        /// The paths whose calls have not returned.
        var stalled: Set<[UInt8]> = []
        var hasEnded = false
    }

    private let socket: Int32
    private let watches: WatchInstance
    private let state = Mutex(State())
    /// Raised to begin watching the serving thread, and at the end.
    private let wakeup = Wakeup()
    /// After this time without progress, in milliseconds, a folder counts as stalled.
    private static let patience = 250
    /// With so many calls that do not return, requests wait for them.
    private static let mostStalled = 32
    /// How long the watching thread waits then, in milliseconds.
    private static let longPause: Int32 = 1000

    private init(_ socket: Int32, _ watches: WatchInstance) {
        (self.socket, self.watches) = (socket, watches)
    }

    deinit {
        if watches.descriptor >= 0 { close(watches.descriptor) }
        close(socket)
    }

    /// Serves a socket until the client closes its end; takes over the socket.
    static func run(_ socket: Int32, watches: WatchInstance = WatchInstance()) {
        let service = FolderService(socket, watches)
        let ready = FolderReply.ready.bytes
        guard PacketSocket.send(ready, to: socket, with: service.watches.descriptor) else { return }
        guard Thread.start({ service.serve(turn: 0) }) else { return }
        service.watch()
    }

    /// Milliseconds of a clock that nobody sets.
    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    // MARK: Serving

    private func serve(turn: Int) {
        // The path that the thread is at, which may keep the thread longer than its turn.
        var path: [UInt8] = []
        let server = FolderServer(
            watches, send: { [unowned self] in send($0, turn) },
            goesOn: { [unowned self] next in
                guard goesOn(turn, next) else { return false }
                path = next
                return true
            })
        while case .message(let bytes, let descriptor) = PacketSocket.receive(
            from: socket, limit: FolderRequest.longest)
        {
            if descriptor >= 0 { close(descriptor) }
            guard let request = try? FolderRequest(bytes) else { break }
            guard begin(request) else { continue }
            path = request.paths.first ?? []
            answer(request, server, turn)
            guard end(turn) else { return answerLate(path) }
        }
        finish()
    }

    private func answer(_ request: FolderRequest, _ server: FolderServer, _ turn: Int) {
        do throws(SystemError) {
            // Without a connection the next receipt fails.
            _ = try server.serve(request)
        } catch { _ = send(.failed(code: error.code), turn) }
    }

    /// Begins a request; returns false if one of its paths has stalled, which is answered at once.
    private func begin(_ request: FolderRequest) -> Bool {
        let (isStalled, startsWatching) = state.withLock { state in
            guard state.stalled.isDisjoint(with: request.paths) else { return (true, false) }
            state.since = Self.now()
            state.path = request.paths.first ?? []
            defer { state.isWatched = true }
            return (false, !state.isWatched)
        }
        // Without a connection the next receipt fails.
        if isStalled { deliver(.stalled) }
        if startsWatching { wakeup.raise() }
        return !isStalled
    }

    /// Sends a reply; returns false if the reply cannot be sent.
    ///
    /// The connection ends then: the client must not wait for a reply that is missing.
    @discardableResult
    private func deliver(_ reply: FolderReply) -> Bool {
        if PacketSocket.send(reply.bytes, to: socket) { return true }
        PacketSocket.shutDown(socket)
        return false
    }

    /// Delivers a reply of the serving thread; returns false if another thread serves, or if the connection
    /// has ended.
    private func send(_ reply: FolderReply, _ turn: Int) -> Bool {
        state.withLock { state in
            guard state.turn == turn else { return false }
            state.since = Self.now()
            return deliver(reply)
        }
    }

    /// Notes which path the serving thread is at; returns false if another thread serves.
    private func goesOn(_ turn: Int, _ path: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.turn == turn else { return false }
            (state.since, state.path) = (Self.now(), path)
            return true
        }
    }

    /// Ends a request; returns false if another thread serves.
    private func end(_ turn: Int) -> Bool {
        state.withLock { state in
            guard state.turn == turn else { return false }
            state.since = nil
            return true
        }
    }

    /// Ends the service, because the client is gone or sends nonsense.
    private func finish() {
        state.withLock { $0.hasEnded = true }
        wakeup.raise()
    }

    /// Tells the client that a call has returned after the turn of its thread.
    private func answerLate(_ path: [UInt8]) {
        state.withLock { state in
            state.stalled.remove(path)
            deliver(.answeredLate)
        }
    }

    // MARK: Watching

    /// Lets another thread serve whenever a call does not return, until the client is gone.
    private func watch() {
        var pause: Int32 = -1
        while true {
            waitUntilReady(wakeup.descriptor, milliseconds: pause)
            wakeup.lower()
            switch inspect() {
            case .end: return
            case .wait(let milliseconds): pause = milliseconds
            case .replace(let turn):
                deliver(.stalled)
                if !Thread.start({ [self] in serve(turn: turn) }) { return finish() }
                pause = -1
            }
        }
    }

    /// What the watching thread does next.
    private enum Step {
        case end
        /// Waits, in milliseconds; -1 until a request begins.
        case wait(Int32)
        /// Starts a serving thread of this number.
        case replace(turn: Int)
    }

    private func inspect() -> Step {
        state.withLock { state in
            if state.hasEnded { return .end }
            guard let since = state.since else {
                state.isWatched = false
                return .wait(-1)
            }
            let rest = since + Self.patience - Self.now()
            guard rest <= 0 else { return .wait(Int32(rest)) }
            guard state.stalled.count < Self.mostStalled else { return .wait(Self.longPause) }
            state.turn += 1
            state.since = nil
            state.isWatched = false
            state.stalled.insert(state.path)
            return .replace(turn: state.turn)
        }
    }
}

extension FolderRequest {
    /// The paths that calls may wait for.
    fileprivate var paths: [[UInt8]] {
        switch self {
        case .find(let path), .list(let path, _, _), .inspect(let path, _), .read(let path, _),
            .watch(let path), .follow(let path):
            [path]
        case .states(let paths): paths
        }
    }
}
