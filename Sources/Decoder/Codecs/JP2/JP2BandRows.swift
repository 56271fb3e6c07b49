import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// Divides a picture that is too large for memory into bands that are decoded one at a time.
struct JP2Bands {
    /// Rows of every band but the last, which may have fewer.
    let height: Int

    /// Pixels of a band: many, because the library reads the whole file again for every band.
    private static let pixels = 16_000_000
    /// A band has at most one in `share` of the pixels that a picture in memory may have.
    private static let share = 6
    /// Bands begin at multiples of this, where chroma rows begin at any subsampling.
    private static let alignment = 4

    /// Makes bands of whole tile rows, unless the tiles are too high.
    init(of picture: JP2Rows) {
        let pixels = min(Self.pixels, DecodeSettings.limits.wholePixels / Self.share)
        let rows = max(pixels / max(picture.size.width, 1), Self.alignment)
        var tiles = picture.tileHeight
        while tiles % Self.alignment != 0, tiles < rows { tiles *= 2 }
        height =
            tiles % Self.alignment == 0 && tiles <= 2 * rows
            ? max(rows / tiles, 1) * tiles : rows / Self.alignment * Self.alignment
    }
}

/// Rows of a picture that is decoded band by band; all samples of an undecodable band are 0.
final class JP2BandRows: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    private(set) var isComplete: Bool
    private let file: JP2File
    private let bands: JP2Bands
    private var band: JP2Rows?
    private var y = 0

    init(_ file: JP2File, _ size: PixelSize, _ bands: JP2Bands) throws(DecodeFailure) {
        (self.file, self.size, self.bands) = (file, size, bands)
        let (first, top) = try Self.firstBand(file, size, bands)
        (layout, color, isComplete) = (first.layout, first.color, first.isComplete && top == 0)
        guard first.size.width == size.width else {
            throw .damaged(
                reason: localized("the decoded size differs from the size in the header"))
        }
        if top == 0 { band = first }
    }

    /// The first band that can be decoded, and its first row; tiles may be stored in any order.
    private static func firstBand(
        _ file: JP2File, _ size: PixelSize, _ bands: JP2Bands
    ) throws(DecodeFailure) -> (JP2Rows, top: Int) {
        do throws(DecodeFailure) {
            return (try band(file, from: 0, size, bands), 0)
        } catch {
            guard file.isCut else { throw error }
            for top in stride(from: bands.height, to: size.height, by: bands.height) {
                if let band = try? band(file, from: top, size, bands) { return (band, top) }
            }
            throw error
        }
    }

    private static func band(
        _ file: JP2File, from top: Int, _ size: PixelSize, _ bands: JP2Bands
    ) throws(DecodeFailure) -> JP2Rows {
        let band = try JP2Rows(header: file, mipLevel: 0)
        try band.decode(top..<min(top + bands.height, size.height))
        return band
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            if y > 0, y % bands.height == 0 {
                // Frees the previous band before the next one is decoded.
                band = nil
                band = try? Self.band(file, from: y, size, bands)
            }
            if let band, band.layout == layout, band.size.width == size.width,
                y % bands.height < band.size.height
            {
                isComplete = isComplete && band.isComplete
                _ = band.read([row])
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
