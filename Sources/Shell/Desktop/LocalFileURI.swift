package import Folders
import Glibc

/// The one reader of URIs, and the writer of those of local files.
///
/// Whoever sends a URI, from the command line to a drop, names a file of this computer or nothing.
package enum LocalFileURI {
    /// Why a URI names no file of this computer.
    package enum Refusal: Error, Hashable {
        /// It names something on another computer, or no file.
        case elsewhere
        /// It is none: an escape is incomplete, or a part is missing.
        case damaged
    }

    /// The absolute path that a URI names; `isOwn` says whether a host is this computer.
    ///
    /// The hosts are an empty one, `localhost`, and the names of this computer (RFC 8089). A fragment is
    /// no part of a path. Descriptors of a process are no files of the computer: another process would
    /// open its own.
    package static func read(
        _ uri: [UInt8], isOwn: (String) -> Bool = isThisComputer
    ) throws(Refusal) -> FilePath {
        let scheme = Array("file:".utf8)
        guard lowercased(uri.prefix(scheme.count)) == scheme else { throw .elsewhere }
        var rest = uri.dropFirst(scheme.count)
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != separator }
            let name = String(decoding: lowercased(host), as: UTF8.self)
            guard name.isEmpty || name == "localhost" || isOwn(name) else { throw .elsewhere }
            rest = rest.dropFirst(host.count)
        }
        guard rest.first == separator, !rest.contains(UInt8(ascii: "#")),
            let bytes = PercentEncoding.decoded(rest), !bytes.contains(0)
        else { throw .damaged }
        let path = FilePath(bytes)
        guard path.descriptor == nil else { throw .elsewhere }
        return path
    }

    /// The path that a URI names; nil for any other text.
    package static func path(of uri: String) -> FilePath? { try? read(Array(uri.utf8)) }

    /// Whether a text is meant as a URI, and not as a relative path.
    package static func isURI(_ text: [UInt8]) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            isLetter(text[0]), text[..<colon].allSatisfy(isPartOfScheme)
        else { return false }
        let isFile = lowercased(text[..<colon]) == Array("file".utf8)
        return text[(colon + 1)...].starts(with: (isFile ? "/" : "//").utf8)
    }

    /// The URI of the file at an absolute path: each byte but those of plain names is escaped.
    package static func uri(of path: FilePath) -> String {
        "file://" + PercentEncoding.encoded(path.bytes)
    }

    /// Whether a host in lower case is this computer: its name, with or without its domain.
    package static func isThisComputer(_ host: String) -> Bool {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return false }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let name = String(decoding: lowercased(bytes), as: UTF8.self)
        return !name.isEmpty && (host == name || host[...] == name.prefix { $0 != "." })
    }

    private static let separator = UInt8(ascii: "/")

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isPartOfScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || "+-.".utf8.contains(byte)
    }

    /// The bytes with the letters of ASCII in lower case.
    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
