import Glibc
import SystemCalls

/// A path of the file system: bytes without a NUL, not necessarily valid UTF-8.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    private static let separator = UInt8(ascii: "/")

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes.contains(0) ? Array(bytes.prefix { $0 != 0 }) : bytes
    }

    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// The path for display; invalid UTF-8 becomes replacement characters.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The last component, as bytes.
    package var name: [UInt8] {
        let trimmed = bytes.reversed().drop { $0 == Self.separator }
        return trimmed.prefix { $0 != Self.separator }.reversed()
    }

    /// The last component for display; the path itself where there is none, as for "/".
    package var displayName: String {
        name.isEmpty ? description : String(decoding: name, as: UTF8.self)
    }

    /// The path up to and including the last separator; empty for a bare name.
    package var parentPrefix: [UInt8] {
        Array(bytes[..<(bytes.lastIndex(of: Self.separator).map { $0 + 1 } ?? 0)])
    }

    /// The folder of an absolute path; nil for "/".
    package var folderAbove: FilePath? {
        let trimmed = bytes.reversed().drop { $0 == Self.separator }
        guard !trimmed.isEmpty else { return nil }
        let folder = trimmed.drop { $0 != Self.separator }.drop { $0 == Self.separator }
        return FilePath(folder.isEmpty ? [Self.separator] : folder.reversed())
    }

    /// The path with a trailing separator, for appending names.
    package var folderPrefix: [UInt8] {
        bytes.last == Self.separator ? bytes : bytes + [Self.separator]
    }

    package func appending(_ name: [UInt8]) -> FilePath { FilePath(folderPrefix + name) }

    /// Where symbolic links lead, also where no file is yet; the path itself if it is no link.
    package var target: FilePath {
        if let resolved = withCString({ realpath($0, nil) }) {
            defer { free(resolved) }
            let bytes = UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))
            return FilePath(bytes.map { UInt8($0) })
        }
        var path = self
        // As many links as Linux follows.
        for _ in 0..<40 {
            guard let link = path.link else { return path }
            path =
                link.first == Self.separator ? FilePath(link) : FilePath(path.parentPrefix + link)
        }
        return self
    }

    /// What a symbolic link says; nil if the path is none.
    private var link: [UInt8]? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = withCString { readlink($0, &text, text.count) }
        return count > 0 ? text[..<count].map { UInt8(bitPattern: $0) } : nil
    }

    /// Calls `body` with the path as a NUL-terminated C string.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        bytes.withPathString(body)
    }
}
