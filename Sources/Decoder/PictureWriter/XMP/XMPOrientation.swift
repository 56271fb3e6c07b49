import Containers
import Geometry

/// The copy of the orientation tag that some programs write to XMP: `tiff:Orientation`.
///
/// Only the digit is replaced, so that all other bytes and their number stay.
enum XMPOrientation {
    private static let name = Array("tiff:Orientation".utf8)

    /// Offsets of the digits in XMP data.
    static func digits(_ xmp: UnsafeRawBufferPointer) -> [Int] {
        var found: [Int] = []
        var start = 0
        while let place = xmp.firstIndex(of: name, from: start) {
            start = place + name.count
            var offset = start
            // As an attribute (`="6"`), or as an element (`>6<`).
            while offset < xmp.count, " =\t\r\n".utf8.contains(xmp[offset]) { offset += 1 }
            guard offset + 2 < xmp.count, "\"'>".utf8.contains(xmp[offset]),
                (UInt8(ascii: "1")...UInt8(ascii: "8")).contains(xmp[offset + 1]),
                "\"'<".utf8.contains(xmp[offset + 2])
            else { continue }
            found.append(offset + 1)
        }
        return found
    }

    /// Adds the changes of the XMP data in `file`, which are a slice of it.
    static func change(
        _ xmp: UnsafeRawBufferPointer?, in file: UnsafeRawBufferPointer,
        to orientation: Orientation, _ changes: inout ByteChanges
    ) {
        guard let xmp else { return }
        let start = file.offset(of: xmp)
        for digit in digits(xmp) {
            changes.replace(
                (start + digit)..<(start + digit + 1),
                with: [UInt8(ascii: "0") + orientation.rawValue])
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The offset of the first occurrence of `pattern` at `start` or after it.
    func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first else { return nil }
        var place = start
        while place + pattern.count <= count {
            guard let next = self[place...].firstIndex(of: first), next + pattern.count <= count
            else { return nil }
            if self[next..<(next + pattern.count)].elementsEqual(pattern) { return next }
            place = next + 1
        }
        return nil
    }
}
