package import CWayland

/// The bytes of an array argument, copied.
package struct WireArray: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// An array of 32-bit words in native byte order.
    package init(words: [UInt32]) {
        bytes = words.withUnsafeBytes(Array.init)
    }

    /// The array as 32-bit words; an incomplete last word is left out.
    package var words: [UInt32] {
        bytes.withUnsafeBytes { buffer in
            (0..<buffer.count / 4).map {
                buffer.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)
            }
        }
    }

    /// Calls `body` with the array as a libwayland structure, which libwayland copies and must not
    /// change.
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

/// Calls `body` with a C string for a message.
package func withWireString<Result>(
    _ string: String, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
    string.withCString { body($0) }
}

/// Calls `body` with a C string for a message, or with NULL.
package func withWireString<Result>(
    _ string: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
    guard let string else { return body(nil) }
    return string.withCString { body($0) }
}
