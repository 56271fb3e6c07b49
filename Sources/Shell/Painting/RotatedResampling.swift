import CCairo
import CPainting
import Geometry
import ImageTypes

/// Bilinear interpolation of a level at any angle, with transparent pixels around the level, which
/// antialias its edge.
///
/// The source position of each pixel is computed from the matrix and from a column that is the same
/// for every band and every damaged region.
struct RotatedResampling: Sendable {
    private let bitmap: Bitmap
    private let level: Bitmap.Level
    private let matrix: cpainting_affine
    private let kernel: PaintingKernel

    /// `matrix` maps device pixels to level pixels.
    init(
        of level: Bitmap.Level, in bitmap: Bitmap, by matrix: cairo_matrix_t,
        _ kernel: PaintingKernel
    ) {
        (self.bitmap, self.level, self.kernel) = (bitmap, level, kernel)
        self.matrix = cpainting_affine(
            xx: matrix.xx, xy: matrix.xy, x0: matrix.x0, yx: matrix.yx, yy: matrix.yy,
            y0: matrix.y0)
    }

    /// Blends over `region` of the canvas; `opacity` is 0…1.
    func paint(_ region: PixelRect, over canvas: Canvas, opacity: Double) {
        guard !region.isEmpty, var source = cpainting_source(level, of: bitmap) else { return }
        cpainting_rotated(
            &source, matrix, bitmap.format == .rgb24 ? 1 : 0,
            canvas.row(region.y).assumingMemoryBound(to: UInt8.self), canvas.stride,
            Int32(region.x),
            Int32(region.maxX), Int32(region.y), Int32(region.maxY), opacity.opacityByte,
            kernel.choice)
    }
}
