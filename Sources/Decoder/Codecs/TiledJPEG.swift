import CCodecs
package import Geometry
import Glibc
package import ImageTypes

/// A JPEG that is too large to be held: an overview by one reduced pass over the file, which notes
/// where rows begin in it, and then any part of it, from the row before it on.
package final class TiledJPEG: TiledDecoder {
    package let info: PictureInfo
    private let descriptor: Int32
    private let stored: PixelSize
    private var index: OpaquePointer?
    /// The overview's, which is every part's.
    private var converter: RowConverter?

    /// The reduction of the overview; what is coarser than its parts is in it.
    package static let overviewExponent = 3
    /// EXIF data is in the file's first bytes.
    private static let headerLength = 1 << 18
    /// All that a file tells of its picture is in so many.
    package static let metadataLength = 1 << 24

    /// Nil where the file, which stays the caller's and open, is none or is better decoded whole: when
    /// it has at most `limit` pixels.
    package init?(
        _ descriptor: Int32, largerThan limit: Int = PictureDecoders.limits.wholePixels
    ) throws(DecodeFailure) {
        let header = Self.start(of: descriptor)
        guard header.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        let rows = try JPEGRows(file: descriptor)
        stored = rows.size
        let pixels = stored.width * stored.height
        var file = stat()
        // The emptiest picture takes a byte for 170 pixels: what is much shorter claims too much.
        guard pixels > limit, fstat(descriptor, &file) == 0, file.st_size > pixels / 512,
            ccodecs_jpeg_can_be_indexed(rows.raw) != 0
        else { return nil }
        self.descriptor = descriptor
        let exif = header.withUnsafeBytes { Exif(jpeg: $0) }
        var info = PictureInfo(
            size: exif.orientation.upright(stored), orientation: exif.orientation,
            format: PictureFormat.jpeg.name, taken: exif.taken)
        info.isTiled = true
        self.info = info
    }

    deinit { ccodecs_jpeg_index_destroy(index) }

    private static func start(of descriptor: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: headerLength) { buffer, count in
            while count < buffer.count {
                let got = pread(
                    descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count, count
                )
                if got < 0 && errno == EINTR { continue }
                if got <= 0 { return }
                count += got
            }
        }
    }

    package func animation() throws(DecodeFailure) -> AnimationStream? { nil }

    package func decode(for target: PixelSize, to sink: some DecodeSink) throws(DecodeFailure)
        -> String?
    {
        let rows = try JPEGRows(file: descriptor)
        try rows.start(exponent: Self.overviewExponent)
        // The rows have to be read while this is there, and are not afterwards.
        ccodecs_jpeg_index_destroy(index)
        index = ccodecs_jpeg_make_index(rows.raw)
        guard rows.size == stored.reduced(by: Self.overviewExponent) else {
            throw .damaged(reason: "its size is not what it says")
        }
        let converter = RowConverter(rows)
        self.converter = converter
        guard
            let memory = try SerialDecode(rows, converter).seal(
                as: info.size, from: Self.overviewExponent, info.orientation, sink)
        else { return nil }
        sink.deliver(memory, isFinal: true)
        return rows.isComplete ? nil : StillNotice.incomplete
    }

    package func rows(covering size: PixelSize) throws(DecodeFailure) -> RowStream {
        let wanted = info.orientation.upright(size)
        let exponent =
            (0...Self.overviewExponent).last {
                let reduced = stored.reduced(by: $0)
                return reduced.width >= wanted.width && reduced.height >= wanted.height
            } ?? 0
        let rows = try JPEGRows(file: descriptor)
        try rows.start(exponent: exponent)
        return try RowStream(rows)
    }

    package func part(_ part: PicturePart, _ sink: some DecodeSink) throws(DecodeFailure) -> Int32 {
        let level = stored.reduced(by: part.exponent)
        let upright = PixelRect(info.orientation.upright(level))
        guard let index, let converter, part.exponent < Self.overviewExponent, !part.rect.isEmpty,
            part.rect.intersection(upright) == part.rect
        else { throw .damaged(reason: "there is no such part") }
        let rect = OrientationTransform.stored(part.rect, info.orientation, level)
        let rows = try PartRows(descriptor, index, exponent: part.exponent, rect: rect)
        let size = part.rect.size
        guard
            let memory = try SerialDecode(rows, converter).seal(
                as: size, from: 0, info.orientation, sink, smallestSide: .max)
        else { throw .unreadable(reason: "it was stopped") }
        return memory
    }
}

/// The rows of a part of a JPEG.
private final class PartRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    var isComplete: Bool { rows.isComplete }
    private let rows: JPEGRows
    /// Columns of the decoder's rows that lie left of the part.
    private let left: Int
    private let line: UnsafeMutableRawPointer

    /// `rect` is in pixels of the reduced picture as stored.
    init(
        _ descriptor: Int32, _ index: OpaquePointer, exponent: Int, rect: PixelRect
    ) throws(DecodeFailure) {
        rows = try JPEGRows(file: descriptor)
        let height = Int(ccodecs_jpeg_mcu_height(rows.raw)) >> exponent
        let width = Int(ccodecs_jpeg_mcu_width(rows.raw)) >> exponent
        try rows.start(exponent: exponent)
        // One row and column of MCUs more on each side: colour is smoothed across their borders.
        let first = max(0, rect.y / height - 1)
        var x = Int32(max(0, rect.x - width))
        let right = min(rect.maxX + width, rows.size.width)
        var span = Int32(right - Int(x))
        guard first < Int(ccodecs_jpeg_index_rows(index)),
            ccodecs_jpeg_crop(rows.raw, &x, &span) == 0,
            ccodecs_jpeg_seek(rows.raw, index, Int32(first)) == 0
        else { throw .cutShort }
        size = rect.size
        (layout, color) = (rows.layout, rows.color)
        left = rect.x - Int(x)
        guard left >= 0, left + rect.width <= Int(span) else {
            throw .damaged(reason: "its size is not what it says")
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
