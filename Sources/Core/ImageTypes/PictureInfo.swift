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

    /// Whether it moves.
    package var isAnimated: Bool
    /// Whether only an overview of it is held: finer levels come in parts, on demand.
    package var isTiled = false
    /// How many times as fine as its pixels, as a power of two, the finest parts are: more than 0 for
    /// what has no pixels of its own.
    package var detail = 0
    /// Bytes of a file that its decoder needs to lay it on the disk; 0 where it needs none.
    package var room = 0
    /// Bytes of that for each pixel, besides those for the pixels that are shown: for samples on their
    /// way.
    package var scratch = 0

    package init(
        size: PixelSize, orientation: Orientation, format: String, taken: Int? = nil,
        isAnimated: Bool = false
    ) {
        self.size = size
        self.orientation = orientation
        self.format = format
        self.taken = taken
        self.isAnimated = isAnimated
    }
}

/// What is known of an animation's frame besides its pixels.
package struct FrameInfo: Hashable, Sendable {
    /// Counts from 0 each time the animation begins anew.
    package var number: Int
    /// How long it is shown, in milliseconds, as the file has it.
    package var duration: Double
    /// How often the whole animation is shown; 0 means for ever.
    package var loops: Int

    package init(number: Int, duration: Double, loops: Int) {
        self.number = number
        self.duration = duration
        self.loops = loops
    }
}

/// A part of a picture at one of its levels.
package struct PicturePart: Hashable, Sendable {
    /// How often the level is halved, counted from the finest one, which has `PictureInfo.detail`.
    package var exponent: Int
    /// In pixels of the level, upright.
    package var rect: PixelRect

    package init(exponent: Int, rect: PixelRect) {
        self.exponent = exponent
        self.rect = rect
    }
}
