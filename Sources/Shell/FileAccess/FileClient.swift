import CLinux
import Glibc
package import ImageTypes
package import ImageWire
import SystemCalls

/// The viewer's side of the file server: requests files, and calls handlers with the replies.
///
/// For use in a poll loop: poll `socket`, then call `handleReadable`. No method waits for a file.
package final class FileClient {
    /// The socket to the file server; -1 after the server has ended.
    package private(set) var socket: Int32
    private var lastNumber = 0
    private var handlers: [Int: (Result<FileStatus, DecodeFailure>) -> Void] = [:]

    /// Takes over the socket that `FileServer` returned.
    package init(_ socket: Int32) { self.socket = socket }

    deinit {
        if socket >= 0 { close(socket) }
    }

    /// Opens the regular file at `path`, and sends it with `message` over the socket `target`.
    ///
    /// Returns the number of the request. `onEnd` is called in `handleReadable`, unless the request
    /// was forgotten before. Throws if the request cannot be sent.
    package func send(
        _ path: [UInt8], with message: [UInt8], over target: Int32,
        onEnd: @escaping (Result<FileStatus, DecodeFailure>) -> Void
    ) throws(DecodeFailure) -> Int {
        guard path.count <= FileRequest.longestPath else {
            throw .unreadable(reason: SystemError(code: ENAMETOOLONG).pictureMessage)
        }
        lastNumber += 1
        let request = FileRequest(number: lastNumber, path: path, message: message)
        let isSent = request.bytes.withUnsafeBytes {
            clinux_send(socket, $0.baseAddress, $0.count, target) == $0.count
        }
        guard isSent else { throw Self.noServer }
        handlers[lastNumber] = onEnd
        return lastNumber
    }

    /// Drops the handler of a request.
    package func forget(_ number: Int) { handlers[number] = nil }

    /// Receives replies from the readable socket.
    package func handleReadable() {
        while socket >= 0 {
            var bytes = [UInt8](repeating: 0, count: longestMessage)
            var descriptor: Int32 = -1
            do throws(SystemError) {
                let count = try reporting {
                    clinux_receive(socket, &bytes, bytes.count, &descriptor)
                }
                if descriptor >= 0 { close(descriptor) }
                guard count > 0 else { return serverHasEnded() }
                handle(Array(bytes.prefix(count)))
            } catch {
                if error.code != EAGAIN { serverHasEnded() }
                return
            }
        }
    }

    private func handle(_ bytes: [UInt8]) {
        switch try? FileReply(bytes) {
        case .opened(let number, let status)?:
            handlers.removeValue(forKey: number)?(.success(status))
        case .failed(let number, let failure)?:
            handlers.removeValue(forKey: number)?(.failure(failure))
        case nil: break
        }
    }

    private func serverHasEnded() {
        close(socket)
        socket = -1
        let ended = handlers.values
        handlers = [:]
        for handler in ended { handler(.failure(Self.noServer)) }
    }

    private static let noServer = DecodeFailure.unreadable(
        reason: "the process that opens files has ended")
}
