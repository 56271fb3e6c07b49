import Geometry
import ImageTypes

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

/// The rows of a picture that is decoded strip by strip; of strips that cannot be decoded they are black.
final class JP2StripRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    private(set) var isComplete: Bool
    private let file: JP2File
    private let strips: JP2Strips
    private var strip: JP2Rows?
    private var y = 0

    init(_ file: JP2File, _ size: PixelSize, _ strips: JP2Strips) throws(DecodeFailure) {
        (self.file, self.size, self.strips) = (file, size, strips)
        let (first, top) = try Self.firstStrip(file, size, strips)
        (layout, color, isComplete) = (first.layout, first.color, first.isComplete && top == 0)
        guard first.size.width == size.width else {
            throw .damaged(reason: "its size is not what it says")
        }
        if top == 0 { strip = first }
    }

    /// The first one of which there is something, and the row it begins with: tiles come in any order.
    private static func firstStrip(
        _ file: JP2File, _ size: PixelSize, _ strips: JP2Strips
    ) throws(DecodeFailure) -> (JP2Rows, top: Int) {
        do throws(DecodeFailure) {
            return (try strip(file, from: 0, size, strips), 0)
        } catch {
            guard file.isCut else { throw error }
            for top in stride(from: strips.height, to: size.height, by: strips.height) {
                if let strip = try? strip(file, from: top, size, strips) { return (strip, top) }
            }
            throw error
        }
    }

    private static func strip(
        _ file: JP2File, from top: Int, _ size: PixelSize, _ strips: JP2Strips
    ) throws(DecodeFailure) -> JP2Rows {
        let strip = try JP2Rows(header: file, exponent: 0)
        try strip.decode(top..<min(top + strips.height, size.height))
        return strip
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            if y > 0, y % strips.height == 0 {
                // The one before is let go first.
                strip = nil
                strip = try? Self.strip(file, from: y, size, strips)
            }
            if let strip, strip.layout == layout, strip.size.width == size.width,
                y % strips.height < strip.size.height
            {
                isComplete = isComplete && strip.isComplete
                _ = strip.read([row])
            } else {
                isComplete = false
                row.initializeMemory(
                    as: UInt8.self, repeating: 0, count: size.width * layout.bytesPerPixel)
            }
            y += 1
        }
        return rows.count
    }
}
