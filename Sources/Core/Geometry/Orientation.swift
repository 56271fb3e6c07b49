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

    /// The transformation as a mirroring of left and right, if any, and clockwise quarter turns after it.
    private var parts: (isMirrored: Bool, turns: Int) {
        switch self {
        case .upright: (false, 0)
        case .mirrored: (true, 0)
        case .upsideDown: (false, 2)
        case .mirroredUpsideDown: (true, 2)
        case .transposed: (true, 3)
        case .rotatedLeft: (false, 1)
        case .transversed: (true, 1)
        case .rotatedRight: (false, 3)
        }
    }

    /// Whether left and right are exchanged, before any turn.
    package var isMirrored: Bool { parts.isMirrored }

    /// The clockwise quarter turns, 0…3, after the mirroring.
    package var clockwiseTurns: Int { parts.turns }

    /// The orientation that mirrors left and right if `isMirrored`, and then turns clockwise.
    package init(isMirrored: Bool = false, turns: Int) {
        let rows: [Orientation] =
            isMirrored
            ? [.mirrored, .transversed, .mirroredUpsideDown, .transposed]
            : [.upright, .rotatedLeft, .upsideDown, .rotatedRight]
        self = rows[((turns % 4) + 4) % 4]
    }

    /// The orientation that does what this one does, and then what `next` does.
    package func followed(by next: Orientation) -> Orientation {
        let (first, second) = (parts, next.parts)
        // A mirroring reverses the turns before it.
        return Orientation(
            isMirrored: first.isMirrored != second.isMirrored,
            turns: second.turns + (second.isMirrored ? -first.turns : first.turns))
    }

    /// The orientation that takes this one back.
    package var inverse: Orientation {
        let (isMirrored, turns) = parts
        return Orientation(isMirrored: isMirrored, turns: isMirrored ? turns : -turns)
    }

    /// The upright size of a picture whose stored size is `stored`.
    package func upright(_ stored: PixelSize) -> PixelSize {
        swapsAxes ? stored.transposed : stored
    }

    /// The upright place of a rectangle in fractions of the stored picture.
    package func upright(_ stored: Rect) -> Rect {
        let (x, y, width, height) = (stored.x, stored.y, stored.width, stored.height)
        let (right, bottom) = (1 - stored.maxX, 1 - stored.maxY)
        return switch self {
        case .upright: stored
        case .mirrored: Rect(x: right, y: y, width: width, height: height)
        case .upsideDown: Rect(x: right, y: bottom, width: width, height: height)
        case .mirroredUpsideDown: Rect(x: x, y: bottom, width: width, height: height)
        case .transposed: Rect(x: y, y: x, width: height, height: width)
        case .rotatedLeft: Rect(x: bottom, y: x, width: height, height: width)
        case .transversed: Rect(x: bottom, y: right, width: height, height: width)
        case .rotatedRight: Rect(x: y, y: right, width: height, height: width)
        }
    }
}
