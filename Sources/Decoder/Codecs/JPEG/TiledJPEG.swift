import CCodecs
import Geometry
import Glibc
import ImageTypes
import Localization
import Metadata
import RasterPipeline

/// Decodes a JPEG that is too large for memory.
///
/// One reduced pass over the file makes an overview and an index of the MCU rows. A tile is then
/// decoded from the MCU row before the tile on.
final class TiledJPEG: TiledDecoder {
    let info: PictureInfo
    private let descriptor: Int32
    private let stored: PixelSize
    private var index: OpaquePointer?
    /// The converter of the overview, which is used for all tiles.
    private var converter: RowConverter?

    /// The mip level of the overview; only finer levels have tiles.
    static let overviewMipLevel = 3

    /// Takes the header of a file; nil if the file is better decoded as a whole.
    ///
    /// A JPEG of at most `limit` pixels is better decoded as a whole, and one that cannot be
    /// indexed has to be. The caller keeps the descriptor, which has to stay open.
    init?(
        _ descriptor: Int32, _ header: JPEGHeader,
        largerThan limit: Int = DecodeSettings.limits.wholePixels
    ) {
        let pixels = header.size.width * header.size.height
        var file = stat()
        // The emptiest picture takes a byte for 170 pixels: a much shorter file claims a wrong
        // size.
        guard pixels > limit, fstat(descriptor, &file) == 0, file.st_size > pixels / 512,
            header.canBeIndexed
        else { return nil }
        (self.descriptor, stored) = (descriptor, header.size)
        var info = PictureInfo(
            size: header.exif.orientation.upright(stored), orientation: header.exif.orientation,
            format: PictureFormat.jpeg.name, capture: header.exif.capture)
        info.isTiled = true
        self.info = info
    }

    deinit { ccodecs_jpeg_index_destroy(index) }

    func animation() throws(DecodeFailure) -> AnimationStream? { nil }

    func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    {
        let rows = try start(mipLevel: Self.overviewMipLevel)
        // `rows` writes to the index, and is not read any more once the index is destroyed.
        ccodecs_jpeg_index_destroy(index)
        index = ccodecs_jpeg_record_index(rows.raw)
        guard rows.size == stored.reduced(by: Self.overviewMipLevel) else {
            throw .damaged(
                reason: localized("the decoded size differs from the size in the header"))
        }
        let converter = RowConverter(rows)
        self.converter = converter
        guard
            let memory = try SerialDecode(rows, converter).seal(
                as: info.size, from: Self.overviewMipLevel, info.orientation, sink)
        else { return nil }
        sink.deliver(memory, isFinal: true)
        return rows.isComplete ? nil : StillMessage.incomplete
    }

    func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        let wanted = info.orientation.upright(size)
        let mipLevel =
            (0...Self.overviewMipLevel).last {
                let reduced = stored.reduced(by: $0)
                return reduced.width >= wanted.width && reduced.height >= wanted.height
            } ?? 0
        return try RowStream(try start(mipLevel: mipLevel))
    }

    /// Starts decoding a reduction, after another pass where only its pixels tell whether their profile
    /// applies.
    private func start(mipLevel: Int) throws(DecodeFailure) -> JPEGRows {
        let rows = try JPEGRows(file: descriptor)
        try rows.start(mipLevel: mipLevel)
        guard rows.needsGrayCheck else { return rows }
        let isGray = try rows.areAllGray()
        let again = try JPEGRows(file: descriptor)
        try again.start(mipLevel: mipLevel)
        if isGray { again.assumeGray() }
        return again
    }

    func part(_ tile: PictureTile, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32 {
        let level = stored.reduced(by: tile.mipLevel)
        let upright = PixelRect(info.orientation.upright(level))
        guard let index, let converter, tile.mipLevel < Self.overviewMipLevel, !tile.rect.isEmpty,
            tile.rect.intersection(upright) == tile.rect
        else { throw .damaged(reason: localized("the requested tile does not exist")) }
        let rect = OrientationTransform.stored(tile.rect, info.orientation, level)
        let rows = try TileRows(descriptor, index, mipLevel: tile.mipLevel, rect: rect)
        let size = tile.rect.size
        guard
            let memory = try SerialDecode(rows, converter).seal(
                as: size, from: 0, info.orientation, sink, smallestSide: .max)
        else { throw .unreadable(reason: localized("decoding was stopped")) }
        return memory
    }
}

/// The rows of a tile of a JPEG.
private final class TileRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    var isComplete: Bool { rows.isComplete }
    private let rows: JPEGRows
    /// Columns of the decoder's rows that lie left of the tile.
    private let left: Int
    private let line: UnsafeMutableRawPointer

    /// `rect` is in pixels of the reduced picture as stored.
    init(
        _ descriptor: Int32, _ index: OpaquePointer, mipLevel: Int, rect: PixelRect
    ) throws(DecodeFailure) {
        rows = try JPEGRows(file: descriptor)
        let height = Int(ccodecs_jpeg_mcu_height(rows.raw)) >> mipLevel
        let width = Int(ccodecs_jpeg_mcu_width(rows.raw)) >> mipLevel
        // One more row and column of MCUs on each side: chroma is interpolated across MCUs.
        var first = max(0, rect.y / height - 1)
        let last = min((rect.maxY - 1) / height + 1, Int(ccodecs_jpeg_index_rows(index)) - 1)
        if ccodecs_jpeg_index_has_error(index) != 0,
            last >= Int(ccodecs_jpeg_index_correct_rows(index))
        {
            // Only the library knows how to go on after an error, and only from the top.
            rows.useLibraryAlone()
            first = 0
        }
        try rows.start(mipLevel: mipLevel)
        try rows.enter(index, at: Int32(first))
        var x = Int32(max(0, rect.x - width))
        let right = min(rect.maxX + width, rows.size.width)
        var span = Int32(right - Int(x))
        guard ccodecs_jpeg_crop(rows.raw, &x, &span) == 0 else { throw .cutShort }
        size = rect.size
        (layout, color) = (rows.layout, rows.color)
        left = rect.x - Int(x)
        guard left >= 0, left + rect.width <= Int(span) else {
            throw .damaged(
                reason: localized("the decoded size differs from the size in the header"))
        }
        line = .allocate(byteCount: Int(span) * rows.layout.bytesPerPixel, alignment: 16)
        for _ in 0..<(rect.y - first * height) where rows.read([line]) != 1 { throw .cutShort }
    }

    deinit { line.deallocate() }

    func read(_ targets: [UnsafeMutableRawPointer]) -> Int {
        for (number, target) in targets.enumerated() {
            guard rows.read([line]) == 1 else { return number }
            target.copyMemory(
                from: line + left * layout.bytesPerPixel,
                byteCount: size.width * layout.bytesPerPixel)
        }
        return targets.count
    }
}
