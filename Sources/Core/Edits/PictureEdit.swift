package import Geometry

/// A change of a picture's pixels that a person asked for: turned and mirrored first, then cropped.
package struct PictureEdit: Hashable, Sendable {
    /// How the upright picture is turned and mirrored.
    package var turn: Orientation
    /// The part of the turned picture that is kept; nil keeps all of it.
    package var crop: Crop?

    package init(turn: Orientation = .upright, crop: Crop? = nil) {
        self.turn = turn
        self.crop = crop
    }

    /// Whether nothing changes.
    package var isIdentity: Bool { turn == .upright && crop == nil }

    /// A rectangle of a picture that was straightened.
    package struct Crop: Hashable, Sendable {
        /// The angle by which the turned picture is rotated about its centre, in degrees clockwise,
        /// -45…45.
        package var angle: Double
        /// The kept part, in pixels, in the frame of the turned picture before its rotation.
        ///
        /// The picture's centre is at half its width and height. The rectangle lies inside the rotated
        /// picture.
        package var rect: Rect

        package init(angle: Double = 0, rect: Rect) {
            self.angle = angle
            self.rect = rect
        }
    }
}
