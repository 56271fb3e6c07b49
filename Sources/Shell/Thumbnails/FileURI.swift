import Glibc

/// The URI of a file as GLib writes it, on which all programs that share thumbnails have to agree.
enum FileURI {
    private static let separator = UInt8(ascii: "/")

    /// What stands for itself in a path, beside letters and digits.
    ///
    /// Source: what GLib's `g_filename_to_uri` does with each of the 255 bytes.
    private static let plain = Set("!$&'()*+,-./:=@_~".utf8)

    /// The URI of the file at `path`, which may be relative to the working directory.
    ///
    /// Links stay as they are: the same file has a thumbnail for each of its paths.
    static func uri(of path: [UInt8]) -> [UInt8] {
        var uri = Array("file://".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in canonical(path) {
            if isPlain(byte) {
                uri.append(byte)
            } else {
                uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return uri
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: plain.contains(byte)
        }
    }

    /// The absolute path without `.`, `..` and doubled separators, by its letters alone.
    static func canonical(_ path: [UInt8]) -> [UInt8] {
        let absolute =
            path.first == separator ? path : workingDirectory() + [separator] + path
        var components: [ArraySlice<UInt8>] = []
        for component in absolute.split(separator: separator) {
            if component.elementsEqual(".".utf8) { continue }
            if component.elementsEqual("..".utf8) {
                _ = components.popLast()
            } else {
                components.append(component)
            }
        }
        // Exactly two at the start may mean something else to a system (POSIX 4.13), so that GLib
        // keeps them.
        let isDouble = absolute.prefix { $0 == separator }.count == 2
        return (isDouble ? [separator] : []) + [separator]
            + Array(components.joined(separator: [separator]))
    }

    private static func workingDirectory() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let isKnown = buffer.withUnsafeMutableBytes { bytes in
            getcwd(bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count) != nil
        }
        return isKnown ? Array(buffer.prefix { $0 != 0 }) : []
    }
}
