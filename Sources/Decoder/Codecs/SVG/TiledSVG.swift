import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// Decodes a drawing to an overview that suits the surface, and to sharp tiles at every zoom.
struct TiledSVG: TiledDecoder {
    let info: PictureInfo
    private let codec: SVGCodec
    /// The overview suits a target if it has at least this share of the target's resolution.
    private static let tolerance = 0.7

    init(_ codec: SVGCodec) {
        self.codec = codec
        var info = PictureInfo(
            size: codec.size, orientation: .upright, format: SVGCodec.format.name)
        info.isTiled = true
        info.detail = codec.detail
        self.info = info
    }

    func animation() throws(DecodeFailure) -> AnimationStream? { nil }

    func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure) -> String? {
        // If the drawing is shown larger than this, sharp tiles follow at once.
        let mipLevel = reduction(covering: target, tolerance: Self.tolerance)
        let rows = try codec.rows(reducedBy: mipLevel)
        guard
            let memory = try SerialDecode(rows).seal(
                as: info.size, from: mipLevel, info.orientation, sink)
        else { return nil }
        sink.deliver(memory, isFinal: true)
        return rows.isComplete ? nil : localized("The drawing could not be rendered completely.")
    }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        try RowStream(try codec.rows(reducedBy: reduction(covering: size)))
    }

    /// The coarsest mip level that is at least as large as the drawing when fitted into `size`.
    ///
    /// With a `tolerance` below 1, the level may be smaller by that factor.
    private func reduction(covering size: PixelSize, tolerance: Double = 1) -> Int {
        (0...codec.coarsestMipLevel).last {
            let reduced = codec.size.reduced(by: $0)
            return Double(reduced.width) >= Double(size.width) * tolerance
                || Double(reduced.height) >= Double(size.height) * tolerance
        } ?? 0
    }

    func part(_ tile: PictureTile, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32 {
        let rows = try codec.rows(of: tile)
        guard
            let memory = try SerialDecode(rows).seal(
                as: rows.size, from: 0, info.orientation, sink, smallestSide: .max)
        else { throw .unreadable(reason: localized("decoding was stopped")) }
        guard rows.isComplete else {
            throw .damaged(reason: localized("the drawing cannot be rendered at this size"))
        }
        return memory
    }
}
