import Glibc

/// The complete lines of a file that a program writes, in the order in which they appear.
final class GrowingLines {
    private let path: String
    private var descriptor: Int32 = -1
    /// The bytes of the last, incomplete line.
    private var incomplete: [UInt8] = []

    init(_ path: String) {
        self.path = path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The lines that were completed since the last call.
    func next() -> [Substring] {
        if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            incomplete += buffer[..<count]
        }
        guard let end = incomplete.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let text = String(decoding: incomplete[..<end], as: UTF8.self)
        incomplete.removeSubrange(...end)
        return text.split(separator: "\n")
    }
}
