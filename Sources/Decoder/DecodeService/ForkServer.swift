import CLinux
import Glibc
import ImageWire
import SystemCalls

/// Starts a decoder process for each file, as a copy of this process, which never receives a file.
///
/// Starting a program anew takes several times as long as a copy: the libraries are linked already,
/// and the sandbox measures of this process are in force in its copies, too. The process has one
/// thread. It ends when the viewer closes the socket.
package struct ForkServer {
    /// The descriptor of the socket to the viewer, in this process; in a copy, of the socket of the
    /// decoder.
    package static let inheritedSocket: Int32 = 3

    private let socket: Int32
    /// The viewer's numbers of the running decoders.
    private var numbers: [pid_t: Int] = [:]

    package init() { socket = Self.inheritedSocket }

    /// Serves requests until the viewer closes the socket, and then returns false.
    ///
    /// Returns true in each copy, which is to become a decoder.
    package mutating func run() -> Bool {
        clinux_name_process()
        clinux_watch_children()
        while true {
            reap()
            guard clinux_wait_for_request(socket) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: longestMessage)
            var descriptor: Int32 = -1
            let count = clinux_receive(socket, &bytes, bytes.count, &descriptor)
            guard count > 0, let request = try? LaunchRequest(Array(bytes.prefix(count))) else {
                for child in numbers.keys { kill(child, SIGKILL) }
                return false
            }
            switch request {
            case .start(let number, let niceness) where descriptor >= 0:
                if start(number, niceness, descriptor) { return true }
            case .start: break
            case .warmUp: DecoderServer.warmUp()
            case .stop(let number):
                if let child = numbers.first(where: { $0.value == number }) {
                    kill(child.key, SIGKILL)
                }
            }
            if descriptor >= 0 { close(descriptor) }
        }
    }

    /// Makes a copy of the process; returns true in the copy, whose socket is `inheritedSocket`.
    private mutating func start(_ number: Int, _ niceness: Int, _ decoderSocket: Int32) -> Bool {
        let child: pid_t
        do throws(SystemError) {
            child = try reporting { clinux_fork_decoder() }
        } catch {
            report(number, .notStarted(code: Int(error.code)))
            return false
        }
        if child == 0 {
            // Closes the socket of the fork server, to which a decoder has no access.
            dup2(decoderSocket, Self.inheritedSocket)
            close(decoderSocket)
            // A failure is ignored: the decoder then only competes more with other processes.
            if niceness > 0 {
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Int32(niceness))
            }
            return true
        }
        numbers[child] = number
        return false
    }

    /// Collects the decoders that have ended, and reports them.
    private mutating func reap() {
        while true {
            var status: Int32 = 0
            var usage = rusage()
            let child = wait4(-1, &status, WNOHANG, &usage)
            guard child > 0 else { return }
            guard let number = numbers.removeValue(forKey: child) else { continue }
            let signal = Int(status & 0x7F)
            let times = [usage.ru_utime, usage.ru_stime]
            let microseconds = times.reduce(0) { $0 + $1.tv_sec * 1_000_000 + Int($1.tv_usec) }
            // Rounded, because the kernel stops a process shortly before the end of its last second.
            let seconds = (microseconds + 500_000) / 1_000_000
            report(number, signal == 0 ? .exited : .signalled(signal, processorSeconds: seconds))
        }
    }

    private func report(_ number: Int, _ ending: DecoderEnding) {
        // A failed send is ignored: the next receive detects a closed socket.
        _ = PacketSocket.send(LaunchReply(number: number, ending: ending).bytes, to: socket)
    }
}
