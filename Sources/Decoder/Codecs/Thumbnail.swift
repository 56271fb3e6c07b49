import Geometry
package import ImageTypes
package import ImageWire
package import RasterPipeline

/// Makes thumbnails with the decoder of any format.
package enum Thumbnail {
    /// Decodes the coarsest sufficient reduction, and delivers the thumbnail to `sink`.
    ///
    /// The pixels are in the screen's colours, a copy is in sRGB. Returns a message for the user if
    /// data of the picture is missing. Throws the errors of the decoder, and `.cutShort` if the file
    /// ends before the first row.
    package static func make(
        _ decoder: any PictureDecoder, _ request: ThumbnailRequest,
        for sink: some DecodeSink
    ) throws(DecodeFailure) -> String? {
        let info = decoder.info
        let size = request.size(of: info.size)
        let rows = try decoder.rows(covering: size)
        let pixels = try UprightPixels(
            size, rows.format, info.orientation, withSRGBCopy: request.wantsSRGBCopy)
        let isWhole = try rows.scale(
            to: info.orientation.upright(size), advance: { _ = sink.shouldContinue() }
        ) { pixels.add($0) }
        sink.deliver(try pixels.seal(), isFinal: true)
        return isWhole ? nil : "\(DecodeFailure.cutShort)"
    }
}
