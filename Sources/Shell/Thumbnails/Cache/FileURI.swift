import Glibc

/// The URI of a file in GLib's form, which all programs that share thumbnails have to use.
enum FileURI {
    private static let separator = UInt8(ascii: "/")

    /// The characters of a path that are not escaped, besides letters and digits.
    ///
    /// Source: the result of GLib's `g_filename_to_uri` for each of the 255 bytes.
    private static let plain = Set("!$&'()*+,-./:=@_~".utf8)

    /// The URI of the file at `path`, which may be relative to the working directory.
    ///
    /// Links are not resolved: the same file has a thumbnail for each of its paths.
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

    /// The absolute path without `.`, `..` and double separators; the disk is not accessed.
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
        // Exactly two leading separators may have a special meaning (POSIX 4.13), so GLib keeps
        // them.
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
