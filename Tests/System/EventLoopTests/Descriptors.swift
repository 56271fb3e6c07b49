import Glibc

/// The two ends of a pipe, closed with the object.
final class Pipe {
    let reading: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func write(_ byte: UInt8 = 0) {
        var byte = byte
        _ = Glibc.write(writing, &byte, 1)
    }

    func read() {
        var byte: UInt8 = 0
        _ = Glibc.read(reading, &byte, 1)
    }
}

/// Two connected sockets, closed with the object.
final class SocketPair {
    struct Failure: Error {}

    let first: Int32
    private var second: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw Failure()
        }
        (first, second) = (ends[0], ends[1])
    }

    deinit {
        closeSecond()
        close(first)
    }

    /// Sends a byte from the second to the first.
    func send(isUrgent: Bool) {
        var byte: UInt8 = 0
        _ = Glibc.send(second, &byte, 1, isUrgent ? Int32(MSG_OOB) : 0)
    }

    func closeSecond() {
        if second >= 0 { close(second) }
        second = -1
    }
}
