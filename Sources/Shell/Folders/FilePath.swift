/// A path as the system has it: bytes without a NUL, which need not be valid UTF-8.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    private static let separator = UInt8(ascii: "/")

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes.contains(0) ? Array(bytes.prefix { $0 != 0 }) : bytes
    }

    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// For a person; bytes that are no text show as replacement characters.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The last component, as bytes.
    package var name: [UInt8] {
        let trimmed = bytes.reversed().drop { $0 == Self.separator }
        return trimmed.prefix { $0 != Self.separator }.reversed()
    }

    /// Everything up to the last separator and with it: what a name is appended to; empty for a
    /// bare name.
    package var parentPrefix: [UInt8] {
        Array(bytes[..<(bytes.lastIndex(of: Self.separator).map { $0 + 1 } ?? 0)])
    }

    /// The path with a separator behind it, as a folder's names need it.
    package var folderPrefix: [UInt8] {
        bytes.last == Self.separator ? bytes : bytes + [Self.separator]
    }

    package func appending(_ name: [UInt8]) -> FilePath { FilePath(folderPrefix + name) }

    /// Lends the path as C wants it.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes + [0]).withUnsafeBytes { buffer in
            // Never empty: the terminating NUL is in it.
            body(buffer.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
        }
    }
}
