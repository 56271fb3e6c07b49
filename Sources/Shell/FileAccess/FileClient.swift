import Glibc
package import ImageTypes
package import ImageWire
import SystemCalls
import Threads

/// The viewer's side of the file server: requests files, and calls handlers with the replies.
///
/// For use in a poll loop: poll `socket`, then call `handleReadable`. No method waits for a file. If the
/// process of the server ends, a server on threads of this process takes its place: a process with
/// threads cannot be copied.
package final class FileClient {
    private var server: FileServer.Connection?
    /// The socket to the file server; -1 if there is none.
    package var socket: Int32 { server?.socket ?? -1 }
    /// Called when `socket` has changed.
    package var onNewSocket: (Int32) -> Void = { _ in }
    private var lastNumber = 0
    /// What another server has to know, too.
    private var distrusted: [[UInt8]] = []
    private var handlers: [Int: (Result<FileStatus, DecodeFailure>) -> Void] = [:]

    /// Takes over a server, which ends with the client.
    package init(_ server: FileServer.Connection) { self.server = server }

    deinit { drop() }

    private func drop() {
        guard let server else { return }
        close(server.socket)
        if let process = server.process {
            kill(process, SIGKILL)
            Thread.collect(process)
        }
        self.server = nil
    }

    /// Opens the regular file at `path`, and sends it with `message` over the socket `target`.
    ///
    /// Returns the number of the request. `onEnd` is called in `handleReadable`, unless the request
    /// was forgotten before. Throws if the request cannot be sent.
    package func send(
        _ path: [UInt8], with message: [UInt8], over target: Int32,
        onEnd: @escaping (Result<FileStatus, DecodeFailure>) -> Void
    ) throws(DecodeFailure) -> Int {
        try request(path, with: target, onEnd) { number in
            .open(number: number, path: path, message: message)
        }
    }

    /// Asks for the status of the regular file at `path`, as `send` does.
    package func status(
        of path: [UInt8], onEnd: @escaping (Result<FileStatus, DecodeFailure>) -> Void
    ) throws(DecodeFailure) -> Int {
        try request(path, with: -1, onEnd) { number in .status(number: number, path: path) }
    }

    private func request(
        _ path: [UInt8], with descriptor: Int32,
        _ onEnd: @escaping (Result<FileStatus, DecodeFailure>) -> Void,
        _ request: (_ number: Int) -> FileRequest
    ) throws(DecodeFailure) -> Int {
        guard path.count <= FileRequest.longestPath else {
            throw .unreadable(reason: SystemError(code: ENAMETOOLONG).pictureMessage)
        }
        lastNumber += 1
        guard send(request(lastNumber), with: descriptor) else { throw .killed }
        handlers[lastNumber] = onEnd
        return lastNumber
    }

    /// Sends a request, to another server if the present one has ended.
    private func send(_ request: FileRequest, with descriptor: Int32) -> Bool {
        if PacketSocket.send(request.bytes, to: socket, with: descriptor) { return true }
        replaceServer()
        return PacketSocket.send(request.bytes, to: socket, with: descriptor)
    }

    /// Never follows a symbolic link below a folder from now on; the path has no trailing separator.
    package func distrust(_ folder: [UInt8]) {
        guard folder.count <= FileRequest.longestPath, !distrusted.contains(folder) else { return }
        distrusted = distrusted.suffix(63) + [folder]
        _ = send(.distrust(folder: folder), with: -1)
    }

    /// A connection for another client of the server; nil if there is none.
    package func connect() -> FileServer.Connection? {
        guard let server else { return nil }
        return connect(.connect).map {
            FileServer.Connection(socket: $0, process: nil, changes: server.changes)
        }
    }

    /// The socket for a `FolderClient`; -1 without a server.
    package func connectFolders() -> Int32 { connect(.listFolders) ?? -1 }

    /// The socket for a `ChangeClient`; -1 without a server.
    package func connectChanges() -> Int32 { connect(.changeFiles) ?? -1 }

    private func connect(_ request: FileRequest) -> Int32? {
        guard let (ours, theirs) = try? PacketSocket.pair() else { return nil }
        defer { close(theirs) }
        guard send(request, with: theirs) else {
            close(ours)
            return nil
        }
        return ours
    }

    /// Drops the handler of a request.
    package func forget(_ number: Int) { handlers[number] = nil }

    /// Receives replies from the readable socket.
    package func handleReadable() {
        while socket >= 0 {
            switch PacketSocket.receive(from: socket, limit: longestMessage) {
            case .nothing: return
            case .message(let bytes, let descriptor):
                if descriptor >= 0 { close(descriptor) }
                handle(bytes)
            case .end: return replaceServer()
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

    /// Continues with a server on threads; the open requests fail as those of a killed decoder, so that
    /// they are made again.
    private func replaceServer() {
        let changes = server?.changes
        drop()
        server = try? changes.map { try FileServer.startThread(changes: $0) }
        for folder in distrusted {
            _ = PacketSocket.send(FileRequest.distrust(folder: folder).bytes, to: socket)
        }
        onNewSocket(socket)
        let ended = handlers.values
        handlers = [:]
        for handler in ended { handler(.failure(.killed)) }
    }
}
