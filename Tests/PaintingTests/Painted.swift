import Geometry
import Painting
import Pictures
import SceneModel

extension Bitmap {
    /// One level of these words, row by row, between guards.
    init(
        _ size: PixelSize, format: PixelFormat = .rgb24, words: [UInt32],
        at end: GuardedMemory.End = .last
    ) {
        self.init(
            size: size, format: format,
            levels: [.init(exponent: 0, size: size, stride: size.width * 4, offset: 0)],
            memory: GuardedMemory(words, at: end))
    }

    /// One level, pixel by pixel, between guards.
    init(_ size: PixelSize, format: PixelFormat = .rgb24, _ pixel: (Int, Int) -> UInt32) {
        let words = (0..<size.width * size.height).map {
            pixel($0 % size.width, $0 / size.width)
        }
        self.init(size, format: format, words: words)
    }
}

extension Scene {
    /// What a pixel is that `painted` has not painted.
    static let untouched: UInt32 = 0x1234_5678

    /// The words of a canvas on which this was painted, all of its pictures being `bitmap`.
    ///
    /// Bands are painted from the top down, or `reversed`.
    func painted(
        with bitmap: Bitmap, kernel: PaintingKernel = .best, blockSide: Int = 1,
        damage: [PixelRect]? = nil, reversed: Bool = false
    ) -> [UInt32] {
        let size = pixelSize
        var pixels = [UInt32](repeating: Self.untouched, count: size.width * size.height)
        pixels.withUnsafeMutableBytes { memory in
            Painter(kernel: kernel).paint(
                self, into: Canvas(memory: memory, size: size, stride: size.width * 4),
                blockSide: blockSide, damage: damage ?? [PixelRect(size)],
                bitmap: { _ in bitmap },
                concurrently: { count, band in
                    for number in 0..<count { band(reversed ? count - 1 - number : number) }
                })
        }
        return pixels
    }
}
