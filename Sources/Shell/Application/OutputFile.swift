import Folders
import Glibc

/// A buffered output file for lines of text.
struct OutputFile: ~Copyable {
    private let descriptor: Int32
    private let isOwned: Bool
    private var buffer: [UInt8] = []

    private static let capacity = 1 << 16

    init(standardOutput: Void) {
        descriptor = 1
        isOwned = false
    }

    /// Creates or truncates the file; `-` is standard output.
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

    /// Appends text to the buffer; returns false if a write failed.
    mutating func write(_ text: String) -> Bool {
        buffer.append(contentsOf: text.utf8)
        return buffer.count < Self.capacity || flush()
    }

    mutating func flush() -> Bool {
        var left = buffer[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        buffer.removeAll(keepingCapacity: true)
        return true
    }
}

/// An errno with the system's error text.
struct SystemError: Error, Equatable, CustomStringConvertible {
    var code: Int32
    var description: String { String(cString: strerror(code)) }
}
