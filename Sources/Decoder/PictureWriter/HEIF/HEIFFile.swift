import Containers
import Geometry
import ImageTypes
import Localization

/// The boxes of a HEIF file that an orientation concerns, and their places in the file.
///
/// Source: ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3.
struct HEIFFile {
    /// The item that is shown.
    let primary: Int
    /// The thumbnails and auxiliary pictures of the primary item.
    let companions: [Int]
    let properties: HEIFItemProperties
    /// The range of the iprp box.
    let propertiesRange: Range<Int>
    private let bytes: UnsafeRawBufferPointer
    private let meta: BoxRange
    private let locations: BoxRange

    /// Finds the boxes; refuses files whose boxes cannot be moved.
    init(_ bytes: UnsafeRawBufferPointer) throws(EditFailure) {
        let top = BoxRange.all(in: bytes, 0..<bytes.count)
        guard !top.contains(where: { $0.type == "moov" }) else {
            throw .refused(localized("image sequences cannot be changed"))
        }
        guard let meta = top.first(where: { $0.type == "meta" }), meta.body.count > 4 else {
            throw .failed(.damaged(reason: localized("its boxes cannot be read")))
        }
        let boxes = BoxRange.all(in: bytes, (meta.body.lowerBound + 4)..<meta.body.upperBound)
        func only(_ type: String) -> BoxRange? {
            let found = boxes.filter { $0.type == type }
            return found.count == 1 ? found[0] : nil
        }
        guard let item = only("pitm"), let locations = only("iloc"), let list = only("iprp"),
            boxes.last?.whole.upperBound == meta.body.upperBound,
            let primary = Self.primary(bytes.slice(item.body)),
            let properties = HEIFItemProperties(bytes.slice(list.body))
        else { throw .refused(localized("the boxes of the file have an unusual order")) }
        self.bytes = bytes
        (self.meta, self.locations, self.primary) = (meta, locations, primary)
        self.properties = properties
        propertiesRange = list.whole
        companions = only("iref").map { Self.companions(of: primary, bytes.slice($0.body)) } ?? []
    }

    /// The number in the body of a pitm box.
    static func primary(_ box: UnsafeRawBufferPointer) -> Int? {
        var reader = BigEndianReader(box)
        guard let version = reader.number(1), reader.consume(3) != nil else { return nil }
        return reader.number(version == 0 ? 2 : 4)
    }

    private static func companions(of primary: Int, _ box: UnsafeRawBufferPointer) -> [Int] {
        ItemReference.all(box).filter {
            ($0.type == "thmb" || $0.type == "auxl") && $0.targets.contains(primary)
        }.map(\.item)
    }

    // MARK: Moving

    /// Adds the changes of what lies behind the properties, which have grown by `growth` bytes.
    func move(by growth: Int, _ changes: inout ByteChanges) throws(EditFailure) {
        guard growth != 0 else { return }
        try meta.resize(by: growth, &changes)
        try ItemOffsets(bytes, locations.body).move(
            from: propertiesRange.upperBound, by: growth, &changes)
    }
}

/// A number as big-endian bytes.
func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> ((size - 1 - $0) * 8)) }
}

/// The places of a box in a file.
struct BoxRange {
    var type: String
    var whole: Range<Int>
    var body: Range<Int>
    /// The field with the size of the box; empty if the size is 0, for the rest of the file.
    var sizeField: Range<Int>

    private static let most = 4096

    /// The boxes in a range of a file, up to the first corrupt one.
    static func all(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> [BoxRange] {
        var boxes: [BoxRange] = []
        var start = range.lowerBound
        while boxes.count < most, start + 8 <= range.upperBound {
            var reader = BigEndianReader(bytes.slice(start..<range.upperBound))
            guard var size = reader.number(4), let name = reader.consume(4) else { break }
            var field = start..<(start + 4)
            var header = 8
            if size == 1 {
                guard let long = reader.number(8) else { break }
                (size, header, field) = (long, 16, (start + 8)..<(start + 16))
            } else if size == 0 {
                (size, field) = (range.upperBound - start, start..<start)
            }
            guard size >= header, size <= range.upperBound - start else { break }
            boxes.append(
                BoxRange(
                    type: String(decoding: name, as: UTF8.self), whole: start..<(start + size),
                    body: (start + header)..<(start + size), sizeField: field))
            start += size
        }
        return boxes
    }

    /// Adds the change of the size of the box, whose body has grown.
    func resize(by growth: Int, _ changes: inout ByteChanges) throws(EditFailure) {
        let size = whole.count + growth
        switch sizeField.count {
        // A size of 0 extends to the end of the file, and needs no change.
        case 0: break
        case 4 where size > Int(UInt32.max):
            throw .refused(localized("the file has no room for its boxes"))
        case let count: changes.replace(sizeField, with: bigEndian(size, count))
        }
    }
}

extension UnsafeRawBufferPointer {
    func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}
