import Folders
import Glibc
import Localization
import SystemCalls

/// A buffered output file for lines of text.
struct OutputFile: ~Copyable {
    private let descriptor: Int32
    private let isOwned: Bool
    private var buffer: [UInt8] = []

    private static let capacity = 1 << 16

    private init(descriptor: Int32, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    init(standardOutput: Void) {
        self.init(descriptor: 1, isOwned: false)
    }

    /// Creates or truncates the file; `-` is standard output.
    init(_ path: FilePath) throws(SystemError) {
        let isFile = path.bytes != [UInt8(ascii: "-")]
        let descriptor = isFile ? try Self.create(path) : 1
        // An error after the first property has its value crashes the compiler of Swift 6.2.
        self.init(descriptor: descriptor, isOwned: isFile)
    }

    /// Like `init(_:)`, with an error for a person.
    static func make(_ path: FilePath) throws(RunFailure) -> OutputFile {
        do throws(SystemError) {
            return try OutputFile(path)
        } catch { throw RunFailure(path, localized("cannot be written: \(error)")) }
    }

    private static func create(_ path: FilePath) throws(SystemError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        return try reporting { path.withCString { open($0, flags, 0o644) } }
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Appends text to the buffer; returns false if a write failed.
    mutating func write(_ text: String) -> Bool { write(bytes: text.utf8) }

    /// Adds bytes; see `write`.
    mutating func write(bytes: some Sequence<UInt8>) -> Bool {
        buffer.append(contentsOf: bytes)
        return buffer.count < Self.capacity || flush()
    }

    mutating func flush() -> Bool {
        guard (try? writeAll(buffer, to: descriptor)) != nil else { return false }
        buffer.removeAll(keepingCapacity: true)
        return true
    }
}
