import CMosquitto
import Glibc
import SystemCalls

/// How the bridge reaches the broker.
struct BrokerSettings: Sendable {
    var host: String
    var port: Int
    var usesTLS: Bool
    var authorities: String?
    var credentials: BridgeCredentials?
    var topics: BridgeTopics
}

/// One connection to the broker, on the thread of the broker.
final class BrokerClient {
    /// Why a connection failed or ended.
    struct Failure: Error {
        let reason: String
        /// Whether the broker may speak an older version of the protocol only.
        var mayBeOld = false
    }

    private let settings: BrokerSettings
    private let speaksVersion5: Bool
    private let onCommand: (String, [UInt8]) -> Void
    private var client: OpaquePointer?
    /// The answer of the broker to the request for a connection; nil before it has come.
    private var answer: Int32?
    private(set) var isConnected = false

    /// The longest packet that a broker may send, in bytes.
    private static let longestPacket: UInt32 = 16 << 10
    /// In seconds.
    private static let keepAlive: Int32 = 20
    /// How long the thread sleeps at most, in milliseconds: the library keeps the connection alive.
    private static let longestSleep: Int32 = 5000

    /// Connects, which may take minutes.
    init(
        _ settings: BrokerSettings, speaksVersion5: Bool,
        onCommand: @escaping (String, [UInt8]) -> Void
    ) throws(Failure) {
        (self.settings, self.speaksVersion5) = (settings, speaksVersion5)
        self.onCommand = onCommand
        let events = cmosquitto_events(
            context: Unmanaged.passUnretained(self).toOpaque(),
            answered: { context, code in BrokerClient.at(context).answer = code },
            received: { context, topic, payload, length, isRetained in
                guard let topic else { return }
                // A command that the broker kept was meant for another time.
                guard isRetained == 0 else { return }
                BrokerClient.at(context).receive(String(cString: topic), payload, length)
            })
        client = cmosquitto_make(
            "vitrine-" + settings.topics.identifier, speaksVersion5 ? 1 : 0, events)
        guard let client else { throw Failure(reason: "out of memory") }
        let topic = settings.topics.availability
        try check(cmosquitto_set_will(client, topic, "offline"))
        if let credentials = settings.credentials {
            try check(
                cmosquitto_set_credentials(client, credentials.user, credentials.password))
        }
        if settings.usesTLS { try check(cmosquitto_set_tls(client, settings.authorities)) }
        try check(
            cmosquitto_connect(
                client, settings.host, Int32(settings.port), Self.keepAlive, Self.longestPacket))
    }

    deinit { if let client { cmosquitto_free(client) } }

    private static func at(_ context: UnsafeMutableRawPointer?) -> BrokerClient {
        guard let context else { preconditionFailure("events are registered with a context") }
        return Unmanaged<BrokerClient>.fromOpaque(context).takeUnretainedValue()
    }

    private func check(_ code: Int32) throws(Failure) {
        guard code != 0 else { return }
        // Before another call of the system.
        let text = cmosquitto_text(code).map { String(cString: $0) } ?? "error \(code)"
        try checkAnswer()
        throw Failure(
            reason: text.hasSuffix(".") ? String(text.dropLast()) : text,
            mayBeOld: answer == nil && wasSent)
    }

    /// Throws if the broker has refused the connection.
    private func checkAnswer() throws(Failure) {
        guard let client, let answer, answer != 0 else { return }
        let text = cmosquitto_refusal(client, answer).map { String(cString: $0) } ?? "\(answer)"
        throw Failure(
            reason: "the broker refuses the connection: \(text)",
            mayBeOld: cmosquitto_refuses_version(client, answer) != 0)
    }

    /// Whether the request for a connection was sent.
    private var wasSent = false

    private func receive(_ topic: String, _ payload: UnsafePointer<UInt8>?, _ length: Int) {
        guard let part = settings.topics.part(ofCommand: topic) else { return }
        // One byte more than allowed is refused like any longer payload.
        let count = min(length, BrokerCommand.longest + 1)
        onCommand(
            part, Array(UnsafeBufferPointer(start: payload, count: payload == nil ? 0 : count)))
    }

    // MARK: The loop

    /// Waits for the broker and for `wakeup`, and does what the connection needs; returns whether the
    /// broker has just accepted the connection.
    func turn(wakeup: Int32) throws(Failure) -> Bool {
        guard let client else { return false }
        wasSent = true
        let canWrite = cmosquitto_wants_write(client) != 0
        let socket = cmosquitto_socket(client)
        guard socket >= 0 else { throw Failure(reason: "the connection is lost") }
        var polls = [
            pollfd(
                fd: socket, events: Int16(POLLIN | (canWrite ? POLLOUT : 0)), revents: 0),
            pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
        ]
        _ = retrying { poll(&polls, 2, Self.longestSleep) }
        if polls[0].revents & ~Int16(POLLOUT) != 0 { try check(cmosquitto_read(client)) }
        if polls[0].revents & Int16(POLLOUT) != 0 { try check(cmosquitto_write(client)) }
        try check(cmosquitto_keep(client))
        try checkAnswer()
        guard answer != nil, !isConnected else { return false }
        try check(cmosquitto_subscribe(client, settings.topics.command("+")))
        isConnected = true
        return true
    }

    /// Whether everything that was published is on its way.
    var isFlushed: Bool { client.map { cmosquitto_wants_write($0) == 0 } ?? true }

    func publish(_ publication: Publication) throws(Failure) {
        guard let client else { return }
        let bytes = Array(publication.payload.utf8)
        try check(cmosquitto_publish(client, publication.topic, bytes, bytes.count, 1))
    }

    func leave() {
        if let client { _ = cmosquitto_disconnect(client) }
    }
}
