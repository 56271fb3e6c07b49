import Containers
import Geometry
import ImageTypes
import Localization
import Metadata

/// The orientation in the header of a JPEG XL codestream.
///
/// Three bits, which are missing in most files: then bits are inserted, and the rest of the header moves
/// up to its padding. Source: ISO/IEC 18181-1, annexes A and E; ISO/IEC 18181-2, section 9.
enum JXLTagWriter: TagWriter {
    /// More bytes than any header without a profile has.
    private static let longestHeader = 1 << 16

    static func changes(
        _ bytes: UnsafeRawBufferPointer, from stand: Orientation, turning turn: Orientation
    ) throws(EditFailure) -> ByteChanges {
        let (box, part) = try codestream(bytes)
        let start = part.lowerBound
        let stream = bytes.slice(part.prefix(longestHeader))
        guard let header = JXLHeader(stream) else {
            throw .refused(localized("the header of the file cannot be changed"))
        }
        let new = header.orientation.followed(by: turn)
        var changes = ByteChanges()
        let (end, written) = try rewritten(stream, header, new)
        changes.replace(start..<(start + end), with: written)
        let growth = written.count - end
        if growth != 0, let box {
            guard !BoxRange.all(in: bytes, 0..<bytes.count).contains(where: { $0.type == "jxli" })
            else { throw .refused(localized("the file has an index that cannot be changed")) }
            try box.resize(by: growth, &changes)
        }
        OrientationCopies.change(in: bytes, to: new, &changes)
        return changes
    }

    /// The box that begins the codestream, nil without a container, and the range of the codestream in
    /// this box.
    private static func codestream(
        _ bytes: UnsafeRawBufferPointer
    ) throws(EditFailure) -> (BoxRange?, Range<Int>) {
        if bytes.starts(with: [0xFF, 0x0A]) { return (nil, 0..<bytes.count) }
        let boxes = BoxRange.all(in: bytes, 0..<bytes.count)
        guard let box = boxes.first(where: { $0.type == "jxlc" || $0.type == "jxlp" }) else {
            throw .failed(.cutShort)
        }
        // The number of the part comes first.
        return (box, box.body.dropFirst(box.type == "jxlp" ? 4 : 0))
    }

    /// The number of bytes at the start of a codestream to replace, and their replacement.
    private static func rewritten(
        _ stream: UnsafeRawBufferPointer, _ header: JXLHeader, _ orientation: Orientation
    ) throws(EditFailure) -> (Int, [UInt8]) {
        let value = Int(orientation.rawValue) - 1
        let field = [value & 1, value >> 1 & 1, value >> 2 & 1]
        let source = JXLBits(stream)
        if case .present(let place) = header.place {
            let end = (place + 3 + 7) / 8
            var bits = (0..<(end * 8)).map { source.bit($0) }
            bits.replaceSubrange(place..<(place + 3), with: field)
            return (end, packed(bits))
        }
        guard let end = header.end else {
            throw .refused(localized("the header of the file has no room for the orientation"))
        }
        var bits = (0..<end).map { source.bit($0) }
        // No intrinsic size, preview or animation.
        let extra = [1] + field + [0, 0, 0]
        switch header.place {
        case .present: break
        case .allDefault(let place):
            // 8 bits per sample, 16-bit buffers suffice, no extra channels, XYB, default colours, default
            // tone mapping, no extensions.
            let rest = [0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0]
            bits.replaceSubrange(place...place, with: [0] + extra + rest)
        case .missing(let place, let toneMapping):
            bits.insert(1, at: toneMapping)
            bits.replaceSubrange(place...place, with: extra)
        }
        return ((end + 7) / 8, packed(bits))
    }

    /// Bits as bytes; the last byte is padded with zeros.
    private static func packed(_ bits: [Int]) -> [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].enumerated().reduce(UInt8(0)) {
                $0 | UInt8($1.element) << UInt8($1.offset)
            }
        }
    }
}
