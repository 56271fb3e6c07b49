/// The eight values of the EXIF orientation tag (0x0112): how stored pixels become upright.
///
/// Source: EXIF 2.3 (CIPA DC-008), 4.6.4, "Orientation".
package enum Orientation: UInt8, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    /// Mirrored along the diagonal from the top left: stored rows become columns.
    case transposed = 5
    /// A clockwise quarter turn makes the stored pixels upright.
    case rotatedLeft = 6
    /// Mirrored along the diagonal from the top right.
    case transversed = 7
    /// An anticlockwise quarter turn makes the stored pixels upright.
    case rotatedRight = 8

    /// Whether the upright size has width and height of the stored size exchanged.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// The upright size of a picture whose stored size is `stored`.
    package func upright(_ stored: PixelSize) -> PixelSize {
        swapsAxes ? stored.transposed : stored
    }
}
