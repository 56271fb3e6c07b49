import CCairo
import Geometry
package import ImageTypes

/// Pixels of planes, for what needs pixels.
extension Bitmap {
    /// A level as pixels, in a bitmap that has only this level; the bitmap itself if it has pixels.
    ///
    /// Nil without memory.
    package func pixels(of level: Level) -> (bitmap: Bitmap, level: Level)? {
        guard format == .planes else { return (self, level) }
        guard let memory = OwnedPixels(size: level.size),
            paintPixels(PixelRect(level.size), of: level, into: memory.canvas, .best)
        else { return nil }
        let own = memory.level(mipLevel: level.mipLevel)
        return (Bitmap(size: size, format: .rgb24, levels: [own], memory: memory), own)
    }

    /// Calls `body` with the pixels in `region` of a level of planes; returns false without memory.
    ///
    /// The memory is that of the heap: few pixels are made many times a frame.
    func withPixels(
        in region: PixelRect, of level: Level, _ kernel: PaintingKernel = .best,
        _ body: (Canvas) -> Void
    ) -> Bool {
        guard let scratch = ScratchCanvas(rows: region.height, of: region.size) else {
            return false
        }
        let canvas = scratch.canvas(from: 0)
        guard paintPixels(region, of: level, into: canvas, kernel) else { return false }
        body(canvas)
        return true
    }

    /// Writes the pixels in `region` of a level of planes to a canvas of that size; false without memory.
    private func paintPixels(
        _ region: PixelRect, of level: Level, into canvas: Canvas, _ kernel: PaintingKernel
    ) -> Bool {
        let matrix = cairo_matrix_t(
            xx: 1, yx: 0, xy: 0, yy: 1, x0: Double(region.x), y0: Double(region.y))
        let target = PixelRect(region.size)
        guard !region.isEmpty,
            let resampling = PlanarResampling(of: level, in: self, by: matrix, for: target, kernel)
        else { return false }
        resampling.paint(target, into: canvas, blending: nil, isReadSoon: true)
        return true
    }
}
