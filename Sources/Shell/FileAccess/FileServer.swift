import CLinux
import Glibc
import ImageTypes
import ImageWire
import Localization
import Synchronization
package import SystemCalls
import Threads

/// Opens a person's files, no two on one thread at the same time, and hands them to decoders.
///
/// A call may take as long as a folder does not answer: a network share that was lost, a camera that
/// was pulled out. Neither the call nor its process can be ended before. The viewer therefore has the
/// server in a process of its own, and never holds the descriptor of a file, whose close could wait,
/// too.
package struct FileServer: Sendable {
    private let socket: Int32
    /// Serves a socket with requests to change files, and takes the socket over; see `Connection`.
    private let changes: ChangeFunction

    /// What serves requests to change files, which is above this target.
    package typealias ChangeFunction = @Sendable (_ socket: Int32) -> Void

    /// The descriptor of the socket in the process of the server.
    private static let inheritedSocket: Int32 = 3
    /// The most requests of a client that wait for files at the same time; further ones fail.
    fileprivate static let mostThreads = 256
    /// As many of them may have waited long for one folder, so that a folder that does not answer leaves
    /// threads to others.
    fileprivate static let mostThreadsOfFolder = 32
    /// What counts as long, in milliseconds.
    fileprivate static let longWait = 1000

    /// A connection to a server: the socket for `FileClient`, and the process that ends with the
    /// connection; nil if the server is on threads of this process, or has other clients.
    package struct Connection: Sendable {
        let socket: Int32
        let process: pid_t?
        /// For a server that takes the place of this one.
        let changes: ChangeFunction
    }

    /// Starts the server as a copy of this process, which must have only one thread.
    ///
    /// `changes` serves requests to change files, by default none.
    package static func startProcess(
        changes: @escaping ChangeFunction = { close($0) }
    ) throws(SystemError) -> Connection {
        let ends = try PacketSocket.pair()
        let process: pid_t
        do throws(SystemError) {
            process = try reporting { clinux_fork_service(ends.theirs) }
        } catch {
            close(ends.ours)
            close(ends.theirs)
            throw error
        }
        guard process == 0 else {
            close(ends.theirs)
            return Connection(socket: ends.ours, process: process, changes: changes)
        }
        Thread.continueCopy { FileServer(socket: inheritedSocket, changes: changes).run() }
    }

    /// Starts the server on threads of this process.
    package static func startThread(
        changes: @escaping ChangeFunction = { close($0) }
    ) throws(SystemError) -> Connection {
        let ends = try PacketSocket.pair()
        let isRunning = Thread.start {
            FileServer(socket: ends.theirs, changes: changes).run()
            close(ends.theirs)
        }
        guard isRunning else {
            close(ends.ours)
            close(ends.theirs)
            throw SystemError(code: EAGAIN)
        }
        return Connection(socket: ends.ours, process: nil, changes: changes)
    }

    /// Serves requests until the viewer closes the socket.
    private func run() {
        let (replies, threads) = (Replies(socket), ReusedThreads())
        while true {
            var bytes = [UInt8](repeating: 0, count: FileRequest.longest)
            var target: Int32 = -1
            let count = clinux_receive(socket, &bytes, bytes.count, &target)
            guard count > 0 else { break }
            let request = try? FileRequest(Array(bytes.prefix(count)))
            guard let request, target >= 0 || !request.hasSocket else {
                if target >= 0 { close(target) }
                continue
            }
            let other = target
            switch request {
            case .open(let number, let path, _), .status(let number, let path):
                guard replies.begin(number, of: path) else {
                    if target >= 0 { close(target) }
                    continue
                }
                let isRunning = threads.run { Self.serve(request, other, replies) }
                if !isRunning { Self.serve(request, other, replies) }
            case .connect:
                Self.serveSocket(other) { [changes] in
                    FileServer(socket: other, changes: changes).run()
                    close(other)
                }
            case .listFolders: Self.serveSocket(other) { FolderService.run(other) }
            case .changeFiles: Self.serveSocket(other) { [changes] in changes(other) }
            case .distrust(let folder): UntrustedFolders.add(folder)
            }
        }
        replies.close()
    }

    private static let notPassed = DecodeFailure.unreadable(
        reason: localized("the system cannot pass the file to a decoder"))

    /// Runs `body`, which takes over the socket, on a thread; closes the socket if none can be started.
    private static func serveSocket(_ socket: Int32, _ body: @escaping @Sendable () -> Void) {
        if !Thread.start(body) { close(socket) }
    }

    /// Serves a request about a file; closes the socket `decoder`, which is -1 without one.
    private static func serve(_ request: FileRequest, _ decoder: Int32, _ replies: Replies) {
        defer { if decoder >= 0 { close(decoder) } }
        switch request {
        case .open(let number, let path, let message):
            do throws(DecodeFailure) {
                let (descriptor, status) = try PictureFile.open(path)
                // The viewer detects a decoder that has ended, but not one that misses its file.
                let isSent =
                    PacketSocket.send(message, to: decoder, with: descriptor)
                    || PacketSocket.isClosed(decoder)
                replies.end(
                    isSent
                        ? .opened(number: number, status) : .failed(number: number, Self.notPassed))
                // After the reply, because close(2) may wait for the file system, too.
                close(descriptor)
            } catch { replies.end(.failed(number: number, error)) }
        case .status(let number, let path):
            do throws(DecodeFailure) {
                replies.end(.opened(number: number, try PictureFile.status(path)))
            } catch { replies.end(.failed(number: number, error)) }
        case .connect, .listFolders, .changeFiles, .distrust: break
        }
    }
}

extension FileRequest {
    /// Whether the request comes with a socket.
    fileprivate var hasSocket: Bool {
        switch self {
        case .open, .connect, .listFolders, .changeFiles: true
        case .status, .distrust: false
        }
    }
}

extension FileReply {
    fileprivate var number: Int {
        switch self {
        case .opened(let number, _), .failed(let number, _): number
        }
    }
}

/// The socket for the replies of a file server, which threads share.
///
/// `@unchecked Sendable`: mutable state is touched only with `mutex` held.
private final class Replies: @unchecked Sendable {
    private let socket: Int32
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// The folders of the files that are waited for, and since when, by the numbers of the requests.
    private var waiting: [Int: (folder: [UInt8], since: Int)] = [:]
    private var isClosed = false

    init(_ socket: Int32) {
        self.socket = socket
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Begins a request for a file; returns false, and sends its failure, while too many others wait.
    func begin(_ number: Int, of path: [UInt8]) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let folder = Array(path.prefix(path.lastIndex(of: UInt8(ascii: "/")) ?? 0))
        let now = FolderService.now()
        let stuck = waiting.values.count {
            $0.folder == folder && now - $0.since > FileServer.longWait
        }
        guard waiting.count < FileServer.mostThreads, stuck < FileServer.mostThreadsOfFolder else {
            send(.failed(number: number, .stalled))
            return false
        }
        waiting[number] = (folder, now)
        return true
    }

    /// Ends a request, and sends its reply unless the viewer is gone.
    func end(_ reply: FileReply) {
        pthread_mutex_lock(mutex)
        waiting[reply.number] = nil
        if !isClosed { send(reply) }
        pthread_mutex_unlock(mutex)
    }

    /// The viewer continues with another server rather than wait for a reply that is missing.
    private func send(_ reply: FileReply) {
        if !PacketSocket.send(reply.bytes, to: socket) { PacketSocket.shutDown(socket) }
    }

    /// Sends no further replies: the socket is about to be closed.
    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_mutex_unlock(mutex)
    }
}
