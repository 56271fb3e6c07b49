import Glibc
package import WaylandProtocol

/// Creates a connected pair of sockets for the server and the client.
package func socketPair() throws(ServerError) -> (server: Int32, client: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .noMemory }
    return (ends[0], ends[1])
}

extension Display {
    /// Runs the client's loop once without waiting: send, read, handle.
    package func pump() throws(DisplayError) {
        try prepareToRead()
        do throws(DisplayError) {
            _ = try flush()
        } catch {
            cancelRead()
            throw error
        }
        var poll = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        try dispatch(reads: Glibc.poll(&poll, 1, 0) > 0)
    }
}
