/// The marker segments of a JPEG file before its first scan, up to the end of a truncated file.
///
/// Source: ITU-T T.81, B.1.1.
package struct JPEGSegments: Sequence {
    /// A marker with its segment.
    package struct Segment {
        /// The second byte of the marker.
        package var marker: UInt8
        /// The data after the length field, cut at the end of the file.
        package var data: UnsafeRawBufferPointer
    }

    /// The marker APP0; the marker APPn is `application + n`.
    package static let application: UInt8 = 0xE0

    private let bytes: UnsafeRawBufferPointer

    /// The segments of a file, which has to outlive this value.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package func makeIterator() -> AnyIterator<Segment> {
        var offset = 2
        return AnyIterator {
            while offset + 4 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] == 0xFF {
                offset += 1
            }
            guard offset + 4 <= bytes.count, bytes[offset] == 0xFF else { return nil }
            let marker = bytes[offset + 1]
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            // SOS or EOI: metadata comes before them.
            guard marker != 0xDA, marker != 0xD9, length >= 2 else { return nil }
            let end = Swift.min(offset + 2 + length, bytes.count)
            let data = UnsafeRawBufferPointer(
                rebasing: bytes[(offset + 4)..<Swift.max(end, offset + 4)])
            offset += 2 + length
            return Segment(marker: marker, data: data)
        }
    }

    /// The offset after the end marker of the picture, with all its scans; nil without an end marker.
    ///
    /// Sources: ITU-T T.81, B.1.1.2 to B.1.1.5.
    package var end: Int? {
        var offset = 2
        while let start = bytes[Swift.min(offset, bytes.count)...].firstIndex(of: 0xFF) {
            // Fill bytes may precede the marker.
            guard let code = bytes[start...].firstIndex(where: { $0 != 0xFF }) else { return nil }
            offset = code + 1
            switch bytes[code] {
            case 0xD9: return offset
            // A byte of entropy-coded data, and markers without a segment: TEM, RSTn, SOI.
            case 0x00, 0x01, 0xD0...0xD8: continue
            default:
                guard let length = bytes.part(at: offset, length: 2) else { return nil }
                offset += Swift.max(Int(length[0]) << 8 | Int(length[1]), 2)
            }
        }
        return nil
    }

    /// The data after `name` in the first segment with `marker` whose data begins with `name`.
    package func first(_ marker: UInt8, named name: String) -> UnsafeRawBufferPointer? {
        for segment in self where segment.marker == marker && segment.data.starts(with: name.utf8) {
            return UnsafeRawBufferPointer(rebasing: segment.data.dropFirst(name.utf8.count))
        }
        return nil
    }
}
