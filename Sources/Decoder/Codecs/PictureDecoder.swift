package import Geometry
package import ImageTypes
package import RasterPipeline

/// Decodes one picture file.
package protocol PictureDecoder {
    var info: PictureInfo { get }
    /// Decodes the picture, after previews for a display of `target` pixels if these are quick.
    ///
    /// Returns a message for the user if data is missing. Returns nil if the picture is complete,
    /// or if `sink` stopped the decoding.
    mutating func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    /// The rows of a reduction that is at least `size`, which is an upright size in pixels.
    ///
    /// The rows are decoded one by one, so that a thumbnail can be made without holding the
    /// picture.
    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream
    /// The gain plane of the picture that was decoded, in sealed memory that the caller owns.
    ///
    /// `base` is the descriptor of the final pixels, upright, which the caller keeps. Nil for a picture that ends at
    /// white, for a gain map that cannot be shown, and if `sink` stops the decoding.
    func gainPlane(over base: Int32, _ sink: some DecodeSink) throws(DecodeFailure) -> (
        range: GainRange, memory: Int32
    )?
    /// The frames; nil if the picture is not animated.
    func animation() throws(DecodeFailure) -> AnimationStream?
}

extension PictureDecoder {
    package func gainPlane(over base: Int32, _ sink: some DecodeSink) throws(DecodeFailure) -> (
        range: GainRange, memory: Int32
    )? { nil }
}

/// Decodes a picture to an overview, and then to tiles on demand.
package protocol TiledDecoder: PictureDecoder {
    /// Decodes a tile into sealed memory, whose descriptor the caller owns.
    ///
    /// `decode` must have finished before. Throws `.damaged` if the tile does not exist.
    func part(_ tile: PictureTile, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32
}

/// A tiled decoder that keeps its pixels in a file on the disk.
package protocol DiskBackedDecoder: TiledDecoder {
    /// Takes ownership of the descriptor of a file of `info.backingFileBytes` bytes.
    ///
    /// Call this before `decode`.
    func receive(backingFile: Int32)
}
