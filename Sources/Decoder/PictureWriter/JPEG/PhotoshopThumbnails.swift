import Containers

/// The thumbnails among Photoshop's image resources in a JPEG.
///
/// The segments with resources count as one sequence of bytes, because a resource may go on in the next
/// segment. Source: Adobe Photoshop file formats specification, "Image resource blocks".
struct PhotoshopThumbnails {
    private static let name = Array("Photoshop 3.0\0".utf8)
    private static let (oldThumbnail, thumbnail) = (0x0409, 0x040C)

    /// The resources of all segments.
    private var bytes: [UInt8] = []
    /// Where the resources of each segment begin.
    private var starts: [Int] = []
    /// The thumbnails with their headers, in ascending order.
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
            var later = starts[...]
            while offset < all.count {
                later = later.drop { $0 <= offset }
                let next = later.first ?? all.count
                guard let resource = PhotoshopResources.resource(all, at: offset) else {
                    offset = next
                    continue
                }
                // A length beyond the segment is wrong if the next one begins with a resource.
                let isCut =
                    resource.end > next && PhotoshopResources.hasSignature(all, at: next)
                let whole = offset..<min(isCut ? next : resource.end, all.count)
                if resource.kind == Self.thumbnail || resource.kind == Self.oldThumbnail {
                    thumbnails.append(whole)
                }
                offset = whole.upperBound
            }
        }
    }

    static func isResources(_ segment: JPEGSegments.Segment) -> Bool {
        segment.marker == JPEGSegments.application + 13 && segment.data.starts(with: name)
    }

    /// Resources without thumbnails; other data, and what follows a corrupt resource, stay.
    static func removed(from resources: [UInt8]) -> [UInt8] {
        var rest: [UInt8] = []
        var done = 0
        resources.withUnsafeBytes { all in
            for resource in PhotoshopResources(all) {
                let end = min(resource.end, all.count)
                if resource.kind != thumbnail, resource.kind != oldThumbnail {
                    rest += all[done..<end]
                }
                done = end
            }
            rest += all[done...]
        }
        return rest
    }

    /// What is left of each segment, with its name; nil if nothing is.
    var remaining: [[UInt8]?] {
        var removed = thumbnails[...]
        return starts.indices.map { number in
            var start = starts[number]
            let end = number + 1 < starts.count ? starts[number + 1] : bytes.count
            var rest: [UInt8] = []
            while let thumbnail = removed.first, thumbnail.lowerBound < end {
                rest += bytes[start..<max(start, thumbnail.lowerBound)]
                start = min(thumbnail.upperBound, end)
                // The next segment has the rest of the thumbnail.
                guard thumbnail.upperBound <= end else { break }
                removed = removed.dropFirst()
            }
            rest += bytes[start..<end]
            return rest.isEmpty ? nil : Self.name + rest
        }
    }
}
