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
    private let matrix: cairo_matrix_t
    private let kernel: PaintingKernel
    /// The pixels of planes; nil if the bitmap has pixels.
    private let copy: PixelCopy?

    /// `matrix` maps device pixels to level pixels.
    ///
    /// `copy` has the pixels of a level of planes.
    init(
        of level: Bitmap.Level, in bitmap: Bitmap, by matrix: cairo_matrix_t, copy: PixelCopy?,
        _ kernel: PaintingKernel
    ) {
        (self.bitmap, self.level) = (copy?.bitmap ?? bitmap, copy?.level ?? level)
        (self.copy, self.kernel) = (copy, kernel)
        self.matrix = matrix
    }

    /// Blends over `region` of the canvas; `opacity` is 0…1.
    func paint(_ region: PixelRect, over canvas: Canvas, opacity: Double) {
        guard !region.isEmpty, var source = cpainting_source(level, of: bitmap) else { return }
        if let copy { makePixels(of: copy, for: region) }
        let affine = cpainting_affine(
            xx: matrix.xx, xy: matrix.xy, x0: matrix.x0, yx: matrix.yx, yy: matrix.yy,
            y0: matrix.y0)
        cpainting_rotated(
            &source, affine, bitmap.format.isOpaque ? 1 : 0,
            canvas.row(region.y).assumingMemoryBound(to: UInt8.self), canvas.stride,
            Int32(region.x),
            Int32(region.maxX), Int32(region.y), Int32(region.maxY), opacity.opacityByte,
            kernel.choice)
    }

    /// The pixels of `region` that the level covers in all of its rows, as one rectangle; empty if there are
    /// none, or if no pixels can be painted.
    func covered(in region: PixelRect) -> PixelRect {
        let size = level.size
        guard bitmap.format != .planes, !region.isEmpty else { return PixelRect(.zero) }
        var (left, right) = (Double(region.x), Double(region.maxX))
        // The level is convex, so a rectangle whose corners are inside is inside. The margin of one level pixel
        // includes the neighbours that interpolation reads.
        for y in [region.y, region.maxY] {
            for (slope, start, length) in [
                (matrix.xx, matrix.xy * Double(y) + matrix.x0, size.width),
                (matrix.yx, matrix.yy * Double(y) + matrix.y0, size.height),
            ] {
                let (low, high) = (1 - start, Double(length - 1) - start)
                guard abs(slope) > 1e-9 else {
                    guard low <= 0, high >= 0 else { return PixelRect(.zero) }
                    continue
                }
                left = max(left, min(low / slope, high / slope))
                right = min(right, max(low / slope, high / slope))
                guard low <= high, left < right else { return PixelRect(.zero) }
            }
        }
        let (first, end) = (Int(left.rounded(.up)), Int(right.rounded(.down)))
        return PixelRect(
            x: first, y: region.y, width: max(0, end - first), height: region.height)
    }

    /// Target columns whose pixels are made together: few, because a row of a rotated picture crosses many
    /// rows of the level.
    private static let madeColumns = 64

    private func makePixels(of copy: PixelCopy, for region: PixelRect) {
        for x in stride(from: region.x, to: region.maxX, by: Self.madeColumns) {
            let end = min(x + Self.madeColumns, region.maxX)
            let part = PixelRect(x: x, y: region.y, width: end - x, height: region.height)
            copy.make(matrix.levelRegion(for: part, in: level.size))
        }
    }
}
