import Folders
import Glibc

/// A file that lines are written to, buffered.
struct OutputFile: ~Copyable {
    private let descriptor: Int32
    private let isOwned: Bool
    private var buffer: [UInt8] = []

    private static let capacity = 1 << 16

    init(standardOutput: Void) {
        descriptor = 1
        isOwned = false
    }

    /// Creates or empties the file; `-` is standard output.
    init(_ path: FilePath) throws(SystemError) {
        let isFile = path.bytes != [UInt8(ascii: "-")]
        let opened =
            isFile
            ? path.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) } : 1
        guard opened >= 0 else { throw SystemError(code: errno) }
        descriptor = opened
        isOwned = isFile
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// False when the file takes no more.
    mutating func write(_ text: String) -> Bool {
        buffer.append(contentsOf: text.utf8)
        return buffer.count < Self.capacity || flush()
    }

    mutating func flush() -> Bool {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        buffer.removeAll(keepingCapacity: true)
        return true
    }
}

/// An errno with the system's words for it.
struct SystemError: Error, Equatable, CustomStringConvertible {
    var code: Int32
    var description: String { String(cString: strerror(code)) }
}
