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
            let bytes = PercentEncoding.decoded(rest), !bytes.contains(0)
        else { return nil }
        return FilePath(bytes)
    }

    /// The URI of the file at an absolute path: each byte but those of plain names is escaped.
    package static func uri(of path: FilePath) -> String {
        "file://" + PercentEncoding.encoded(path.bytes)
    }
}
