import CCairo
import CPainting
import Geometry
package import ImageTypes

/// Pixels of planes, for what is seldom done with a picture and needs pixels.
extension Bitmap {
    /// A level as pixels, in a bitmap that has only this level; the bitmap itself if it has pixels.
    ///
    /// Nil without memory.
    package func pixels(of level: Level) -> (bitmap: Bitmap, level: Level)? {
        guard format == .planes else { return (self, level) }
        guard let memory = ownedPixels(PixelRect(level.size), of: level) else { return nil }
        let own = memory.level(mipLevel: level.mipLevel)
        return (Bitmap(size: size, format: .rgb24, levels: [own], memory: memory), own)
    }

    /// The pixels in `region` of a level of planes; nil without memory.
    func ownedPixels(
        _ region: PixelRect, of level: Level, _ kernel: PaintingKernel = .best
    ) -> OwnedPixels? {
        let matrix = cairo_matrix_t(
            xx: 1, yx: 0, xy: 0, yy: 1, x0: Double(region.x), y0: Double(region.y))
        let target = PixelRect(region.size)
        guard !region.isEmpty, let memory = OwnedPixels(size: region.size),
            let resampling = PlanarResampling(of: level, in: self, by: matrix, for: target, kernel)
        else { return nil }
        resampling.paint(target, into: memory.canvas, blending: nil)
        return memory
    }
}
