import CLinux
import Glibc

/// Descriptors that were sent and wait in sockets, as those of a program that does not read.
final class DescriptorsInSockets: Sendable {
    private let pairs: [(Int32, Int32)]
    /// So many fit into the buffer of a socket.
    private static let part = 100

    /// `count` is a multiple of 100.
    init(count: Int) {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(null) }
        pairs = (0..<count / Self.part).map { _ in
            let pair = Self.socketPair()
            for _ in 0..<Self.part {
                precondition(clinux_send(pair.0, [1], 1, null) == 1, "no descriptor was sent")
            }
            return pair
        }
    }

    private static func socketPair() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0, "no socket for the test")
        return (ends[0], ends[1])
    }

    func receiveAll() {
        for (_, socket) in pairs {
            for _ in 0..<Self.part {
                var byte: UInt8 = 0
                var descriptor: Int32 = -1
                precondition(clinux_receive(socket, &byte, 1, &descriptor) == 1)
                close(descriptor)
            }
        }
    }

    deinit {
        for (one, other) in pairs {
            close(one)
            close(other)
        }
    }
}
