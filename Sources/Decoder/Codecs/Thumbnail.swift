package import ImageWire
import Geometry
package import ImageTypes

/// Makes thumbnails out of what any format's decoder delivers.
package enum Thumbnail {
    /// Decodes as little as does, and delivers the thumbnail to `sink`: the pixels in the screen's
    /// colours, the file in sRGB.
    ///
    /// Returns a notice where something of the picture is missing; throws where the decoder does,
    /// and where the picture ends before there is anything to show.
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

    /// Puts upright pixels into sealed memory, with their reductions and, if wanted, as a PNG.
    private static func finish(
        _ pixels: [UInt32], _ size: PixelSize, _ format: PixelFormat,
        _ request: ThumbnailRequest, _ orientation: Orientation
    ) throws(DecodeFailure) -> Int32 {
        let file = request.wantsFile ? try PNGEncoder.encode(pixels, size, format) : []
        let store = try PixelStore(size: size, from: 0, file: file)
        let converter = RowConverter(
            format == .rgb24 ? .opaqueWords : .premultipliedWords, .standard)
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
