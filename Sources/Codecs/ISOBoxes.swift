/// The boxes of an ISO media file, or of a box that holds others, as far as they go.
///
/// Source: ISO/IEC 14496-12, 4.2.
struct ISOBoxes: Sequence {
    struct Box {
        /// Four letters.
        var type: String
        var body: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// A walk ends after so many: a file of nothing but headers must not take for ever.
    private static let most = 1 << 15

    func makeIterator() -> AnyIterator<Box> {
        var reader = BigEndianReader(bytes)
        var count = 0
        return AnyIterator {
            count += 1
            guard count <= Self.most, var length = reader.number(4), let name = reader.take(4)
            else { return nil }
            var header = 8
            if length == 1 {
                guard let long = reader.number(8) else { return nil }
                (length, header) = (long, 16)
            }
            // The last box may go to the end of the file.
            let size = length == 0 ? reader.rest.count : length - header
            guard let body = reader.take(size) else { return nil }
            return Box(type: String(decoding: name, as: UTF8.self), body: body)
        }
    }

    func first(_ type: String) -> UnsafeRawBufferPointer? { first { $0.type == type }?.body }
}
