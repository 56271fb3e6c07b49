import Geometry
import ImageTypes

/// The pixels of a bitmap in the form of a PNG's IDAT chunk.
///
/// Every row has the Average filter, and only runs are compressed: the smallest result and nearly the
/// fastest for small photographs, as `Sources/Documentation/decisions/thumbnails.md` says.
struct PNGPixels {
    /// Channels per pixel: three without, and four with alpha.
    let channels: Int
    private let bitmap: Bitmap

    /// The filter type Average (PNG 9.2).
    private static let averageFilter: UInt8 = 3

    /// Takes the finest level of `bitmap`.
    init(_ bitmap: Bitmap) {
        self.bitmap = bitmap
        precondition(bitmap.format != .planes, "a PNG of planes")
        channels = bitmap.format == .rgb24 ? 3 : 4
    }

    /// The content of the IDAT chunk.
    func compressed() -> [UInt8] { RunDeflate.zlibStream(filtered()) }

    /// Every row after its filter type; a byte is the difference to the mean of the bytes of the same
    /// channel to the left and above.
    private func filtered() -> [UInt8] {
        let size = bitmap.levels[0].size
        let length = size.width * channels
        // Zeros stand for the pixel to the left of the first one, and for the row above the first.
        var row = [UInt8](repeating: 0, count: channels + length + Self.slack)
        var above = row
        let count = size.height * (1 + length)
        return [UInt8](unsafeUninitializedCapacity: count + Self.slack) { result, filled in
            let result = UnsafeMutableRawBufferPointer(result)
            for y in 0..<size.height {
                row.withUnsafeMutableBytes { fill($0, y) }
                result[filled] = Self.averageFilter
                row.withUnsafeBytes { row in
                    above.withUnsafeBytes { filter(row, above: $0, length, to: result, filled + 1) }
                }
                filled += 1 + length
                swap(&row, &above)
            }
        }
    }

    /// Room behind the last byte, for access to eight bytes at a time.
    private static let slack = 8

    /// Filters the `length` bytes of a row behind the zero pixel, and writes them to `place`.
    private func filter(
        _ row: UnsafeRawBufferPointer, above: UnsafeRawBufferPointer, _ length: Int,
        to result: UnsafeMutableRawBufferPointer, _ place: Int
    ) {
        // Eight bytes at a time, none of which carries into the next.
        let (low, high): (UInt64, UInt64) = (0x7F7F_7F7F_7F7F_7F7F, 0x8080_8080_8080_8080)
        for x in stride(from: 0, to: length, by: 8) {
            let left = row.loadUnaligned(fromByteOffset: x, as: UInt64.self)
            let bytes = row.loadUnaligned(fromByteOffset: x + channels, as: UInt64.self)
            let above = above.loadUnaligned(fromByteOffset: x + channels, as: UInt64.self)
            // (a + b) / 2 is (a & b) + (a ^ b) / 2.
            let mean = (left & above) &+ ((left ^ above) &>> 1 & low)
            // No byte borrows from the next one, since its highest bit is set; that bit is then corrected.
            let difference = ((bytes | high) &- (mean & low)) ^ ((bytes ^ ~mean) & high)
            result.storeBytes(of: difference, toByteOffset: place + x, as: UInt64.self)
        }
    }

    /// Writes the samples of row `y` behind the zero pixel of `row`.
    private func fill(_ row: UnsafeMutableRawBufferPointer, _ y: Int) {
        let level = bitmap.levels[0]
        let (bytes, offset) = (bitmap.memory.bytes, level.offset + y * level.stride)
        for x in 0..<level.size.width {
            let pixel = bytes.load(fromByteOffset: offset + 4 * x, as: UInt32.self)
            // Red, green, blue and alpha in the order of their bytes. Without alpha, the next pixel
            // replaces the fourth byte, which lies behind the row after the last pixel.
            let samples = channels == 3 ? pixel : Self.straight(pixel)
            row.storeBytes(
                of: (samples &<< 8 | samples &>> 24).bigEndian, toByteOffset: (1 + x) * channels,
                as: UInt32.self)
        }
    }

    /// A pixel whose colours are not multiplied by alpha, as PNG wants them.
    private static func straight(_ pixel: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        guard alpha < 255 else { return pixel }
        guard alpha > 0 else { return 0 }
        func sample(_ shift: UInt32) -> UInt32 {
            min(255, ((pixel >> shift & 255) * 255 + alpha / 2) / alpha) << shift
        }
        return alpha << 24 | sample(16) | sample(8) | sample(0)
    }
}
