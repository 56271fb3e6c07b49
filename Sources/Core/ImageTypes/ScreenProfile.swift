/// The ICC profile of a display, which colours are converted to.
package struct ScreenProfile: Hashable, Sendable {
    package let bytes: [UInt8]

    /// In bytes.
    package static let longest = 16 << 20
    private static let headerLength = 128

    /// Nil for bytes that are not an ICC profile of an RGB device, or are too long.
    ///
    /// Source: ICC.1:2022, section 7.2.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.headerLength, bytes.count <= Self.longest,
            bytes[36..<40].elementsEqual("acsp".utf8), bytes[16..<20].elementsEqual("RGB ".utf8)
        else { return nil }
        self.bytes = bytes
    }
}
