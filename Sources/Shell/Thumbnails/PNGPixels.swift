import Geometry
import ImageTypes

/// The pixels of a bitmap in the form of a PNG's IDAT chunk.
///
/// Every row has the Average filter, and only runs are compressed: the smallest result and nearly the
/// fastest for small photographs, as `Sources/Documentation/decisions.md` says.
struct PNGPixels {
    /// Channels per pixel: three without, and four with alpha.
    let channels: Int
    private let bitmap: Bitmap

    /// The filter type Average (PNG 9.2).
    private static let averageFilter: UInt8 = 3

    /// Takes the finest level of `bitmap`.
    init(_ bitmap: Bitmap) {
        self.bitmap = bitmap
        channels = bitmap.format == .rgb24 ? 3 : 4
    }

    /// The content of the IDAT chunk.
    func compressed() -> [UInt8] { RunDeflate.zlibStream(filtered()) }

    /// Every row after its filter type; a byte is the difference to the mean of the bytes of the same
    /// channel to the left and above.
    private func filtered() -> [UInt8] {
        let size = bitmap.levels[0].size
        // Zeros stand for the pixel to the left of the first one, and for the row above the first.
        var row = [UInt8](repeating: 0, count: (1 + size.width) * channels)
        var above = row
        let count = size.height * (1 + size.width * channels)
        return [UInt8](unsafeUninitializedCapacity: count) { result, filled in
            for y in 0..<size.height {
                row.withUnsafeMutableBufferPointer { fill($0, y) }
                result[filled] = Self.averageFilter
                let target = UnsafeMutableBufferPointer(rebasing: result[(filled + 1)...])
                row.withUnsafeBufferPointer { row in
                    above.withUnsafeBufferPointer { filter(row, above: $0, to: target) }
                }
                filled += 1 + size.width * channels
                swap(&row, &above)
            }
        }
    }

    /// Filters the bytes of a row but its first pixel.
    private func filter(
        _ row: UnsafeBufferPointer<UInt8>, above: UnsafeBufferPointer<UInt8>,
        to result: UnsafeMutableBufferPointer<UInt8>
    ) {
        let channels = channels
        for x in 0..<(row.count - channels) {
            // The mean without a ninth bit, so that the compiler takes many bytes at a time.
            let (left, above) = (row[x], above[x + channels])
            let mean = (left & above) &+ (left ^ above) &>> 1
            result[x] = row[x + channels] &- mean
        }
    }

    /// Writes the samples of row `y` behind the first pixel of `row`.
    private func fill(_ row: UnsafeMutableBufferPointer<UInt8>, _ y: Int) {
        let level = bitmap.levels[0]
        let (bytes, offset) = (bitmap.memory.bytes, level.offset + y * level.stride)
        for x in 0..<level.size.width {
            let pixel = bytes.load(fromByteOffset: offset + 4 * x, as: UInt32.self)
            let place = (1 + x) * channels
            let alpha = channels == 3 ? 255 : pixel >> 24
            row[place] = Self.straight(pixel >> 16 & 255, alpha)
            row[place + 1] = Self.straight(pixel >> 8 & 255, alpha)
            row[place + 2] = Self.straight(pixel & 255, alpha)
            if channels == 4 { row[place + 3] = UInt8(truncatingIfNeeded: alpha) }
        }
    }

    /// A sample that is not multiplied by alpha, as PNG wants it.
    @inline(__always)
    private static func straight(_ value: UInt32, _ alpha: UInt32) -> UInt8 {
        if alpha == 255 { return UInt8(truncatingIfNeeded: value) }
        return alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
    }
}
