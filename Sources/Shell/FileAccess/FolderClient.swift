import Glibc
package import ImageWire
package import SystemCalls
import Threads

/// Requests to list folders, for a thread of their own: each method waits for the reply, unless the
/// thread is to stop.
package final class FolderClient {
    private let socket: Int32
    /// Readable when the thread is to stop.
    private let stop: Int32
    /// An inotify(7) instance with the watches of the replies, which the owner closes; -1 without one.
    package let watches: Int32
    /// Whether the server answers; every request fails after its end.
    package private(set) var isConnected = true
    /// Whether a folder has answered that had stalled, since the last call of `fetchLateAnswers`.
    private var hasLateAnswers = false
    /// Readable outside of requests when a folder has answered that had stalled; -1 without a server.
    package var descriptor: Int32 { isConnected ? socket : -1 }
    /// The error of a request to a folder that does not answer for now.
    package static let stalled = SystemError(code: ETIMEDOUT)

    /// Starts a server on a thread of this process.
    package static func startThread(stop: Int32) throws(SystemError) -> FolderClient {
        let (ours, theirs) = try PacketSocket.pair()
        let isRunning = Thread.start { FolderService.run(theirs) }
        guard isRunning else {
            close(ours)
            close(theirs)
            throw SystemError(code: EAGAIN)
        }
        return FolderClient(ours, stop: stop)
    }

    /// Takes over the socket that `FileClient.connectFolders` returned; -1 if there is no server.
    package init(_ socket: Int32, stop: Int32) {
        self.socket = socket
        self.stop = stop
        guard case .message(let bytes, let descriptor)? = Self.receive(socket, stop),
            case .ready? = try? FolderReply(bytes)
        else {
            isConnected = false
            watches = -1
            return
        }
        watches = descriptor
    }

    deinit {
        if socket >= 0 { close(socket) }
    }

    // MARK: Requests

    /// What a given path is.
    package func find(_ path: [UInt8]) throws(SystemError) -> FileNode {
        guard case .found(let node) = try ask(.find(path: path)) else { throw end() }
        return node
    }

    /// What a changed name is, without following a link.
    package func inspect(_ path: [UInt8], wantsDetails: Bool) throws(SystemError) -> FileNode {
        guard case .found(let node) = try ask(.inspect(path: path, wantsDetails: wantsDetails))
        else { throw end() }
        return node
    }

    /// How files are found by their paths, in the order of the paths; nil where there is no file.
    package func states(of paths: [[UInt8]]) throws(SystemError) -> [FileState?] {
        var all: [FileState?] = []
        all.reserveCapacity(paths.count)
        while all.count < paths.count {
            // Paths that fit into one request, and whose states fit into one reply.
            var length = 0
            let part = paths[all.count...].prefix(Self.mostStates).prefix { path in
                length += path.count + 8
                return length < FolderRequest.longest - 64
            }
            guard !part.isEmpty else {
                // A path that is too long for the system, too.
                all.append(nil)
                continue
            }
            guard case .states(let states) = try ask(.states(paths: Array(part))),
                states.count == part.count
            else { throw end() }
            all += states
        }
        return all
    }

    private static let mostStates = 512

    /// A folder that was asked for.
    package struct FolderAnswer: Hashable, Sendable {
        package let identity: FileIdentity
        package let watching: FolderWatching
        package let origin: FolderOrigin
    }

    /// Watches a folder.
    package func watch(_ path: [UInt8]) throws(SystemError) -> FolderAnswer {
        try folder(.watch(path: path))
    }

    private func folder(_ request: FolderRequest) throws(SystemError) -> FolderAnswer {
        guard case .folder(let identity, let watching, let origin) = try ask(request) else {
            throw end()
        }
        return FolderAnswer(identity: identity, watching: watching, origin: origin)
    }

    /// Watches each folder and link that a path leads through, and the file at its end; returns the numbers
    /// of the watches, and whether these tell every change.
    package func follow(
        _ path: [UInt8]
    ) throws(SystemError) -> (watches: [Int32], isWhole: Bool) {
        guard case .followed(let watches, let isWhole) = try ask(.follow(path: path)) else {
            throw end()
        }
        return (watches, isWhole)
    }

    /// The contents of a small file, or the names in a folder, each with a NUL after it; and who can
    /// change them.
    ///
    /// Throws EFBIG above `limit` bytes, and ENXIO for what is neither a file nor a folder.
    package func read(
        _ path: [UInt8], limit: Int
    ) throws(SystemError) -> (bytes: [UInt8], trust: FileTrust) {
        var reply = try ask(.read(path: path, limit: limit))
        var all: [UInt8] = []
        while true {
            guard case .contents(let bytes, let trust, let isLast) = reply,
                all.count + bytes.count <= limit
            else { throw end() }
            all += bytes
            if isLast { return (all, trust) }
            reply = try self.reply()
        }
    }

    /// Watches and lists a folder: calls `onFolder` once, then `onItems` for parts of the folder.
    package func list(
        _ path: [UInt8], wantsDetails: Bool, wantsSubfolders: Bool,
        onFolder: (FolderAnswer) -> Void, onItems: ([FolderItem]) -> Void
    ) throws(SystemError) {
        let request = FolderRequest.list(
            path: path, wantsDetails: wantsDetails, wantsSubfolders: wantsSubfolders)
        onFolder(try folder(request))
        while true {
            guard case .items(let items, let isLast) = try reply() else { throw end() }
            onItems(items)
            if isLast { return }
        }
    }

    // MARK: Messages

    private func ask(_ request: FolderRequest) throws(SystemError) -> FolderReply {
        let bytes = request.bytes
        guard bytes.count <= FolderRequest.longest else { throw SystemError(code: ENAMETOOLONG) }
        guard isConnected, PacketSocket.send(bytes, to: socket) else { throw end() }
        return try reply()
    }

    /// Whether a folder has answered since the last call that had stalled before.
    package func fetchLateAnswers() -> Bool {
        while isConnected, waitUntilReady(socket, milliseconds: 0), (try? receive()) != nil {}
        defer { hasLateAnswers = false }
        return hasLateAnswers
    }

    private func reply() throws(SystemError) -> FolderReply {
        while true {
            switch try receive() {
            case .answeredLate: continue
            case .failed(let code): throw SystemError(code: code)
            case .stalled: throw Self.stalled
            case let reply: return reply
            }
        }
    }

    /// The next message; notes a late answer.
    private func receive() throws(SystemError) -> FolderReply {
        guard case .message(let bytes, let descriptor)? = Self.receive(socket, stop) else {
            throw end()
        }
        if descriptor >= 0 { close(descriptor) }
        guard let reply = try? FolderReply(bytes) else { throw end() }
        if reply == .answeredLate { hasLateAnswers = true }
        return reply
    }

    /// Ends the connection after a reply that is missing or wrong.
    private func end() -> SystemError {
        isConnected = false
        return SystemError(code: ECONNRESET)
    }

    /// Waits for a packet; nil without a socket, or if the thread is to stop.
    private static func receive(_ socket: Int32, _ stop: Int32) -> PacketSocket.Packet? {
        while socket >= 0 {
            var polls = [socket, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&polls, nfds_t(polls.count), -1)
            guard polls[1].revents == 0 else { return nil }
            guard polls[0].revents != 0 else { continue }
            switch PacketSocket.receive(from: socket, limit: FolderRequest.longest) {
            case .nothing: continue
            case let packet: return packet
            }
        }
        return nil
    }
}
