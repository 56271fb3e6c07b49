import Containers
import Geometry

/// XMP data of a changed picture.
enum XMPEditing {
    /// XMP data of a picture with other pixels, in a file without other parts: without the properties
    /// that describe the old pixels or those parts.
    ///
    /// A copy of the orientation becomes `orientation`. The reference to extended XMP data stays if the
    /// new file has these.
    static func repixeled(
        _ xmp: UnsafeRawBufferPointer, _ orientation: Orientation, hasExtension: Bool = false
    ) -> [UInt8] {
        var changes = ByteChanges()
        for property in XMPStaleProperty.all(in: xmp)
        where property.subject != .continuation || !hasExtension {
            changes.remove(property.range)
        }
        var copy = changes.applied(to: xmp)
        for digit in copy.withUnsafeBytes({ XMPOrientation.digits($0) }) {
            copy[digit] = UInt8(ascii: "0") + orientation.rawValue
        }
        return copy
    }

    /// What the properties that `repixeled` leaves out are about.
    static func subjects(_ xmp: UnsafeRawBufferPointer) -> Set<XMPStaleProperty.Subject> {
        Set(XMPStaleProperty.all(in: xmp).map(\.subject))
    }
}
