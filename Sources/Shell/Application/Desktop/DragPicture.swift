import Geometry
import ImageTypes
import Painting
import WaylandClient

extension DragIcon {
    /// The longest side of a drag's picture, in logical pixels.
    private static let side = 96
    /// How much of the picture's colours is seen.
    private static let opacity: UInt32 = 208

    /// A small picture of a bitmap, a little transparent, whose middle is under the pointer or finger.
    ///
    /// Each pixel is the nearest one of the level that is just large enough.
    init?(_ bitmap: Bitmap, scale: Double) {
        let factor = min(max(Int(scale.rounded(.up)), 1), 4)
        let longest = Double(max(bitmap.size.width, bitmap.size.height, 1))
        func length(_ side: Int) -> Int {
            max(1, Int((Double(side) * Double(Self.side) / longest).rounded())) * factor
        }
        let size = PixelSize(width: length(bitmap.size.width), height: length(bitmap.size.height))
        guard
            let nearest = bitmap.levels.last(where: { $0.size.width >= size.width })
                ?? bitmap.levels.first, let (bitmap, level) = bitmap.pixels(of: nearest)
        else { return nil }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.width * size.height)
        for y in 0..<size.height {
            let row =
                level.offset + (2 * y + 1) * level.size.height / (2 * size.height) * level.stride
            for x in 0..<size.width {
                let column = (2 * x + 1) * level.size.width / (2 * size.width)
                let pixel = bitmap.memory.bytes.load(
                    fromByteOffset: row + 4 * column, as: UInt32.self)
                pixels.append(Self.faded(bitmap.format == .rgb24 ? pixel | 0xFF00_0000 : pixel))
            }
        }
        self.init(
            size: size, pixels: pixels, scale: factor,
            hotspot: Point(
                x: Double(size.width / factor) / 2, y: Double(size.height / factor) / 2))
    }

    private static func faded(_ pixel: UInt32) -> UInt32 {
        [24, 16, 8, 0].reduce(0) { result, shift in
            result | ((pixel >> shift & 255) * opacity / 255) << shift
        }
    }
}
