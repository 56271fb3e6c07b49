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
        var offset = 0
        while let start = xmp[offset...].firstIndex(of: UInt8(ascii: "<")) {
            let after = xmp[(start + 1)...].firstIndex { !isNameByte($0) } ?? xmp.count
            offset = after
            let tag = xmp[(start + 1)..<after]
            guard tag.count > name.count, tag.suffix(name.count).elementsEqual(name) else {
                continue
            }
            // Without an end there is no element, nor are there further ones.
            guard let end = end(of: Array(tag), after, xmp) else { break }
            found.append(start..<end)
            offset = end
        }
        return found
    }

    /// The end of the element whose start tag has a name that ends at `offset`.
    private static func end(
        of name: [UInt8], _ offset: Int, _ xmp: UnsafeRawBufferPointer
    ) -> Int? {
        var quote: UInt8?
        for place in offset..<xmp.count {
            let byte = xmp[place]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = byte } else if quote == byte { quote = nil }
            case UInt8(ascii: ">") where quote == nil:
                if xmp[place - 1] == UInt8(ascii: "/") { return place + 1 }
                guard let closing = xmp.firstIndex(of: Array("</".utf8) + name, from: place)
                else { return nil }
                return xmp[closing...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
            default: break
            }
        }
        return nil
    }

    /// Whether a byte belongs to a name with its prefix.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
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
    ) -> [UInt8] {
        var changes = ByteChanges()
        for element in XMPThumbnails.elements(xmp) { changes.remove(element) }
        var copy = changes.applied(to: xmp)
        for digit in copy.withUnsafeBytes({ XMPOrientation.digits($0) }) {
            copy[digit] = UInt8(ascii: "0") + orientation.rawValue
        }
        return copy
    }
}
