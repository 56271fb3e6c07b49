import EventLoop
import Glibc
import Localization
import Motion
import WaylandClient

/// The connection of a run to its compositor, which another one replaces after the compositor has gone.
final class CompositorLink {
    /// The last connection while there is none.
    private(set) var connection: Connection
    private var isConnected = true
    private let sources: EventSources
    private let source: EventSources.Source
    private let clock: () -> Moment
    /// When the socket was last read; events read later did not arrive before this moment.
    private(set) var lastRead = Moment.zero

    init(_ connection: Connection, _ sources: EventSources, _ clock: @escaping () -> Moment) {
        (self.connection, self.sources, self.clock) = (connection, sources, clock)
        source = sources.add(descriptor: connection.fileDescriptor)
        _ = sources.add(deadline: { [unowned self] in self.connection.deadline }) {
            [unowned self] in self.connection.handleDeadline(now: clock())
        }
    }

    /// Connects to the compositor of the desktop's session; waits for one with `--reconnect`.
    static func open(_ options: Options) throws(RunFailure) -> Connection {
        var pause = ReconnectPause()
        while true {
            do throws(ConnectionError) { return try Connection() } catch {
                guard options.reconnects else { throw RunFailure(error) }
            }
            usleep(UInt32(pause.next() * 1000))
        }
    }

    /// The outputs that the compositor has described; none while there is no compositor.
    var outputs: [Output] { isConnected ? connection.outputs.filter(\.isKnown) : [] }

    func disconnect() {
        isConnected = false
        sources.setDescriptor(-1, of: source)
        sources.setWantsWrite(false, of: source)
    }

    func connect(_ connection: Connection) {
        self.connection = connection
        isConnected = true
        sources.setDescriptor(connection.fileDescriptor, of: source)
    }

    /// Sends requests before the wait for events.
    func prepareAndFlush() throws(ConnectionError) {
        sources.setWantsWrite(try connection.prepareAndFlush(), of: source)
    }

    /// Reads and handles events after the wait.
    func readAndDispatch() throws(ConnectionError) {
        try connection.readAndDispatch(isReadable: sources.isReadable(source))
        lastRead = clock()
    }

    /// Sends the last requests; waits for the compositor if they must arrive.
    func finish(mustArrive: Bool) {
        if mustArrive { connection.deliverLast() } else { connection.flush() }
    }
}

extension RunFailure {
    init(_ error: ConnectionError) {
        switch error {
        case .noCompositor:
            self.init(
                localized(
                    "\(error); start it from a Wayland session, or see --headless in vitrine --help"
                ))
        case .missingGlobal: self.init("\(error)")
        case .protocolError, .gone: self.init("\(error)", code: .compositorGone)
        }
    }
}

/// The pauses between attempts to reach a compositor: each is twice as long as the one before, up to a
/// second, so that a compositor that is back shows pictures within two seconds.
struct ReconnectPause {
    /// In milliseconds.
    private var pause = 125.0
    private static let longest = 1000.0

    /// The next pause, in milliseconds.
    mutating func next() -> Double {
        pause = min(pause * 2, Self.longest)
        return pause
    }
}
