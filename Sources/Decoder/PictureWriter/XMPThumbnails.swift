import Containers
import Geometry

/// The small copies of the picture in XMP data: the elements `xmp:Thumbnails`.
///
/// Source: XMP part 2, "XMP basic namespace" and "Thumbnail".
enum XMPThumbnails {
    private static let name = Array(":Thumbnails".utf8)

    /// The ranges of the elements with their tags, in order.
    static func elements(_ xmp: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while let place = xmp.firstIndex(of: name, from: start) {
            start = place + name.count
            guard start < xmp.count, " \t\r\n>".utf8.contains(xmp[start]),
                let tag = xmp[..<place].lastIndex(of: UInt8(ascii: "<")),
                xmp[(tag + 1)..<place].allSatisfy(isNameByte)
            else { continue }
            let closing = [UInt8(ascii: "<"), UInt8(ascii: "/")] + xmp[(tag + 1)..<start]
            // Without an end tag there is no element, nor are there further ones.
            guard let end = xmp.firstIndex(of: closing, from: start),
                let last = xmp[end...].firstIndex(of: UInt8(ascii: ">"))
            else { break }
            found.append(tag..<(last + 1))
            start = last + 1
        }
        return found
    }

    /// The bytes of a prefix.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }
}

/// XMP data of a changed picture.
enum XMPEditing {
    /// XMP data of a picture with other pixels: without the thumbnails, which show the old ones.
    ///
    /// A copy of the orientation becomes `orientation`.
    static func repixeled(
        _ xmp: UnsafeRawBufferPointer, _ orientation: Orientation
    ) -> (xmp: [UInt8], hadThumbnail: Bool) {
        let thumbnails = XMPThumbnails.elements(xmp)
        var changes = ByteChanges()
        for element in thumbnails { changes.remove(element) }
        var copy = changes.applied(to: xmp)
        for digit in copy.withUnsafeBytes({ XMPOrientation.digits($0) }) {
            copy[digit] = UInt8(ascii: "0") + orientation.rawValue
        }
        return (copy, !thumbnails.isEmpty)
    }
}
