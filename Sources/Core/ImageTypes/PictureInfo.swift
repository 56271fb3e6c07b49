package import Geometry

/// What a picture's header says, available before the pixels.
package struct PictureInfo: Hashable, Sendable {
    /// The upright size, in pixels.
    package var size: PixelSize
    /// The orientation of the stored pixels; decoded pixels are already upright.
    package var orientation: Orientation
    /// The format's name as `vitrine formats` gives it, such as "JPEG".
    package var format: String
    /// When and with what the picture was taken.
    package var capture: Capture
    /// When the picture was taken; nil if unknown.
    package var taken: CaptureTime? { capture.time }
    /// The number of stars, 0…5, that the file itself says; nil where the file says nothing.
    ///
    /// A sidecar may say another number. Not known of thumbnails.
    package var rating: Int?

    /// Whether the picture is an animation.
    package var isAnimated: Bool
    /// Whether only an overview is decoded at first; finer mip levels come as tiles, on demand.
    package var isTiled = false
    /// How much finer than the picture's pixels the finest tiles are, as a power of two.
    ///
    /// More than 0 for vector graphics, which have no pixels of their own.
    package var detail = 0
    /// Bytes of the file that the decoder needs for a disk-backed picture; 0 if it needs none.
    package var backingFileBytes = 0
    /// Bytes of that file per pixel for intermediate samples, besides the bytes of the shown
    /// pixels.
    package var scratch = 0
    /// Faces and other regions that the file names, in fractions of the upright picture; at most
    /// `mostRegions`.
    ///
    /// Only known of a picture that is opened to be shown.
    package var regions: [Rect] = []
    package static let mostRegions = 16

    package init(
        size: PixelSize, orientation: Orientation, format: String, capture: Capture = Capture(),
        isAnimated: Bool = false
    ) {
        self.size = size
        self.orientation = orientation
        self.format = format
        self.capture = capture
        self.isAnimated = isAnimated
    }
}

/// Number and timing of a frame of an animation.
package struct FrameInfo: Hashable, Sendable {
    /// Counts from 0 each time the animation starts over.
    package var number: Int
    /// How long the frame is shown, in milliseconds, as stored in the file.
    package var duration: Double
    /// How often the whole animation is shown; 0 means without end.
    package var loops: Int

    package init(number: Int, duration: Double, loops: Int) {
        self.number = number
        self.duration = duration
        self.loops = loops
    }
}

/// A tile: a rectangle of one mip level of a picture.
package struct PictureTile: Hashable, Sendable {
    /// The number of halvings of the mip level, from the finest one, which has
    /// `PictureInfo.detail`.
    package var mipLevel: Int
    /// The rectangle in upright pixels of the mip level.
    package var rect: PixelRect

    package init(mipLevel: Int, rect: PixelRect) {
        self.mipLevel = mipLevel
        self.rect = rect
    }
}
