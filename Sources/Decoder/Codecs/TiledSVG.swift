import Geometry
import ImageTypes

/// A drawing: an overview that does for the surface, and sharp parts at every zoom.
struct TiledSVG: TiledDecoder {
    let info: PictureInfo
    private let codec: SVGCodec
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
        // A sharp part follows at once where it is shown larger.
        let exponent = reduction(covering: target, tolerance: Self.tolerance)
        let rows = try codec.rows(reducedBy: exponent)
        guard
            let memory = try SerialDecode(rows).seal(
                as: info.size, from: exponent, info.orientation, sink)
        else { return nil }
        sink.deliver(memory, isFinal: true)
        return rows.isComplete ? nil : "Not all of the drawing could be painted."
    }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        try RowStream(try codec.rows(reducedBy: reduction(covering: size)))
    }

    /// The farthest halving that is as large as the drawing gets when it is fitted into `size`, or
    /// `tolerance` times that.
    private func reduction(covering size: PixelSize, tolerance: Double = 1) -> Int {
        (0...codec.deepestReduction).last {
            let reduced = codec.size.reduced(by: $0)
            return Double(reduced.width) >= Double(size.width) * tolerance
                || Double(reduced.height) >= Double(size.height) * tolerance
        } ?? 0
    }

    func part(_ part: PicturePart, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32 {
        let rows = try codec.rows(of: part)
        guard
            let memory = try SerialDecode(rows).seal(
                as: rows.size, from: 0, info.orientation, sink, smallestSide: .max)
        else { throw .unreadable(reason: "it was stopped") }
        guard rows.isComplete else {
            throw .damaged(reason: "the drawing cannot be painted as large as that")
        }
        return memory
    }
}
