package import Geometry
package import ImageTypes

/// The rows of a small opaque picture, upscaled by bilinear interpolation.
package final class EnlargedRows: RowSource {
    package let size: PixelSize
    package let layout = SampleLayout.bgrx8
    package let color = ColorSource.standard
    package let isComplete: Bool
    private let source: PixelSize
    private let pixels: [UInt32]
    private let columns: [Tap]
    private var y = 0

    /// The two source pixels around the centre of a target pixel, along one axis.
    private struct Tap {
        var first: Int
        var second: Int
        /// The weight of `second`, in 1/256.
        var weight: UInt32

        init(_ index: Int, of count: Int, over length: Int) {
            let centre = (Double(index) + 0.5) * Double(length) / Double(count) - 0.5
            let clamped = min(max(centre, 0), Double(length - 1))
            first = Int(clamped)
            second = min(first + 1, length - 1)
            weight = UInt32((clamped - Double(first)) * 256)
        }
    }

    /// Reads all of `rows`, converted to sRGB.
    package init(_ rows: any RowSource, to size: PixelSize) throws(DecodeFailure) {
        self.size = size
        source = rows.size
        let stream = try RowStream(rows)
        var pixels = [UInt32](repeating: 0xFF00_0000, count: source.width * source.height)
        pixels.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for y in 0..<stream.size.height { _ = stream.read(base + y * stream.size.width) }
        }
        self.pixels = pixels
        isComplete = stream.isComplete
        columns = (0..<size.width).map { [source] in
            Tap($0, of: size.width, over: source.width)
        }
    }

    package func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            let target = row.assumingMemoryBound(to: UInt32.self)
            let line = Tap(y, of: size.height, over: source.height)
            let (upper, lower) = (line.first * source.width, line.second * source.width)
            for x in 0..<size.width {
                let column = columns[x]
                target[x] = Self.mix(
                    Self.mix(
                        pixels[upper + column.first], pixels[upper + column.second], column.weight),
                    Self.mix(
                        pixels[lower + column.first], pixels[lower + column.second], column.weight),
                    line.weight)
            }
            y += 1
        }
        return rows.count
    }

    /// Interpolates two channels at a time, in 16 bits each.
    private static func mix(_ a: UInt32, _ b: UInt32, _ weight: UInt32) -> UInt32 {
        let mask: UInt32 = 0x00FF_00FF
        let even = (a & mask) &* (256 &- weight) &+ (b & mask) &* weight
        let odd = (a >> 8 & mask) &* (256 &- weight) &+ (b >> 8 & mask) &* weight
        return (even >> 8 & mask) | (odd & ~mask)
    }
}
