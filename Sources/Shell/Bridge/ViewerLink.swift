import CLinux
import Control
import EventLoop
import Glibc
import JSON
import SystemCalls

/// A connection to the control socket of the viewer, which never waits.
final class ViewerLink {
    private let descriptor: Int32
    private let sources: EventSources
    private var source: EventSources.Source?
    private var input: [UInt8] = []
    /// How many bytes of the input are known to have no line break.
    private var searched = 0
    private var output: [UInt8] = []
    private let onLine: (ViewerLine) -> Void
    private let onEnd: (String) -> Void
    /// How many requests have no reply yet, without that of `watch`.
    private var owed = 0

    /// The longest line, in bytes.
    private static let longestLine = JSONReader.longest
    /// How many requests may be without a reply.
    private static let mostOwed = 16

    /// `onEnd` is called once when the viewer has gone, or sends what is no reply.
    init(
        path: [UInt8], _ sources: EventSources, onLine: @escaping (ViewerLine) -> Void,
        onEnd: @escaping (String) -> Void
    ) throws(BridgeFailure) {
        (self.sources, self.onLine, self.onEnd) = (sources, onLine, onEnd)
        let name = String(decoding: path, as: UTF8.self)
        do throws(SystemError) {
            descriptor = try reporting { path.withPathString { clinux_connect($0) } }
        } catch {
            throw BridgeFailure(
                error.code == ENOENT || error.code == ECONNREFUSED
                    ? "no viewer listens at \(name)" : "\(name): \(error.pathMessage)")
        }
        source = sources.add(descriptor: descriptor) { [unowned self] in serve() }
        guard clinux_peer_user(descriptor) == Int64(geteuid()) else {
            throw BridgeFailure("\(name): the socket belongs to another user")
        }
    }

    deinit {
        if let source { sources.remove(source) }
        Glibc.close(descriptor)
    }

    /// The socket by the option, or that of the only viewer of the user that runs.
    static func find(_ path: [UInt8]?) throws(BridgeFailure) -> [UInt8] {
        if let path { return path }
        do throws(UsualSockets.Failure) {
            return try UsualSockets().only()
        } catch { throw BridgeFailure(text(of: error)) }
    }

    private static func text(of failure: UsualSockets.Failure) -> String {
        switch failure {
        case .unset: "XDG_RUNTIME_DIR is not set; name the socket with --socket FILE"
        case .unreadable(let folder, let error):
            "\(String(decoding: folder, as: UTF8.self)): \(error.pathMessage)"
        case .tooLong(let folder):
            "no viewer is found in \(String(decoding: folder, as: UTF8.self)), as the path of a "
                + "socket has at most \(UsualSockets.longestPath) bytes; name a shorter one with "
                + "--socket FILE, here and for the viewer"
        case .none: "no viewer runs"
        case .several: "several viewers run; choose one with --socket FILE"
        }
    }

    // MARK: Requests

    /// Sends a request; returns false if too many have no reply yet.
    @discardableResult
    func send(_ command: String, _ arguments: [String] = []) -> Bool {
        guard owed < Self.mostOwed else { return false }
        if command != "watch" { owed += 1 }
        output += Array(ControlProtocol.request(command, arguments).utf8)
        flush()
        return true
    }

    private func flush() {
        while !output.isEmpty {
            do throws(SystemError) {
                let count = try reporting { clinux_send_now(descriptor, output, output.count) }
                output.removeFirst(count)
            } catch {
                // The end of the connection is noticed by reading.
                if error.code != EAGAIN { output = [] }
                break
            }
        }
        if let source { sources.setWants(read: true, write: !output.isEmpty, of: source) }
    }

    // MARK: Lines

    private func serve() {
        flush()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        do throws(SystemError) {
            let count = try reporting { retrying { read(descriptor, &buffer, buffer.count) } }
            guard count > 0 else { return end("the viewer has ended") }
            input += buffer[..<count]
        } catch {
            if error.code != EAGAIN { end("the viewer has ended: \(error)") }
            return
        }
        while let end = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(input[..<end])
            input.removeFirst(end + 1)
            searched = 0
            guard let value = ViewerLine(line) else { return self.end("no reply of a viewer") }
            if case .state = value {} else if owed > 0 { owed -= 1 }
            onLine(value)
            // The handler may have closed the connection.
            guard source != nil else { return }
        }
        searched = input.count
        if searched > Self.longestLine { end("a reply of the viewer is too long") }
    }

    /// No handler is called any more.
    func stop() {
        if let source { sources.remove(source) }
        source = nil
    }

    private func end(_ reason: String) {
        stop()
        onEnd(reason)
    }
}
