import CCodecs
import Geometry
import ImageTypes

/// A small picture that a JPEG file holds of its own one: EXIF's thumbnail, or a larger one of a file of
/// several pictures.
///
/// Only what lies in the file, is an ordinary JPEG itself and has the picture's shape is believed to be
/// one; what such a picture holds in its turn is never looked at. Sources: EXIF 2.3 (CIPA DC-008), 4.5.5
/// and 4.6.4; CIPA DC-007 (Multi-Picture Format), 5.2.
struct EmbeddedJPEG {
    let bytes: UnsafeRawBufferPointer
    let size: PixelSize

    /// Larger ones take as long as a reduced decode of the picture itself.
    private static let mostPixels = 1920 * 1440
    private static let leastSide = 64
    /// How many pixels it may be off the picture's shape, by rounding; bars above and below are more.
    private static let tolerance = 1.5
    private static let mostPictures = 16

    private enum Tag {
        static let offset = 0x0201
        static let length = 0x0202
        static let entries = 0xB002
    }

    /// Those in the file of a picture of that size, as stored: the thumbnail, and the largest one where that
    /// is larger.
    static func all(in file: UnsafeRawBufferPointer, of size: PixelSize) -> [EmbeddedJPEG] {
        [thumbnails(in: file), largeOnes(in: file)].reduce(into: []) { found, parts in
            let fitting = parts.compactMap { EmbeddedJPEG($0, fitting: size) }
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
        self.bytes = bytes
        size = rows.size
    }

    /// Whether one of its sides is what the other makes of it.
    private static func fits(_ size: PixelSize, _ whole: PixelSize) -> Bool {
        let scale = whole.size.width / whole.size.height
        return abs(size.size.width - size.size.height * scale) <= tolerance
            || abs(size.size.height - size.size.width / scale) <= tolerance
    }

    /// EXIF's: the second directory says where it is, counted from the structure's beginning.
    private static func thumbnails(in file: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        let segment = JPEGSegments(file).first(JPEGSegments.application + 1, named: "Exif\0\0")
        guard let segment, let exif = TIFFReader(segment), let place = exif.next(after: exif.start)
        else { return [] }
        let directory = exif.directory(at: place)
        guard let offset = directory[Tag.offset].flatMap(exif.long),
            let length = directory[Tag.length].flatMap(exif.long)
        else { return [] }
        return part(of: segment, offset, length)
    }

    /// Those that a multi-picture file calls large thumbnails, counted from where its index begins.
    private static func largeOnes(in file: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
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
            // The type's first byte tells thumbnails, for screens of several sizes.
            guard read(place) >> 16 & 0xFF == 1 else { return [] }
            return part(of: rest, read(place + 8), read(place + 4))
        }
    }

    private static func part(
        of bytes: UnsafeRawBufferPointer, _ offset: Int, _ length: Int
    ) -> [UnsafeRawBufferPointer] {
        guard offset > 0, length > 0, FileBytes(bytes).has(length, at: offset) else { return [] }
        return [UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)])]
    }

    /// Smaller ones are made larger, so that none of their few pixels is lost.
    private static let smallSide = 512
    /// More pixels would take too long, for what is not seen for long.
    private static let largestSide = 1024
    /// To an eighth, which is as far as the library reduces.
    private static let deepestReduction = 3

    /// Decodes it, to a reduction of the picture of that size; `color` is the picture's, which it has
    /// where it says nothing of its own.
    func preview(of whole: PixelSize, _ color: ColorSource) throws(DecodeFailure) -> StillPreview? {
        let rows = try JPEGRows(header: bytes)
        rows.assume(color)
        let isSmall = max(size.width, size.height) < Self.smallSide
        let most = PixelSize(
            width: min(size.width, Self.largestSide), height: min(size.height, Self.largestSide))
        let exponent = (1...16).first { whole.reduced(by: $0).fits(into: most) }
        guard let exponent else { return nil }
        let wanted = isSmall ? exponent - 1 : exponent
        let reduced = whole.reduced(by: wanted)
        // The library's own reductions cost a part of the whole.
        let quickest = (0...Self.deepestReduction).last { reduced.fits(into: size.reduced(by: $0)) }
        try rows.start(exponent: quickest ?? 0)
        let scaled: any RowSource =
            isSmall
            ? try EnlargedRows(rows, to: reduced) : try ScaledRows(try RowStream(rows), to: reduced)
        return scaled.isComplete ? StillPreview(exponent: wanted, rows: scaled) : nil
    }
}

extension PixelSize {
    fileprivate func fits(into other: PixelSize) -> Bool {
        width <= other.width && height <= other.height
    }
}
