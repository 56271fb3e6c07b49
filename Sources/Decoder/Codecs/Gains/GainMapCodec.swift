import Geometry
import ImageTypes
import Metadata
import RasterPipeline

/// A format whose files may have a gain map beside the picture.
protocol GainMapCodec: StillCodec {
    /// The gain map and the codec of its picture; nil without a map that can be shown.
    func gainMap() -> (map: GainMap, picture: any StillCodec)?
}

extension JPEGCodec: GainMapCodec {
    func gainMap() -> (map: GainMap, picture: any StillCodec)? {
        guard let found = JPEGGainMap(file), let map = found.map,
            let picture = try? JPEGCodec(found.picture)
        else { return nil }
        return (map, picture)
    }
}

extension GainMapCodec {
    /// The planes of the gain map, as stored; nil without one, and for one that does not fit the picture.
    ///
    /// `base` is the descriptor of the picture's sealed pixels, upright, which the caller keeps.
    func gainPlanes(over base: Int32) throws(DecodeFailure) -> GainMapPlanes? {
        guard let (map, picture) = gainMap(), picture.size.width > 0, picture.size.height > 0,
            picture.size.width <= size.width, picture.size.height <= size.height,
            picture.storedOrientation == .upright
                || picture.storedOrientation == storedOrientation
        else { return nil }
        let rows = try RowStream(CodeRows(try picture.rows()))
        guard rows.size == picture.size else { return nil }
        return GainMapPlanes(rows, map, storedOrientation) { BasePixels(base, at: $0) }
    }
}

/// Rows whose samples are codes, not colours: their profile does not count.
private final class CodeRows: RowSource {
    private let rows: any RowSource

    init(_ rows: any RowSource) { self.rows = rows }

    var size: PixelSize { rows.size }
    var layout: SampleLayout { rows.layout }
    var color: ColorSource { .standard }
    var isGray: Bool { rows.isGray }
    var isComplete: Bool { rows.isComplete }
    func read(_ targets: [UnsafeMutableRawPointer]) -> Int { rows.read(targets) }
}
