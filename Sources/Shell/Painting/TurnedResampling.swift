import CCairo
import CPainting
import Geometry
import ImageTypes

/// Bilinear interpolation of a level that lies at any angle, with clear pixels around it, which smooth its
/// edge.
///
/// Each pixel's place comes from the matrix and a column that is the same for every band and every
/// damaged part.
struct TurnedResampling: Sendable {
    private let bitmap: Bitmap
    private let level: Bitmap.Level
    private let matrix: cpainting_affine
    private let kernel: PaintingKernel

    /// `matrix` takes device pixels to the level's.
    init(
        of level: Bitmap.Level, in bitmap: Bitmap, by matrix: cairo_matrix_t,
        _ kernel: PaintingKernel
    ) {
        (self.bitmap, self.level, self.kernel) = (bitmap, level, kernel)
        self.matrix = cpainting_affine(
            xx: matrix.xx, xy: matrix.xy, x0: matrix.x0, yx: matrix.yx, yy: matrix.yy,
            y0: matrix.y0)
    }

    /// Paints over `part` of the canvas; `opacity` 0…1.
    func paint(_ part: PixelRect, over canvas: Canvas, opacity: Double) {
        guard !part.isEmpty, var source = cpainting_source(level, of: bitmap) else { return }
        cpainting_turned(
            &source, matrix, bitmap.format == .rgb24 ? 1 : 0,
            canvas.row(part.y).assumingMemoryBound(to: UInt8.self), canvas.stride, Int32(part.x),
            Int32(part.maxX), Int32(part.y), Int32(part.maxY), opacity.parts, kernel.choice)
    }
}
