import ImageWire
import JSON

/// A change of files that was made, with all that reversing it needs.
///
/// Each change is reversed by another one: see `FileChanger.reverse`.
enum FileChange: Hashable, Sendable {
    /// A file is there that was not.
    case appeared(path: [UInt8])
    case trashed(path: [UInt8], TrashedFile)
    case moved(from: [UInt8], to: [UInt8])
    /// The file has other contents; the ones before are in the trash.
    case replaced(path: [UInt8], original: TrashedFile)
    /// A small file was written; nil for a file that was not there, or is not there any more.
    case wrote(path: [UInt8], before: [UInt8]?, after: [UInt8]?)

    /// Where the file is after the change; empty if it is gone.
    var path: [UInt8] {
        switch self {
        case .appeared(let path), .replaced(let path, _), .moved(_, let path): path
        case .wrote(let path, _, let after): after == nil ? [] : path
        case .trashed: []
        }
    }

    /// A move in the other direction; the same change for others.
    var opposite: FileChange {
        if case .moved(let from, let to) = self { .moved(from: to, to: from) } else { self }
    }

    /// The path that names the change for a person.
    var subject: [UInt8] {
        switch self {
        case .appeared(let path), .trashed(let path, _), .moved(_, let path),
            .replaced(let path, _), .wrote(let path, _, _):
            path
        }
    }
}

// MARK: The journal's form

extension FileChange {
    /// The object of JSON that stands for the change in the journal.
    var json: String {
        var line = JSONLine()
        switch self {
        case .appeared(let path):
            line.add("kind", "appeared")
            line.add("path", EscapedBytes.text(of: path))
        case .trashed(let path, let file):
            line.add("kind", "trashed")
            line.add("path", EscapedBytes.text(of: path))
            Self.add(file, to: &line)
        case .moved(let from, let to):
            line.add("kind", "moved")
            line.add("from", EscapedBytes.text(of: from))
            line.add("to", EscapedBytes.text(of: to))
        case .replaced(let path, let original):
            line.add("kind", "replaced")
            line.add("path", EscapedBytes.text(of: path))
            Self.add(original, to: &line)
        case .wrote(let path, let before, let after):
            line.add("kind", "wrote")
            line.add("path", EscapedBytes.text(of: path))
            line.add("before", before.map { EscapedBytes.text(of: $0) })
            line.add("after", after.map { EscapedBytes.text(of: $0) })
        }
        return String(line.close().dropLast())
    }

    private static func add(_ file: TrashedFile, to line: inout JSONLine) {
        line.add("file", EscapedBytes.text(of: file.file))
        line.add("information", EscapedBytes.text(of: file.information))
        line.add("device", String(file.identity.device))
        line.add("inode", String(file.identity.inode))
    }

    /// Nil for an object that is no change.
    init?(_ value: JSONValue) {
        func bytes(_ name: String) -> [UInt8]? { EscapedBytes.bytes(of: value[name]?.string) }
        func trashedFile() -> TrashedFile? {
            guard let file = bytes("file"), let information = bytes("information"),
                let device = value["device"]?.string.flatMap({ UInt64($0) }),
                let inode = value["inode"]?.string.flatMap({ UInt64($0) })
            else { return nil }
            return TrashedFile(
                file: file, information: information,
                identity: FileIdentity(device: device, inode: inode))
        }
        switch value["kind"]?.string {
        case "appeared":
            guard let path = bytes("path") else { return nil }
            self = .appeared(path: path)
        case "trashed":
            guard let path = bytes("path"), let file = trashedFile() else { return nil }
            self = .trashed(path: path, file)
        case "moved":
            guard let from = bytes("from"), let to = bytes("to") else { return nil }
            self = .moved(from: from, to: to)
        case "replaced":
            guard let path = bytes("path"), let file = trashedFile() else { return nil }
            self = .replaced(path: path, original: file)
        case "wrote":
            guard let path = bytes("path") else { return nil }
            self = .wrote(path: path, before: bytes("before"), after: bytes("after"))
        default: return nil
        }
    }
}

/// Bytes, such as those of a path, as text: printable ASCII stays, and `%` and two hexadecimal digits
/// stand for each other byte.
enum EscapedBytes {
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for nil, and for a text of another form.
    static func bytes(of text: String?) -> [UInt8]? {
        guard let text else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap({ digits.firstIndex(of: $0) }),
                let low = rest.popFirst().flatMap({ digits.firstIndex(of: $0) })
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
