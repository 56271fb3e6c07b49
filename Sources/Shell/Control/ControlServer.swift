import CLinux
package import EventLoop
import Glibc
package import Motion
import SystemCalls

/// Receives the messages of all connections of the control socket, and sends the replies.
///
/// Its descriptors are sources of the loop that owns the viewer, and no call waits. Messages are handled
/// in turns of a few milliseconds, one of each connection after another, so that a flood of them delays
/// neither frames nor input.
package final class ControlServer {
    /// A connection, as the owner knows it.
    package struct Peer: Hashable, Sendable { fileprivate let number: Int }

    private let socket: ControlSocket
    private let sources: EventSources
    private let now: () -> Moment
    private let onMessage: (Message, Peer) -> Reply?
    private let onLeave: (Peer) -> Void
    private var connections: [Int: ControlConnection] = [:]
    /// The numbers of the connections with requests to handle, the longest waiting first.
    private var queue: [Int] = []
    private var lastNumber = 0
    private var listening: EventSources.Source?
    private var registered: [EventSources.Source] = []
    /// When to accept connections again, after the process had no descriptor left.
    private var pause: Moment?

    /// How many connections there may be at once.
    package static let mostConnections = 32
    /// How long messages are handled in one turn of the loop, in milliseconds; the last one may take
    /// longer.
    private static let turn = 2.0
    /// How many messages are handled in one turn of the loop.
    private static let mostMessages = 64
    /// How many connections are accepted in one turn of the loop.
    private static let mostAccepted = 16
    /// How long no connection is accepted after the process had no descriptor left, in milliseconds.
    private static let pauseTime = 1000.0

    /// `onMessage` returns the reply, or nil if the reply follows later by `reply`; `onLeave` is called
    /// when a connection ends whose reply is still owed.
    package init(
        _ socket: consuming ControlSocket, _ sources: EventSources, now: @escaping () -> Moment,
        onLeave: @escaping (Peer) -> Void, onMessage: @escaping (Message, Peer) -> Reply?
    ) {
        let descriptor = socket.descriptor
        self.socket = socket
        (self.sources, self.now) = (sources, now)
        (self.onMessage, self.onLeave) = (onMessage, onLeave)
        listening = sources.add(quietDescriptor: descriptor) { [unowned self] in accept() }
        registered = [
            sources.add(quietDeadline: { [unowned self] in queue.isEmpty ? nil : .zero }) {
                [unowned self] in handleRequests()
            },
            sources.add(quietDeadline: { [unowned self] in deadline }) { [unowned self] in
                endStalled()
            },
        ]
    }

    deinit {
        for source in registered + [listening].compactMap(\.self) { sources.remove(source) }
        for connection in connections.values { sources.remove(connection.source) }
    }

    // MARK: Connections

    private func accept() {
        for _ in 0..<Self.mostAccepted {
            let descriptor: Int32
            do throws(SystemError) {
                descriptor = try reporting { clinux_accept(socket.descriptor) }
            } catch {
                // Without a pause the loop would not sleep: the connection waits on.
                if error.code != EAGAIN { setPause(now().advanced(byMilliseconds: Self.pauseTime)) }
                return
            }
            add(descriptor)
        }
    }

    private func add(_ descriptor: Int32) {
        guard clinux_peer_user(descriptor) == Int64(geteuid()) else {
            close(descriptor)
            return
        }
        guard connections.count < Self.mostConnections else {
            let text = Reply.error("too many connections").text
            clinux_send_now(descriptor, text, text.utf8.count)
            close(descriptor)
            return
        }
        lastNumber += 1
        let number = lastNumber
        let source = sources.add(quietDescriptor: descriptor) { [unowned self] in
            serve(number)
        }
        connections[number] = ControlConnection(number, descriptor, source, at: now())
    }

    private func setPause(_ moment: Moment?) {
        pause = moment
        if let listening { sources.setWants(read: moment == nil, write: false, of: listening) }
    }

    /// Sends and receives what the connection can.
    private func serve(_ number: Int) {
        guard let connection = connections[number] else { return }
        connection.flush()
        connection.receive()
        update(connection)
    }

    /// Puts the connection in the queue, ends it, and sets what it waits for.
    private func update(_ connection: ControlConnection) {
        if connection.isTooLong {
            _ = connection.nextRequest()
            let most = ControlProtocol.longestRequest >> 10
            connection.send(Reply.error("a request has at most \(most) KiB").text)
        }
        if connection.isOver { return end(connection) }
        if connection.canHandle, !queue.contains(connection.number) {
            queue.append(connection.number)
        }
        connection.updateStall(at: now())
        sources.setWants(
            read: connection.wantsInput, write: connection.wantsOutput, of: connection.source)
    }

    private func end(_ connection: ControlConnection) {
        sources.remove(connection.source)
        queue.removeAll { $0 == connection.number }
        connections[connection.number] = nil
        if connection.isAwaiting { onLeave(Peer(number: connection.number)) }
    }

    private var deadline: Moment? {
        (connections.values.map(\.deadline) + [pause]).compactMap(\.self).min()
    }

    private func endStalled() {
        let now = now()
        if let pause, pause <= now { setPause(nil) }
        for connection in Array(connections.values)
        where connection.deadline.map({ $0 <= now }) ?? false {
            end(connection)
        }
    }

    // MARK: Messages

    private func handleRequests() {
        let end = now().advanced(byMilliseconds: Self.turn)
        for _ in 0..<Self.mostMessages {
            guard let number = queue.first else { return }
            queue.removeFirst()
            guard let connection = connections[number] else { continue }
            if connection.canHandle { handle(connection) }
            if connections[number] != nil { update(connection) }
            guard now() < end else { return }
        }
    }

    private func handle(_ connection: ControlConnection) {
        guard let line = connection.nextRequest() else {
            let most = ControlProtocol.longestRequest >> 10
            return connection.send(Reply.error("a request has at most \(most) KiB").text)
        }
        // An empty line is no request, so that a person may press Return.
        guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return }
        do throws(MessageError) {
            let message = try ControlProtocol.message(line)
            // Before the owner answers, which may happen at once.
            connection.isAwaiting = true
            guard let reply = onMessage(message, Peer(number: connection.number)) else { return }
            connection.isAwaiting = false
            if let watch = message.watch, case .line = reply { connection.watch = watch }
            connection.send(reply.text)
        } catch { connection.send(Reply.error(error.reason).text) }
    }

    /// Sends the reply that `onMessage` did not return; without effect if the peer has gone.
    package func reply(_ reply: Reply, to peer: Peer) {
        guard let connection = connections[peer.number], connection.isAwaiting else { return }
        connection.isAwaiting = false
        connection.send(reply.text)
        update(connection)
    }

    // MARK: Watchers

    package var hasWatchers: Bool { connections.values.contains(where: \.isWatching) }

    /// Sends the state of a window to its watchers; one that is slow gets the newest state when it reads
    /// again.
    ///
    /// The window is on `output`. Peers that named no output watch the first window.
    package func publish(_ line: String, of output: String? = nil, isFirst: Bool = true) {
        for connection in Array(connections.values) {
            switch connection.watch {
            case .first where isFirst: break
            case .output(let name) where name == output: break
            case .first, .output, nil: continue
            }
            connection.sendState(line)
            update(connection)
        }
    }
}

extension Message {
    /// What a peer watches from this message on; nil if the message is another one.
    fileprivate var watch: ControlConnection.Watch? {
        switch self {
        case .watch: .first
        case .addressed(let output, .watch): .output(output)
        default: nil
        }
    }
}
