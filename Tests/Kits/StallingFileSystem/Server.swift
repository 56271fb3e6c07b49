import CFUSE
import CLinux
import Glibc
import SystemCalls
import Synchronization
import Threads

/// The thread that reads requests from /dev/fuse and answers those that no rule holds.
final class Server: Sendable {
    private let descriptor: Int32
    private let mirror: Mutex<FolderMirror>
    private let rules: RuleBook
    private let wakeup = Wakeup()
    private let end = Wakeup()
    private let isStopped = Atomic(false)

    /// A request without an answer so far.
    private struct Waiting {
        let request: Request
        let subject: Subject
        let arrival: Double
    }

    init(_ descriptor: Int32, _ mirror: sending FolderMirror, _ rules: RuleBook) {
        self.descriptor = descriptor
        // A request may be taken back between poll(2) and read(2).
        clinux_set_nonblocking(descriptor, 1)
        self.mirror = Mutex(mirror)
        self.rules = rules
    }

    /// Applies changed rules to the operations that wait.
    func wake() { wakeup.raise() }

    /// Ends the thread and the connection: no operation waits after that.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wakeup.raise()
        waitUntilReady(end.descriptor)
    }

    /// Runs until `stop`, or until the kernel ends the connection.
    func run() {
        var waiting: [Waiting] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        var polls = [descriptor, wakeup.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            let timeout = answerReady(of: &waiting)
            retrying { Glibc.poll(&polls, 2, timeout) }
            if polls[1].revents != 0 { wakeup.lower() }
            if isStopped.load(ordering: .relaxed) { break }
            guard polls[0].revents != 0, polls[0].fd >= 0 else { continue }
            let count = retrying { read(descriptor, &buffer, buffer.count) }
            // The kernel has ended the connection.
            if count < 0, polls[0].revents & Int16(POLLERR) != 0 { polls[0].fd = -1 }
            guard count > 0, let request = Request(buffer[..<count]) else { continue }
            receive(request, &waiting)
        }
        close(descriptor)
        end.raise()
    }

    private func receive(_ request: Request, _ waiting: inout [Waiting]) {
        guard let subject = mirror.withLock({ $0.subject(of: request) }) else {
            answer(request, mirror.withLock { $0.reply(to: request) })
            return
        }
        rules.received(subject)
        waiting.append(Waiting(request: request, subject: subject, arrival: Self.now))
    }

    /// Answers the requests that no rule holds; returns the timeout of poll(2) until the next is due.
    private func answerReady(of waiting: inout [Waiting]) -> Int32 {
        var timeout: Int32 = -1
        waiting.removeAll { each in
            let reply: Reply
            switch rules.effect(on: each.subject) {
            case .stalls: return false
            case .fails(let code): reply = .failure(code)
            case .delays(let milliseconds):
                let left = each.arrival + Double(milliseconds) - Self.now
                guard left <= 0 else {
                    let needed = Int32(left.rounded(.up))
                    timeout = timeout < 0 ? needed : min(timeout, needed)
                    return false
                }
                reply = mirror.withLock { $0.reply(to: each.request) }
            case nil: reply = mirror.withLock { $0.reply(to: each.request) }
            }
            rules.answered(each.subject)
            answer(each.request, reply)
            return true
        }
        return timeout
    }

    private func answer(_ request: Request, _ reply: Reply) {
        guard let bytes = reply.bytes(for: request) else { return }
        // A failure means that nobody waits any more.
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
