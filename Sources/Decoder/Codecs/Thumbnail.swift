package import ImageWire
import Geometry
package import ImageTypes

/// Makes thumbnails with the decoder of any format.
package enum Thumbnail {
    /// Decodes the coarsest sufficient reduction, and delivers the thumbnail to `sink`.
    ///
    /// The pixels are in the screen's colours, the file is in sRGB. Returns a message for the user
    /// if data of the picture is missing. Throws the errors of the decoder, and `.cutShort` if the
    /// file ends before the first row.
    package static func make(
        _ decoder: any PictureDecoder, _ request: ThumbnailRequest,
        for sink: some DecodeSink
    ) throws(DecodeFailure) -> String? {
        let info = decoder.info
        let size = request.size(of: info.size)
        let rows = try decoder.rows(covering: size)
        let (pixels, isWhole) = try rows.scaled(to: info.orientation.upright(size)) {
            _ = sink.shouldContinue()
        }
        let upright = OrientationTransform.turned(pixels, size, info.orientation)
        let memory = try finish(upright, size, rows.format, request, info.orientation)
        sink.deliver(memory, isFinal: true)
        return isWhole ? nil : "\(DecodeFailure.cutShort)"
    }

    /// Writes upright pixels to sealed memory, with mip levels and, if requested, a PNG file.
    private static func finish(
        _ pixels: [UInt32], _ size: PixelSize, _ format: PixelFormat,
        _ request: ThumbnailRequest, _ orientation: Orientation
    ) throws(DecodeFailure) -> Int32 {
        let file = request.wantsFile ? try PNGEncoder.encode(pixels, size, format) : []
        let store = try PixelStore(size: size, from: 0, file: file)
        let converter = RowConverter(
            format == .rgb24 ? .bgrx8 : .premultipliedBGRA8, .standard)
        pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<size.height {
                converter.convert(
                    base + y * size.width, to: store.row(y, of: store.levels[0]),
                    width: size.width, y: y)
            }
        }
        for (fine, coarse) in zip(store.levels, store.levels.dropFirst()) {
            Reduction.reduce(rows: 0..<coarse.size.height, of: coarse, from: fine, in: store)
        }
        return try store.seal(as: format, orientation: orientation)
    }
}
