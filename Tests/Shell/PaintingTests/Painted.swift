import Geometry
import Painting
import ImageTypes
import SceneModel

extension Bitmap {
    /// One level with these pixels, row by row, between guard pages.
    init(
        _ size: PixelSize, format: PixelFormat = .rgb24, words: [UInt32],
        at end: GuardedMemory.End = .last
    ) {
        self.init(
            size: size, format: format,
            levels: [.init(mipLevel: 0, size: size, stride: size.width * 4, offset: 0)],
            memory: GuardedMemory(words, at: end))
    }

    /// One level, pixel by pixel, between guard pages.
    init(_ size: PixelSize, format: PixelFormat = .rgb24, _ pixel: (Int, Int) -> UInt32) {
        let words = (0..<size.width * size.height).map {
            pixel($0 % size.width, $0 / size.width)
        }
        self.init(size, format: format, words: words)
    }

    /// The pixels of the finest level, row by row.
    var words: [UInt32] {
        let level = levels[0]
        let all = memory.bytes.bindMemory(to: UInt32.self)
        return (0..<level.size.height).flatMap { y in
            all[((level.offset + y * level.stride) / 4)...].prefix(level.size.width)
        }
    }
}

extension Scene {
    /// The value of a pixel that `painted` has not painted.
    static let untouched: UInt32 = 0x1234_5678

    /// Paints the scene, with `bitmap` for all of its pictures, and returns the canvas's pixels.
    ///
    /// Bands are painted from the top down, or from the bottom up if `reversed`. If `isAligned`, rows
    /// begin with cache lines, as a window's do, so that non-temporal stores are used.
    func painted(
        with bitmap: Bitmap, kernel: PaintingKernel = .best, blockSide: Int = 1,
        damage: [PixelRect]? = nil, reversed: Bool = false,
        isAligned: Bool = true, by painter: Painter? = nil
    ) -> [UInt32] {
        let size = pixelSize
        let stride = Bitmap.Level.stride(ofWidth: size.width)
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 4 + stride * size.height, alignment: 64)
        defer { memory.deallocate() }
        let words = memory.bindMemory(to: UInt32.self)
        words.update(repeating: Self.untouched)
        let start = isAligned ? 0 : 1
        let rows = UnsafeMutableRawBufferPointer(rebasing: memory[(start * 4)...])
        (painter ?? Painter(kernel: kernel)).paint(
            self, into: Canvas(memory: rows, size: size, stride: stride), blockSide: blockSide,
            damage: damage ?? [PixelRect(size)], bitmap: { _ in bitmap },
            concurrently: { count, band in
                for number in 0..<count { band(reversed ? count - 1 - number : number) }
            })
        return (0..<size.height).flatMap { y in
            words[(start + y * stride / 4)...].prefix(size.width)
        }
    }
}
