/// Photoshop's image resources, up to the first incomplete one.
///
/// Source: Adobe Photoshop file formats specification, "Image resource blocks".
package struct PhotoshopResources: Sequence {
    /// A resource and its place.
    package struct Resource {
        package var kind: Int
        /// The range of the data, which may end behind the bytes.
        package var data: Range<Int>
        /// The offset of the next resource: data are padded to an even length.
        package var end: Int { data.upperBound + data.count % 2 }
    }

    private static let signatures = ["8BIM", "PHUT", "AgHg", "DCSR", "MeSa"].map { Array($0.utf8) }

    private let bytes: UnsafeRawBufferPointer

    /// The resources of bytes that outlive this value.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package func makeIterator() -> AnyIterator<Resource> {
        var offset = 0
        return AnyIterator {
            guard let resource = Self.resource(bytes, at: offset),
                resource.data.upperBound <= bytes.count
            else { return nil }
            offset = resource.end
            return resource
        }
    }

    /// The resource at an offset; nil if no resource begins there.
    package static func resource(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Resource? {
        guard hasSignature(bytes, at: offset) else { return nil }
        var reader = BigEndianReader(bytes.dropping(offset + 4))
        guard let kind = reader.number(2), let nameLength = reader.number(1),
            // The name with its length is padded to an even count.
            reader.consume(nameLength + (nameLength + 1) % 2) != nil,
            let length = reader.number(4)
        else { return nil }
        let start = bytes.count - reader.rest.count
        return Resource(kind: kind, data: start..<(start + length))
    }

    /// Whether the bytes at an offset begin as a resource.
    package static func hasSignature(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard let start = bytes.part(at: offset, length: 4) else { return false }
        return signatures.contains { start.elementsEqual($0) }
    }
}
