import CLinux
import Glibc

/// Sockets of packets (SOCK_SEQPACKET) between the viewer and its processes.
package enum PacketSocket {
    /// Two connected sockets; `ours` does not block.
    package static func pair() throws(SystemError) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try reporting { socketpair(AF_UNIX, kind, 0, &ends) }
        clinux_set_nonblocking(ends[0], 1)
        return (ends[0], ends[1])
    }

    /// What a socket has to read.
    package enum Packet {
        /// A message with its descriptor, which the receiver closes, or -1.
        case message([UInt8], descriptor: Int32)
        case nothing
        /// The end of the connection.
        case end
    }

    /// Reads the next packet, of at most `limit` bytes, from a socket that does not block.
    package static func receive(from socket: Int32, limit: Int) -> Packet {
        var buffer = [UInt8](repeating: 0, count: limit)
        var descriptor: Int32 = -1
        do throws(SystemError) {
            let count = try reporting {
                clinux_receive(socket, &buffer, buffer.count, &descriptor)
            }
            guard count == 0 else {
                return .message(Array(buffer.prefix(count)), descriptor: descriptor)
            }
            if descriptor >= 0 { close(descriptor) }
            return .end
        } catch { return error.code == EAGAIN ? .nothing : .end }
    }

    /// Sends a packet, with a descriptor or -1; returns false if it cannot be sent.
    package static func send(
        _ bytes: [UInt8], to socket: Int32, with descriptor: Int32 = -1
    ) -> Bool {
        bytes.withUnsafeBytes {
            clinux_send(socket, $0.baseAddress, $0.count, descriptor) == $0.count
        }
    }

    /// Whether the other side has closed its socket.
    package static func isClosed(_ socket: Int32) -> Bool {
        var state = pollfd(fd: socket, events: 0, revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP) != 0
    }

    /// Ends a connection on which something could not be sent: both sides read what was sent before,
    /// then the end.
    package static func shutDown(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
