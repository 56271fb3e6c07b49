import Folders
import Glibc
import SystemCalls

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
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        descriptor =
            try isFile ? reporting { path.withCString { open($0, flags, 0o644) } } : 1
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
        guard (try? writeAll(buffer, to: descriptor)) != nil else { return false }
        buffer.removeAll(keepingCapacity: true)
        return true
    }
}
