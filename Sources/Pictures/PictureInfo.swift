package import Geometry

/// What is known of a picture from its header, before its pixels are.
package struct PictureInfo: Hashable, Sendable {
    /// Pixels as shown, after the orientation.
    package var size: PixelSize
    /// As stored; the pixels that come are upright already.
    package var orientation: Orientation
    /// The format's name as `vitrine formats` gives it, such as "JPEG".
    package var format: String
    /// When it was taken, in seconds since 1970-01-01 00:00 of the camera's clock.
    package var taken: Int?

    package init(
        size: PixelSize, orientation: Orientation, format: String, taken: Int? = nil
    ) {
        self.size = size
        self.orientation = orientation
        self.format = format
        self.taken = taken
    }
}
