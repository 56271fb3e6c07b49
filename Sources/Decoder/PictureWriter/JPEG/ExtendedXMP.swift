import Containers
import Geometry

/// The extended XMP data of a JPEG: those that are too long for the segment with the XMP data.
///
/// Each segment has a GUID, which the XMP data name, the length of all data, and the offset of its own
/// part. The GUID is made from the data; it stays when the data change, because readers only look for
/// the GUID that the XMP data name.
/// Source: XMP part 3, 1.1.3.1.
struct ExtendedXMP {
    private static let name = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    private static let guidLength = 32
    private static let headerLength = name.count + guidLength + 4 + 4

    private struct Part {
        var offset: Int
        var data: UnsafeRawBufferPointer
    }

    private struct Packet {
        var guid: [UInt8]
        var length: Int
        var parts: [Part] = []

        /// The data of all parts; nil if the parts have gaps or overlap.
        var data: [UInt8]? {
            var data: [UInt8] = []
            for part in parts.sorted(by: { $0.offset < $1.offset }) {
                guard part.offset == data.count else { return nil }
                data += part.data
            }
            return data.count == length ? data : nil
        }
    }

    /// In the order of their first segments.
    private var packets: [Packet] = []

    /// Finds the segments of a file; those without a whole header are ignored.
    init(_ file: UnsafeRawBufferPointer) {
        var numbers: [[UInt8]: Int] = [:]
        for segment in JPEGSegments(file) where Self.isPart(segment) {
            var reader = BigEndianReader(segment.data.dropping(Self.name.count))
            guard let guid = reader.consume(Self.guidLength).map(Array.init),
                let length = reader.number(4), let offset = reader.number(4)
            else { continue }
            let number = numbers[guid] ?? packets.count
            if number == packets.count {
                numbers[guid] = number
                packets.append(Packet(guid: guid, length: length))
            }
            packets[number].parts.append(Part(offset: offset, data: reader.rest))
        }
    }

    static func isPart(_ segment: JPEGSegments.Segment) -> Bool {
        segment.marker == JPEGSegments.application + 1 && segment.data.starts(with: name)
    }

    /// What the properties that `repixeled` leaves out are about.
    var subjects: Set<XMPStaleProperty.Subject> {
        packets.reduce(into: []) { subjects, packet in
            packet.data?.withUnsafeBytes { subjects.formUnion(XMPEditing.subjects($0)) }
        }
    }

    /// The GUIDs of the data that `repixeled` has.
    var keptGUIDs: Set<[UInt8]> { Set(packets.filter { $0.data != nil }.map(\.guid)) }

    /// Whether XMP data name one of some GUIDs as that of their extension.
    static func names(_ guids: Set<[UInt8]>, in xmp: UnsafeRawBufferPointer) -> Bool {
        guard !guids.isEmpty else { return false }
        return XMPStaleProperty.all(in: xmp).contains { property in
            property.subject == .continuation && property.range.count >= guidLength
                && (property.range.lowerBound...(property.range.upperBound - guidLength)).contains {
                    guids.contains(Array(xmp[$0..<($0 + guidLength)]))
                }
        }
    }

    /// Whether a part is missing, so that readers ignore the rest.
    var isIncomplete: Bool { packets.contains { $0.data == nil } }

    /// The data of the segments for a picture with other pixels: without what describes the old ones,
    /// and without incomplete data, which could have a part of that.
    func repixeled(_ orientation: Orientation) -> [[UInt8]] {
        packets.flatMap { packet -> [[UInt8]] in
            guard let data = packet.data else { return [] }
            let new = data.withUnsafeBytes { XMPEditing.repixeled($0, orientation) }
            let step = JPEGTagWriter.longestData - Self.headerLength
            return stride(from: 0, to: new.count, by: step).map { offset in
                Self.name + packet.guid + bigEndian(new.count, 4) + bigEndian(offset, 4)
                    + new[offset..<min(offset + step, new.count)]
            }
        }
    }
}
