import CLinux
import Glibc
import JSON
import Localization
import SystemCalls

/// `vitrine msg`: sends one message to a running viewer, and prints the reply.
package struct MessageClient: ~Copyable {
    private let descriptor: Int32
    private var received: [UInt8]

    /// Why there is no reply, as a message for people.
    package struct Failure: Error, Hashable {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// How long a viewer may take to accept a connection, in milliseconds.
    private static let connectTime = 5000
    /// How long to wait before the next attempt, in milliseconds.
    private static let pollTime = 20

    /// Connects to the socket at a path.
    package init(path: [UInt8]) throws(Failure) {
        descriptor = try Self.connect(path)
        received = []
    }

    private static func connect(_ path: [UInt8]) throws(Failure) -> Int32 {
        for _ in 0..<connectTime / pollTime {
            let connection: Int32
            do throws(SystemError) {
                connection = try reporting { path.withPathString { clinux_connect($0) } }
            } catch {
                guard error.code == EAGAIN else { throw Failure(reason: reason(error, path)) }
                // Too many connections wait, which soon passes.
                poll(nil, 0, Int32(pollTime))
                continue
            }
            if clinux_peer_user(connection) == Int64(geteuid()) { return connection }
            close(connection)
            throw Failure(reason: localized("\(text(path)): the socket belongs to another user"))
        }
        throw Failure(reason: reason(SystemError(code: EAGAIN), path))
    }

    deinit { close(descriptor) }

    private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

    private static func reason(_ error: SystemError, _ path: [UInt8]) -> String {
        let text = text(path)
        return switch error.code {
        case ENOENT, ECONNREFUSED: localized("no viewer listens at \(text)")
        case EAGAIN: localized("the viewer at \(text) does not answer")
        case ENAMETOOLONG: "\(text): \(ControlSocket.tooLong)"
        default: "\(text): \(error.pathMessage)"
        }
    }

    /// Sends a request, within `seconds`.
    package borrowing func send(_ request: String, seconds: Int = 30) throws(Failure) {
        var bytes = Array(request.utf8)
        while !bytes.isEmpty {
            let count: Int
            do throws(SystemError) {
                count = try reporting { clinux_send_now(descriptor, bytes, bytes.count) }
            } catch {
                // A viewer that refuses a request may have closed before it read all of it; its reply
                // says why.
                guard error.code == EAGAIN else { return }
                guard isReady(POLLOUT, seconds) else {
                    throw Failure(reason: localized("the viewer does not answer"))
                }
                continue
            }
            bytes.removeFirst(count)
        }
    }

    private borrowing func isReady(_ events: Int32, _ seconds: Int?) -> Bool {
        waitUntilReady(
            descriptor, for: events, milliseconds: seconds.map { Int32($0 * 1000) } ?? -1)
    }

    /// Receives a line, with its line break; nil at the end of the connection.
    ///
    /// Without `seconds` it waits
    /// for as long as it takes.
    package mutating func receive(seconds: Int?) throws(Failure) -> [UInt8]? {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[...end])
                received.removeFirst(end + 1)
                return line
            }
            searched = received.count
            guard isReady(POLLIN, seconds) else {
                throw Failure(reason: localized("the viewer does not answer"))
            }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            do throws(SystemError) {
                let count = try reporting { retrying { read(descriptor, &buffer, buffer.count) } }
                if count == 0 { return nil }
                received += buffer[..<count]
            } catch { if error.code != EAGAIN { return nil } }
        }
    }

    /// Whether a reply is an error.
    package static func isError(_ line: [UInt8]) -> Bool {
        (try? JSONReader.read(line))?["error"] != nil
    }
}
