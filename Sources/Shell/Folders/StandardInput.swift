import CLinux
import Glibc

/// Reads a picture from standard input.
enum StandardInput {
    struct Failure: Error {
        var reason: String
    }

    /// Maximum size of the picture, in bytes.
    private static let limit = 1 << 30

    /// Copies standard input into a memory file (memfd), and returns its descriptor.
    static func read() throws(Failure) -> Int32 {
        guard isatty(0) == 0 else { throw Failure(reason: "is a terminal; pipe a picture into it") }
        let memory = clinux_memfd_create("vitrine-input")
        guard memory >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        do throws(Failure) {
            let length = try copy(to: memory)
            guard length > 0 else { throw Failure(reason: "is empty") }
        } catch {
            close(memory)
            throw error
        }
        lseek(memory, 0, SEEK_SET)
        return memory
    }

    private static func copy(to memory: Int32) throws(Failure) -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var length = 0
        while true {
            let count = Glibc.read(0, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure(reason: "cannot be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return length }
            length += count
            guard length <= limit else { throw Failure(reason: "is larger than 1 GiB") }
            guard Glibc.write(memory, buffer, count) == count else {
                throw Failure(reason: "does not fit into memory")
            }
        }
    }
}
