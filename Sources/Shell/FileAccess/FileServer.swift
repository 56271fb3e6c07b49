import CLinux
import Glibc
import ImageTypes
import ImageWire
import Synchronization
package import SystemCalls
import Threads

/// Opens a person's files, each on a thread of its own, and hands them to decoders.
///
/// A call may take as long as a folder does not answer: a network share that was lost, a camera that
/// was pulled out. Neither the call nor its process can be ended before. The viewer therefore has the
/// server in a process of its own, and never holds the descriptor of a file, whose close could wait,
/// too.
package struct FileServer: Sendable {
    private let socket: Int32

    /// The descriptor of the socket in the process of the server.
    private static let inheritedSocket: Int32 = 3
    /// The most requests that wait for files at the same time; further ones wait for one of them.
    private static let mostThreads = 256

    /// Starts the server as a copy of this process, which must have only one thread; returns the
    /// socket for `FileClient`.
    package static func startProcess() throws(SystemError) -> Int32 {
        let ends = try socketPair()
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
            return ends.ours
        }
        // A thread of its own: Swift's locks know a thread by its number, which each thread looks up
        // once, and the first thread of a copy still has the number from the viewer.
        let isRunning = Thread.start {
            FileServer(socket: inheritedSocket).run()
            _exit(0)
        }
        if !isRunning { _exit(1) }
        while true { poll(nil, 0, -1) }
    }

    /// Starts the server on threads of this process; returns the socket for `FileClient`.
    package static func startThread() throws(SystemError) -> Int32 {
        let ends = try socketPair()
        let isRunning = Thread.start {
            FileServer(socket: ends.theirs).run()
            close(ends.theirs)
        }
        guard isRunning else {
            close(ends.ours)
            close(ends.theirs)
            throw SystemError(code: EAGAIN)
        }
        return ends.ours
    }

    private static func socketPair() throws(SystemError) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try reporting { socketpair(AF_UNIX, kind, 0, &ends) }
        clinux_set_nonblocking(ends[0], 1)
        return (ends[0], ends[1])
    }

    /// Serves requests until the viewer closes the socket, and all files were sent.
    private func run() {
        let replies = Replies(socket)
        while true {
            var bytes = [UInt8](repeating: 0, count: FileRequest.longest)
            var target: Int32 = -1
            let count = clinux_receive(socket, &bytes, bytes.count, &target)
            guard count > 0 else { break }
            guard let request = try? FileRequest(Array(bytes.prefix(count))), target >= 0 else {
                if target >= 0 { close(target) }
                continue
            }
            let decoder = target
            replies.begin(most: Self.mostThreads)
            let isRunning = Thread.start { Self.serve(request, decoder, replies) }
            if !isRunning { Self.serve(request, decoder, replies) }
        }
        replies.close()
    }

    /// Opens the file and sends it over the socket `decoder`, which is closed.
    private static func serve(_ request: FileRequest, _ decoder: Int32, _ replies: Replies) {
        defer { close(decoder) }
        do throws(DecodeFailure) {
            let (descriptor, status) = try PictureFile.open(request.path)
            // A failed send is ignored: the viewer detects a decoder that has ended.
            _ = request.message.withUnsafeBytes {
                clinux_send(decoder, $0.baseAddress, $0.count, descriptor)
            }
            replies.end(.opened(number: request.number, status))
            // After the reply, because close(2) may wait for the file system, too.
            close(descriptor)
        } catch { replies.end(.failed(number: request.number, error)) }
    }
}

/// The socket for the replies of a file server, which threads share.
///
/// `@unchecked Sendable`: mutable state is touched only with `mutex` held.
private final class Replies: @unchecked Sendable {
    private let socket: Int32
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let ended = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count = 0
    private var isClosed = false

    init(_ socket: Int32) {
        self.socket = socket
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(ended, nil)
    }

    deinit {
        pthread_cond_destroy(ended)
        pthread_mutex_destroy(mutex)
        ended.deallocate()
        mutex.deallocate()
    }

    /// Begins a request, after one of `most` others has ended.
    func begin(most: Int) {
        pthread_mutex_lock(mutex)
        while count >= most { pthread_cond_wait(ended, mutex) }
        count += 1
        pthread_mutex_unlock(mutex)
    }

    /// Ends a request, and sends its reply unless the viewer is gone.
    func end(_ reply: FileReply) {
        pthread_mutex_lock(mutex)
        count -= 1
        if !isClosed {
            _ = reply.bytes.withUnsafeBytes { clinux_send(socket, $0.baseAddress, $0.count, -1) }
        }
        pthread_cond_signal(ended)
        pthread_mutex_unlock(mutex)
    }

    /// Sends no further replies: the socket is about to be closed.
    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_mutex_unlock(mutex)
    }
}
