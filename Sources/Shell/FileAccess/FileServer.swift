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

    /// A running server: the socket for `FileClient`, and the process to collect after its end; nil if
    /// the server is on threads of this process.
    package struct Running {
        let socket: Int32
        let process: pid_t?
    }

    /// Starts the server as a copy of this process, which must have only one thread.
    package static func startProcess() throws(SystemError) -> Running {
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
            return Running(socket: ends.ours, process: process)
        }
        Thread.continueCopy { FileServer(socket: inheritedSocket).run() }
    }

    /// Starts the server on threads of this process.
    package static func startThread() throws(SystemError) -> Running {
        let ends = try PacketSocket.pair()
        let isRunning = Thread.start {
            FileServer(socket: ends.theirs).run()
            close(ends.theirs)
        }
        guard isRunning else {
            close(ends.ours)
            close(ends.theirs)
            throw SystemError(code: EAGAIN)
        }
        return Running(socket: ends.ours, process: nil)
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
            _ = PacketSocket.send(request.message, to: decoder, with: descriptor)
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
        if !isClosed { _ = PacketSocket.send(reply.bytes, to: socket) }
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
