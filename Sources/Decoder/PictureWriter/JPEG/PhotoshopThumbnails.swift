import Containers

/// The thumbnails among Photoshop's image resources in a JPEG.
///
/// The segments with resources count as one sequence of bytes, because a resource may go on in the next
/// segment. Source: Adobe Photoshop file formats specification, "Image resource blocks".
struct PhotoshopThumbnails {
    static let name = Array("Photoshop 3.0\0".utf8)
    private static let signatures = ["8BIM", "PHUT", "AgHg", "DCSR", "MeSa"].map { Array($0.utf8) }
    private static let (oldThumbnail, thumbnail) = (0x0409, 0x040C)

    /// The resources of all segments.
    private var bytes: [UInt8] = []
    /// Where the resources of each segment begin.
    private var starts: [Int] = []
    private var thumbnails: [Range<Int>] = []

    var isEmpty: Bool { thumbnails.isEmpty }

    /// Finds the thumbnails of a file.
    init(_ file: UnsafeRawBufferPointer) {
        for segment in JPEGSegments(file) where Self.isResources(segment) {
            starts.append(bytes.count)
            bytes += segment.data.dropping(Self.name.count)
        }
        bytes.withUnsafeBytes { all in
            var offset = 0
            while offset < all.count {
                let next = starts.first { $0 > offset } ?? all.count
                guard let (kind, end) = Self.resource(all, at: offset) else {
                    offset = next
                    continue
                }
                // A length beyond the segment is wrong if the next one begins with a resource.
                let isCut = end > next && next < all.count && Self.hasSignature(all, at: next)
                let whole = offset..<min(isCut ? next : end, all.count)
                if kind == Self.thumbnail || kind == Self.oldThumbnail { thumbnails.append(whole) }
                offset = whole.upperBound
            }
        }
    }

    static func isResources(_ segment: JPEGSegments.Segment) -> Bool {
        segment.marker == JPEGSegments.application + 13 && segment.data.starts(with: name)
    }

    /// What is left of the segment with a number, with its name; nil if nothing is.
    func remaining(ofSegment number: Int) -> [UInt8]? {
        guard starts.indices.contains(number) else { return nil }
        let end = number + 1 < starts.count ? starts[number + 1] : bytes.count
        var rest: [UInt8] = []
        var start = starts[number]
        for thumbnail in thumbnails where thumbnail.upperBound > start {
            rest += bytes[start..<max(start, min(thumbnail.lowerBound, end))]
            start = min(thumbnail.upperBound, end)
        }
        rest += bytes[start..<end]
        return rest.isEmpty ? nil : Self.name + rest
    }

    private static func hasSignature(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        signatures.contains { bytes[offset...].starts(with: $0) }
    }

    /// The kind of the resource at a place, and the place after it.
    private static func resource(
        _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) -> (kind: Int, end: Int)? {
        guard hasSignature(bytes, at: offset) else { return nil }
        var reader = BigEndianReader(bytes.dropping(offset + 4))
        guard let kind = reader.number(2), let nameLength = reader.number(1),
            // The name with its length is padded to an even count.
            reader.consume(nameLength + (nameLength + 1) % 2) != nil,
            let length = reader.number(4)
        else { return nil }
        return (kind, bytes.count - reader.rest.count + length + length % 2)
    }
}
