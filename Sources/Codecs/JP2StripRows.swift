import Geometry
import Pictures

/// How a picture that is too large to be held is cut into strips.
struct JP2Strips {
    /// In rows, but for the last one.
    let height: Int

    /// So many pixels in one are worth what each costs: the library reads all of the file anew.
    private static let pixels = 16_000_000
    /// Of those that are held of a picture at most.
    private static let share = 6
    /// Strips begin where chroma does, however it is subsampled.
    private static let alignment = 4

    /// Whole tiles, where they are not too large.
    init(of picture: JP2Rows) {
        let pixels = min(Self.pixels, PictureDecoders.limits.wholePixels / Self.share)
        let rows = max(pixels / max(picture.size.width, 1), Self.alignment)
        var tiles = picture.tileHeight
        while tiles % Self.alignment != 0, tiles < rows { tiles *= 2 }
        height =
            tiles % Self.alignment == 0 && tiles <= 2 * rows
            ? max(rows / tiles, 1) * tiles : rows / Self.alignment * Self.alignment
    }
}

/// The rows of a picture that is decoded strip by strip.
final class JP2StripRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    private(set) var isComplete: Bool
    private let bytes: UnsafeRawBufferPointer
    private let strips: JP2Strips
    private var strip: JP2Rows?
    private var y = 0

    init(
        _ bytes: UnsafeRawBufferPointer, _ size: PixelSize, _ strips: JP2Strips
    ) throws(DecodeFailure) {
        (self.bytes, self.size, self.strips) = (bytes, size, strips)
        let first = try Self.strip(bytes, 0..<min(strips.height, size.height))
        (layout, color, isComplete) = (first.layout, first.color, first.isComplete)
        strip = first
        guard first.size.width == size.width else {
            throw .damaged(reason: "its size is not what it says")
        }
    }

    private static func strip(
        _ bytes: UnsafeRawBufferPointer, _ rows: Range<Int>
    ) throws(DecodeFailure) -> JP2Rows {
        let strip = try JP2Rows(header: bytes, exponent: 0)
        try strip.decode(rows)
        return strip
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for (index, row) in rows.enumerated() {
            if y > 0, y % strips.height == 0 {
                // The one before is let go first.
                strip = nil
                strip = try? Self.strip(bytes, y..<min(y + strips.height, size.height))
            }
            guard let strip, strip.layout == layout, strip.size.width == size.width,
                y % strips.height < strip.size.height
            else {
                isComplete = false
                return index
            }
            isComplete = isComplete && strip.isComplete
            _ = strip.read([row])
            y += 1
        }
        return rows.count
    }
}
