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
        let (size, channels) = (bitmap.levels[0].size, channels)
        // Zeros stand for the pixel to the left of the first one, and for the row above the first.
        let length = (1 + size.width) * channels
        var samples = [UInt8](repeating: 0, count: (1 + size.height) * length)
        return samples.withUnsafeMutableBufferPointer { samples in
            for y in 0..<size.height { fill(samples, (1 + y) * length + channels, y) }
            let width = length - channels
            return [UInt8](unsafeUninitializedCapacity: size.height * (1 + width)) {
                result, count in
                for y in 0..<size.height {
                    result[count] = Self.averageFilter
                    Self.filter(
                        UnsafeBufferPointer(rebasing: samples[((1 + y) * length)...]),
                        above: UnsafeBufferPointer(rebasing: samples[(y * length + channels)...]),
                        channels: channels,
                        to: UnsafeMutableBufferPointer(rebasing: result[(count + 1)...]), width)
                    count += 1 + width
                }
            }
        }
    }

    /// Filters `width` bytes of a row, which begins with a pixel of zeros.
    private static func filter(
        _ row: UnsafeBufferPointer<UInt8>, above: UnsafeBufferPointer<UInt8>, channels: Int,
        to result: UnsafeMutableBufferPointer<UInt8>, _ width: Int
    ) {
        for x in 0..<width {
            // The mean without a ninth bit, so that the compiler takes many bytes at a time.
            let (left, above) = (row[x], above[x])
            let mean = (left & above) &+ (left ^ above) &>> 1
            result[x] = row[x + channels] &- mean
        }
    }

    /// Writes the samples of row `y` to `samples`, from `start`.
    private func fill(_ samples: UnsafeMutableBufferPointer<UInt8>, _ start: Int, _ y: Int) {
        let level = bitmap.levels[0]
        let (bytes, offset) = (bitmap.memory.bytes, level.offset + y * level.stride)
        for x in 0..<level.size.width {
            let pixel = bytes.load(fromByteOffset: offset + 4 * x, as: UInt32.self)
            let place = start + x * channels
            let alpha = channels == 3 ? 255 : pixel >> 24
            samples[place] = Self.straight(pixel >> 16 & 255, alpha)
            samples[place + 1] = Self.straight(pixel >> 8 & 255, alpha)
            samples[place + 2] = Self.straight(pixel & 255, alpha)
            if channels == 4 { samples[place + 3] = UInt8(truncatingIfNeeded: alpha) }
        }
    }

    /// A sample that is not multiplied by alpha, as PNG wants it.
    @inline(__always)
    private static func straight(_ value: UInt32, _ alpha: UInt32) -> UInt8 {
        if alpha == 255 { return UInt8(truncatingIfNeeded: value) }
        return alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
    }
}
