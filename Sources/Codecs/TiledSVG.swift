import Geometry
import Pictures

/// A drawing: an overview that does for the surface, and sharp parts at every zoom.
struct TiledSVG: TiledDecoder {
    let info: PictureInfo
    private let codec: SVGCodec

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
        let exponent = reduction(covering: target)
        let rows = try codec.rows(reducedBy: exponent)
        guard
            let memory = try StripDecoding(rows).seal(
                as: info.size, from: exponent, info.orientation, sink)
        else { return nil }
        sink.deliver(memory, isFinal: true)
        return rows.isComplete ? nil : "Not all of the drawing could be painted."
    }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream? {
        guard info.size != size else { return nil }
        return try RowStream(try codec.rows(reducedBy: reduction(covering: size)))
    }

    /// The farthest halving that is as large as the drawing gets when it is fitted into `size`.
    private func reduction(covering size: PixelSize) -> Int {
        (0...codec.deepestReduction).last {
            let reduced = codec.size.reduced(by: $0)
            return reduced.width >= size.width || reduced.height >= size.height
        } ?? 0
    }

    func part(_ part: PicturePart, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32 {
        let rows = try codec.rows(of: part)
        guard
            let memory = try StripDecoding(rows).seal(
                as: rows.size, from: 0, info.orientation, sink, smallestSide: .max)
        else { throw .unreadable(reason: "it was stopped") }
        guard rows.isComplete else {
            throw .damaged(reason: "the drawing cannot be painted as large as that")
        }
        return memory
    }
}
