import Glibc

/// Reads and writes whole files.
enum File {
    /// The bytes of a file; nil if the file cannot be read, and `errno` is set.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor: descriptor)
    }

    /// Reads up to the end of the file or pipe; nil on an error, and `errno` is set.
    static func read(descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    static func write(_ text: String, to path: String) throws(GeneratorError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("open", path) }
        defer { close(descriptor) }
        var remaining = Array(text.utf8)[...]
        while !remaining.isEmpty {
            let count = remaining.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            remaining = remaining.dropFirst(count)
        }
    }

    /// The error of the last failed call, from `errno`.
    static func failure(_ verb: String, _ path: String) -> GeneratorError {
        GeneratorError("\(path): cannot \(verb): \(String(cString: strerror(errno)))")
    }
}
