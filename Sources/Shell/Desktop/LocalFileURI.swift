package import Folders

/// Reads the URIs of local files.
package enum LocalFileURI {
    /// The absolute path of a `file:` URI; nil for any other URI, and for a file of another machine.
    package static func path(of uri: String) -> FilePath? {
        let scheme = "file:"
        guard uri.utf8.count >= scheme.utf8.count,
            uri.prefix(scheme.count).lowercased() == scheme
        else { return nil }
        var rest = Array(uri.utf8.dropFirst(scheme.utf8.count))
        if rest.starts(with: "//".utf8) {
            rest.removeFirst(2)
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            let name = String(decoding: host, as: UTF8.self).lowercased()
            guard name.isEmpty || name == "localhost" else { return nil }
            rest.removeFirst(host.count)
        }
        // A fragment is no part of a path.
        guard rest.first == UInt8(ascii: "/"), !rest.contains(UInt8(ascii: "#")),
            let bytes = decoded(rest), !bytes.contains(0)
        else { return nil }
        return FilePath(bytes)
    }

    /// The URI of the file at an absolute path: each byte but those of plain names is escaped.
    package static func uri(of path: FilePath) -> String {
        let digits = Array("0123456789ABCDEF")
        return "file://"
            + path.bytes.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "/"):
                    String(UnicodeScalar(byte))
                default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
                }
            }.joined()
    }

    /// Replaces `%41` by `A`; nil where an escape is incomplete.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            else { return nil }
            result.append(high << 4 | low)
            index += 3
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
