/// How stored rows and columns are turned to be upright: the eight values of EXIF's tag 0x0112.
///
/// Source of the meanings: EXIF 2.3 (CIPA DC-008), 4.6.4, "Orientation".
package enum Orientation: UInt8, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    /// Mirrored along the diagonal from the top left: stored rows are shown as columns.
    case transposed = 5
    /// Needs a quarter turn clockwise to be upright.
    case turnedLeft = 6
    /// Mirrored along the diagonal from the top right.
    case transversed = 7
    /// Needs a quarter turn anticlockwise to be upright.
    case turnedRight = 8

    /// Whether width and height change places.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// The size as shown of a picture that is stored as `stored`.
    package func upright(_ stored: PixelSize) -> PixelSize {
        swapsAxes ? stored.transposed : stored
    }
}
