import CCodecs
import Containers
import Geometry
import ImageTypes
import RasterPipeline

/// A small version of the picture inside a JPEG file: EXIF's thumbnail, or a larger one of a
/// multi-picture file.
///
/// An embedded picture is used only if it lies inside the file, is an ordinary JPEG (neither
/// progressive nor CMYK) and has the aspect ratio of the picture. Pictures that are embedded in it
/// are ignored. Sources: EXIF 2.3 (CIPA DC-008), 4.5.5 and 4.6.4; CIPA DC-007 (Multi-Picture
/// Format), 5.2.
struct EmbeddedJPEG {
    /// The decoder, whose header was read.
    private let rows: JPEGRows
    let size: PixelSize

    /// A larger embedded picture takes as long as a reduced decode of the picture itself.
    private static let mostPixels = 1920 * 1440
    private static let leastSide = 64
    /// Pixels by which a side may deviate from the picture's aspect ratio, because of rounding.
    ///
    /// Black bars above and below the picture are larger.
    private static let tolerance = 1.5
    private static let mostPictures = 16

    private enum Tag {
        static let offset = 0x0201
        static let length = 0x0202
        static let entries = 0xB002
    }

    /// The thumbnail, and the largest embedded picture if it is larger than the thumbnail.
    ///
    /// `size` is the size of the picture in pixels, as stored.
    static func all(in file: UnsafeRawBufferPointer, of size: PixelSize) -> [EmbeddedJPEG] {
        [thumbnails(in: file), mpfThumbnails(in: file)].reduce(into: []) { found, candidates in
            let fitting = candidates.compactMap { EmbeddedJPEG($0, fitting: size) }
            guard let best = fitting.max(by: { $0.size.width < $1.size.width }),
                best.size.width > found.last?.size.width ?? 0
            else { return }
            found.append(best)
        }
    }

    private init?(_ bytes: UnsafeRawBufferPointer, fitting whole: PixelSize) {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]), let rows = try? JPEGRows(header: bytes),
            ccodecs_jpeg_is_progressive(rows.raw) == 0, rows.layout != .cmyk8,
            !rows.size.isLarger(than: Self.mostPixels),
            max(rows.size.width, rows.size.height) >= Self.leastSide,
            2 * rows.size.width <= whole.width, Self.fits(rows.size, whole)
        else { return nil }
        self.rows = rows
        size = rows.size
    }

    /// Whether the sizes have the same aspect ratio, up to `tolerance` pixels of one side.
    private static func fits(_ size: PixelSize, _ whole: PixelSize) -> Bool {
        let scale = whole.size.width / whole.size.height
        return abs(size.size.width - size.size.height * scale) <= tolerance
            || abs(size.size.height - size.size.width / scale) <= tolerance
    }

    /// EXIF's thumbnail; none if it is missing or does not lie inside the segment.
    ///
    /// The second directory has its offset, relative to the start of the TIFF structure.
    private static func thumbnails(in file: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        let segment = JPEGSegments(file).first(JPEGSegments.application + 1, named: "Exif\0\0")
        guard let segment, let exif = TIFFReader(segment), let place = exif.next(after: exif.start)
        else { return [] }
        let directory = exif.directory(at: place)
        guard let offset = directory[Tag.offset].flatMap(exif.long),
            let length = directory[Tag.length].flatMap(exif.long)
        else { return [] }
        return range(of: segment, offset, length)
    }

    /// The large thumbnails of a multi-picture file.
    ///
    /// Their offsets in the file are relative to the start of its index.
    private static func mpfThumbnails(in file: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        let segment = JPEGSegments(file).first(JPEGSegments.application + 2, named: "MPF\0")
        guard let segment, let base = file.baseAddress, let start = segment.baseAddress,
            let index = TIFFReader(segment),
            let entry = index.directory(at: index.start)[Tag.entries],
            let entries = index.value(entry, limit: 16 * mostPictures)
        else { return [] }
        let rest = UnsafeRawBufferPointer(rebasing: file[(start - base)...])
        let numbers = FileBytes(entries)
        let read = index.isLittle ? numbers.little32 : numbers.big32
        return stride(from: 0, to: entries.count - 15, by: 16).flatMap {
            place -> [UnsafeRawBufferPointer] in
            // The high byte of the 24-bit type is 1 for large thumbnails of all screen sizes.
            guard read(place) >> 16 & 0xFF == 1 else { return [] }
            return range(of: rest, read(place + 8), read(place + 4))
        }
    }

    private static func range(
        of bytes: UnsafeRawBufferPointer, _ offset: Int, _ length: Int
    ) -> [UnsafeRawBufferPointer] {
        guard offset > 0, length > 0, FileBytes(bytes).has(length, at: offset) else { return [] }
        return [UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)])]
    }

    /// Smaller embedded pictures are upscaled, so that none of their few pixels is lost.
    private static let smallSide = 512
    /// A larger preview would take too long to decode: previews are shown for a short time only.
    private static let largestSide = 1024
    /// To an eighth, which is the smallest scale that the library decodes to.
    private static let coarsestMipLevel = 3

    /// Decodes the embedded picture, scaled to the size of a reduction of the picture.
    ///
    /// `whole` is the size of the picture in pixels, as stored. `color` is its colour space, for
    /// embedded pictures without one; with `isGray` they have no colours either. Nil if the data is
    /// incomplete. Call this once.
    func preview(
        of whole: PixelSize, _ color: ColorSource, isGray: Bool = false
    ) throws(DecodeFailure) -> StillPreview? {
        rows.assume(color)
        if isGray { rows.assumeGray() }
        let isSmall = size.longestSide < Self.smallSide
        let limit = PixelSize(
            width: min(size.width, Self.largestSide), height: min(size.height, Self.largestSide))
        let fitting = (1...16).first { whole.reduced(by: $0).fits(into: limit) }
        guard let fitting else { return nil }
        let mipLevel = isSmall ? fitting - 1 : fitting
        let reduced = whole.reduced(by: mipLevel)
        // The library decodes to a smaller scale in a fraction of the time.
        let quickest = (0...Self.coarsestMipLevel).last { reduced.fits(into: size.reduced(by: $0)) }
        try rows.start(mipLevel: quickest ?? 0)
        let scaled: any RowSource =
            isSmall
            ? try EnlargedRows(rows, to: reduced) : try ScaledRows(try RowStream(rows), to: reduced)
        return scaled.isComplete ? StillPreview(mipLevel: mipLevel, rows: scaled) : nil
    }
}

extension PixelSize {
    fileprivate func fits(into other: PixelSize) -> Bool {
        width <= other.width && height <= other.height
    }
}
