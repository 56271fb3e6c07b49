/// A path as the system has it: bytes without a NUL, which need not be valid UTF-8.
struct FilePath: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes.prefix { $0 != 0 }
    }

    init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// For a person; bytes that are no text show as replacement characters.
    var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The last component, as bytes.
    var name: [UInt8] {
        let separator = UInt8(ascii: "/")
        let trimmed = bytes.reversed().drop { $0 == separator }
        return trimmed.prefix { $0 != separator }.reversed()
    }

    func appending(_ name: [UInt8]) -> FilePath {
        let separator = UInt8(ascii: "/")
        return FilePath(bytes + (bytes.last == separator ? [] : [separator]) + name)
    }

    /// Lends the path as C wants it.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes + [0]).withUnsafeBytes { buffer in
            // Never empty: the terminating NUL is in it.
            body(buffer.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
        }
    }
}
