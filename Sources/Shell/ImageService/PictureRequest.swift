import ImageTypes

/// What is requested of the picture that is being decoded.
struct PictureRequest {
    /// Which pixels are requested.
    enum Pixels {
        /// None, because the surface size, the header or the backing file is missing.
        case none
        case whole
        /// The mip levels for the size of the screen, of a picture that is decoded ahead.
        case ahead
        /// A smaller picture, see `ReducedDecoding.side`.
        case reduced
    }

    var pixels = Pixels.none
    /// Nil until the info has arrived.
    var info: PictureInfo?
}
