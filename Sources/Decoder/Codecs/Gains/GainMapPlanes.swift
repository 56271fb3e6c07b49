import Geometry
import Glibc
import ImageTypes
import Metadata
import RasterPipeline

/// The gains of a gain map as planes: one of luma for a map that means the same for all channels, else also chroma.
///
/// A map says light = (base + offset) · 2^gain − offset. A painter only multiplies, so the codes here are those of
/// the whole ratio of light to base, which the offsets change mostly in shadows. That ratio is exact where all
/// of the gain counts.
final class GainMapPlanes: PlaneSource {
    let range: GainRange
    let size: PixelSize
    let format: ChromaFormat
    private let rows: RowStream
    private let orientation: Orientation
    /// The picture under the map; nil where no offset matters.
    private let base: BasePixels?
    /// The codes of each channel, for 256 codes of the map; with a base for those under each base code.
    private let codes: [[UInt8]]
    private let pixels: ScratchRows
    private var y = 0

    var isComplete: Bool { rows.isComplete }

    /// `rows` are those of the map, as stored, with its codes as colours.
    ///
    /// Both pictures have the same orientation. Nil for a map that makes nothing brighter, or with the brighter
    /// picture as the base.
    init?(
        _ rows: RowStream, _ map: GainMap, _ orientation: Orientation,
        base: (PixelSize) -> BasePixels?
    ) {
        let hasOffsets = map.channels.contains { channel in channel.offsets.contains { $0 != 0 } }
        let gains = (0..<3).map { channel in
            (0...255).map { map.gain(Double($0) / 255, channel: channel) }
        }
        let least = gains.compactMap { $0.min() }.min() ?? 0
        let most = gains.compactMap { $0.max() }.max() ?? 0
        // The ratios of shadows exceed the gains of the map.
        let margin = hasOffsets ? Self.shadowStops : 0
        guard map.baseHeadroom < map.alternateHeadroom, least != 0 || most != 0,
            let range = GainRange(
                minimum: least < 0 ? least - margin : least,
                maximum: most > 0 ? most + margin : most, start: map.baseHeadroom,
                full: map.alternateHeadroom)
        else { return nil }
        (self.rows, self.orientation, self.range) = (rows, orientation, range)
        size = rows.size
        self.base = hasOffsets ? base(orientation.upright(rows.size)) : nil
        let isGray = map.channels.count == 1 && self.base == nil
        format = isGray ? .gray : ChromaFormat(columnShift: 1, rowShift: 1)
        if self.base == nil {
            codes = gains.map { $0.map(range.code) }
        } else {
            codes = zip(gains, (0..<3).map { map.channels[map.channels.count == 1 ? 0 : $0] })
                .map { Self.ratios($0, $1.offsets, range) }
        }
        pixels = ScratchRows(size.width * 4, count: 2)
    }

    /// Stops by which the ratios of shadows may exceed the gains.
    private static let shadowStops = 1.5

    /// The codes of the ratios of light to base for each code of the base, and then of the map.
    private static func ratios(
        _ gains: [Double], _ offsets: [Double], _ range: GainRange
    ) -> [UInt8] {
        let factors = gains.map { exp2($0) }
        return (0...255).flatMap { base in
            let light = pow(max(Double(base), 0.5) / 255, 2.2)
            return factors.map { factor in
                let ratio = ((light + offsets[0]) * factor - offsets[1]) / light
                return range.code(ratio > 0 ? log2(ratio) : -GainRange.largest)
            }
        }
    }

    func read(
        luma: [UnsafeMutablePointer<UInt8>], chroma: [UnsafeMutablePointer<UInt8>]
    ) -> Int {
        if format == .gray { return readGray(luma, chroma) }
        var count = 0
        for (number, target) in chroma.enumerated() {
            let pair = luma[(2 * number)..<min(2 * number + 2, luma.count)]
            let before = count
            for (index, row) in pair.enumerated() {
                guard readRow(pixels.rows[index]) else { break }
                count += 1
                writeLuma(pixels.rows[index], to: row)
            }
            guard count > before else { break }
            writeChroma(pixels.rows[0], pixels.rows[count - before - 1], to: target)
            guard count - before == pair.count else { break }
        }
        return count
    }

    private func readGray(
        _ luma: [UnsafeMutablePointer<UInt8>], _ chroma: [UnsafeMutablePointer<UInt8>]
    ) -> Int {
        for row in chroma {
            row.update(repeating: 128, count: 2 * format.samples(of: size, at: 0).width)
        }
        for (number, row) in luma.enumerated() {
            let pixel = pixels.rows[0].assumingMemoryBound(to: UInt32.self)
            guard rows.read(pixel) else { return number }
            // Green is the sample itself, or the most of luma.
            for x in 0..<size.width { row[x] = codes[1][Int(pixel[x] >> 8 & 255)] }
        }
        return luma.count
    }

    /// Reads the next row of the map as pixels of the codes to show; false at the end.
    private func readRow(_ row: UnsafeMutableRawPointer) -> Bool {
        let pixel = row.assumingMemoryBound(to: UInt32.self)
        guard rows.read(pixel) else { return false }
        defer { y += 1 }
        let upright = orientation.upright(size)
        for x in 0..<size.width {
            let map = (
                Int(pixel[x] >> 16 & 255), Int(pixel[x] >> 8 & 255), Int(pixel[x] & 255)
            )
            var under = (red: 0, green: 0, blue: 0)
            if let base {
                let place = OrientationTransform.upright(x, y, orientation, upright)
                under = base.pixel(place.column, place.row)
            }
            pixel[x] =
                UInt32(codes[0][under.red << 8 | map.0]) << 16
                | UInt32(codes[1][under.green << 8 | map.1]) << 8
                | UInt32(codes[2][under.blue << 8 | map.2])
        }
        return true
    }

    /// Writes luma by the matrix of ITU-R BT.601, in units of 1/65536.
    private func writeLuma(_ row: UnsafeRawPointer, to luma: UnsafeMutablePointer<UInt8>) {
        let pixel = row.assumingMemoryBound(to: UInt32.self)
        for x in 0..<size.width {
            let (red, green, blue) = (
                pixel[x] >> 16 & 255, pixel[x] >> 8 & 255, pixel[x] & 255
            )
            luma[x] = UInt8((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16)
        }
    }

    /// Writes pairs of Cb and Cr, each the mean of up to four pixels.
    private func writeChroma(
        _ first: UnsafeRawPointer, _ second: UnsafeRawPointer,
        to chroma: UnsafeMutablePointer<UInt8>
    ) {
        let rows = [first, second].map { $0.assumingMemoryBound(to: UInt32.self) }
        for column in 0..<format.samples(of: size, at: 0).width {
            var (red, green, blue) = (0, 0, 0)
            for row in rows {
                for x in [2 * column, min(2 * column + 1, size.width - 1)] {
                    red += Int(row[x] >> 16 & 255)
                    green += Int(row[x] >> 8 & 255)
                    blue += Int(row[x] & 255)
                }
            }
            // The sums are of four pixels.
            let cb = (-11059 * red - 21709 * green + 32768 * blue + (1 << 17)) >> 18
            let cr = (32768 * red - 27439 * green - 5329 * blue + (1 << 17)) >> 18
            chroma[2 * column] = UInt8(min(max(cb + 128, 0), 255))
            chroma[2 * column + 1] = UInt8(min(max(cr + 128, 0), 255))
        }
    }
}
