/// The boxes of an ISO media file or of a container box, up to the first corrupt one.
///
/// Source: ISO/IEC 14496-12, 4.2.
package struct ISOBoxes: Sequence {
    /// A box.
    package struct Box {
        /// The four-character code.
        package var type: String
        /// The bytes after the header of the box.
        package var body: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private let most: Int
    private let endsAnywhere: Bool

    /// Iteration ends after `most` boxes: a file of nothing but headers must not take forever.
    ///
    /// With `endsAnywhere` the last box may be cut short or have an invalid length; its body is
    /// then all remaining bytes.
    package init(_ bytes: UnsafeRawBufferPointer, most: Int = 4096, endsAnywhere: Bool = false) {
        (self.bytes, self.most, self.endsAnywhere) = (bytes, most, endsAnywhere)
    }

    package func makeIterator() -> AnyIterator<Box> {
        var reader = BigEndianReader(bytes)
        var count = 0
        return AnyIterator { [most, endsAnywhere] in
            count += 1
            guard count <= most, var length = reader.number(4), let name = reader.consume(4)
            else { return nil }
            var header = 8
            if length == 1 {
                guard let long = reader.number(8) else { return nil }
                (length, header) = (long, 16)
            }
            // Length 0: the last box extends to the end of the file.
            let size = length == 0 ? reader.rest.count : length - header
            let isWhole = (0...reader.rest.count).contains(size)
            guard isWhole || endsAnywhere,
                let body = reader.consume(isWhole ? size : reader.rest.count)
            else { return nil }
            return Box(type: String(decoding: name, as: UTF8.self), body: body)
        }
    }

    /// The body of the first box of a type, which is a four-character code; nil if there is none.
    package func first(_ type: String) -> UnsafeRawBufferPointer? {
        first { $0.type == type }?.body
    }
}
