/// The locations of items in an ISO media file; items with more than one extent are ignored.
///
/// Source: ISO/IEC 14496-12, 8.11.3.
package struct ISOItemLocations {
    private struct Extent {
        var isInDataBox: Bool
        var offset: Int
        var length: Int
    }

    private var extentsByItem: [Int: Extent] = [:]

    /// Parses an iloc box for the items in `wanted`; corrupt entries end the parsing.
    package init(_ bytes: UnsafeRawBufferPointer, wanted: Set<Int>) {
        var reader = BigEndianReader(bytes)
        guard let version = reader.number(1), version <= 2, reader.consume(3) != nil,
            let sizes = reader.number(2), let count = reader.number(version < 2 ? 2 : 4)
        else { return }
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ $0 <= 8 }) else { return }
        for _ in 0..<min(count, bytes.count) {
            guard let id = reader.number(version < 2 ? 2 : 4),
                let method = version == 0 ? 0 : reader.number(2), let source = reader.number(2),
                let base = reader.number(baseSize), let extents = reader.number(2)
            else { return }
            let size = indexSize + offsetSize + lengthSize
            guard var list = reader.consume(extents * size).map(BigEndianReader.init) else {
                return
            }
            guard wanted.contains(id), extents == 1, source == 0, method & 15 <= 1,
                list.consume(indexSize) != nil, let offset = list.number(offsetSize),
                let length = list.number(lengthSize)
            else { continue }
            let (start, isTooFar) = base.addingReportingOverflow(offset)
            guard !isTooFar else { continue }
            extentsByItem[id] = Extent(isInDataBox: method & 15 == 1, offset: start, length: length)
        }
    }

    /// The bytes of an item in the file or in the idat box, `data`; nil if they are not available.
    package func bytes(
        of id: Int, file: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer?
    ) -> UnsafeRawBufferPointer? {
        guard let extent = extentsByItem[id] else { return nil }
        return (extent.isInDataBox ? data : file)?.part(at: extent.offset, length: extent.length)
    }
}
