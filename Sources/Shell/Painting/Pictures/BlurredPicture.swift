import Geometry
package import ImageTypes

/// A small blurred and darkened copy of a picture, to be enlarged beside the picture itself.
///
/// It has at most 96 pixels a side and is made from the coarsest level that has as many, which takes one
/// or two milliseconds. The blur is so wide that bilinear enlargement shows no pixels.
package enum BlurredPicture {
    /// The longer side, in pixels.
    private static let side = 96
    /// Two means over 2·radius + 1 pixels are roughly a Gauss filter with a standard deviation of
    /// `radius`.
    private static let radius = 4
    private static let passes = 2
    /// So that the picture stands out.
    private static let brightness: Float = 0.55

    /// Nil without memory.
    package static func make(of bitmap: Bitmap) -> Bitmap? {
        let longest = max(bitmap.size.width, bitmap.size.height)
        let size = PixelSize(
            width: max(bitmap.size.width * side / max(longest, side), 1),
            height: max(bitmap.size.height * side / max(longest, side), 1))
        let level = bitmap.level(for: Double(size.width) / Double(bitmap.size.width))
        guard let pixels = OwnedPixels(size: size),
            let (bitmap, level) = bitmap.pixels(of: level)
        else { return nil }
        var planes = [0, 8, 16].map { shift in
            reduced(level, of: bitmap, to: size, shift: UInt32(shift))
        }
        for plane in planes.indices {
            for _ in 0..<passes {
                planes[plane] = blurred(planes[plane], rows: size.height, width: size.width)
                planes[plane] = transposed(planes[plane], width: size.width)
                planes[plane] = blurred(planes[plane], rows: size.width, width: size.height)
                planes[plane] = transposed(planes[plane], width: size.height)
            }
        }
        let canvas = pixels.canvas
        for y in 0..<size.height {
            let row = canvas.row(y).assumingMemoryBound(to: UInt32.self)
            for x in 0..<size.width {
                func part(_ plane: Int) -> UInt32 {
                    UInt32(min(max(planes[plane][y * size.width + x] * brightness, 0), 255))
                }
                row[x] = 0xff00_0000 | part(2) << 16 | part(1) << 8 | part(0)
            }
        }
        return pixels.bitmap
    }

    /// One colour of a level, as means over the pixels of a smaller grid, 0…255.
    private static func reduced(
        _ level: Bitmap.Level, of bitmap: Bitmap, to size: PixelSize, shift: UInt32
    ) -> [Float] {
        var means: [Float] = []
        means.reserveCapacity(size.width * size.height)
        let bytes = bitmap.memory.bytes
        for y in 0..<size.height {
            let rows = range(y, of: size.height, in: level.size.height)
            for x in 0..<size.width {
                let columns = range(x, of: size.width, in: level.size.width)
                var sum: UInt32 = 0
                for row in rows {
                    let start = level.offset + row * level.stride
                    for column in columns {
                        let pixel = bytes.load(
                            fromByteOffset: start + column * 4, as: UInt32.self)
                        sum += pixel >> shift & 255
                    }
                }
                means.append(Float(sum) / Float(rows.count * columns.count))
            }
        }
        return means
    }

    /// The pixels of a level that the pixel number `index` of `count` covers.
    private static func range(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
        let start = min(index * length / count, length - 1)
        return start..<max((index + 1) * length / count, start + 1)
    }

    /// The mean of each pixel with its neighbours in its row; beyond the ends the last pixel counts.
    private static func blurred(_ plane: [Float], rows: Int, width: Int) -> [Float] {
        var result = plane
        for row in 0..<rows {
            let start = row * width
            func value(_ x: Int) -> Float { plane[start + min(max(x, 0), width - 1)] }
            var sum = (-radius...radius).reduce(Float(0)) { $0 + value($1) }
            for x in 0..<width {
                result[start + x] = sum / Float(2 * radius + 1)
                sum += value(x + radius + 1) - value(x - radius)
            }
        }
        return result
    }

    private static func transposed(_ plane: [Float], width: Int) -> [Float] {
        let height = plane.count / width
        var result = plane
        for y in 0..<height {
            for x in 0..<width { result[x * height + y] = plane[y * width + x] }
        }
        return result
    }
}
