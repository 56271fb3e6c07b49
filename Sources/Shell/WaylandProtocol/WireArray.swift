package import CWayland

/// The bytes of an array argument, copied.
package struct WireArray: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// An array of words, as the machine orders their bytes.
    package init(words: [UInt32]) {
        bytes = words.withUnsafeBytes(Array.init)
    }

    /// The array as words; bytes that are too few for a last word are left out.
    package var words: [UInt32] {
        bytes.withUnsafeBytes { buffer in
            (0..<buffer.count / 4).map {
                buffer.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)
            }
        }
    }

    /// Lends the array in libwayland's form, to be copied by it and not to be changed.
    package func withWireArray<Result>(
        _ body: (UnsafeMutablePointer<wl_array>) -> Result
    ) -> Result {
        var copy = bytes
        return copy.withUnsafeMutableBytes { buffer in
            var array = wl_array(size: buffer.count, alloc: 0, data: buffer.baseAddress)
            return withUnsafeMutablePointer(to: &array, body)
        }
    }
}

/// Lends a string for a message.
package func withWireString<Result>(
    _ string: String, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
    string.withCString { body($0) }
}

/// Lends a string for a message, or nothing.
package func withWireString<Result>(
    _ string: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
    guard let string else { return body(nil) }
    return string.withCString { body($0) }
}
