import CCairo
import CPainting
import Geometry
import ImageTypes

/// Bilinear interpolation of an unrotated level into whole device pixels.
///
/// The source position of each pixel is computed from the matrix, not from the previous pixel: to
/// 1/128 of a level pixel for columns and to 1/32768 for rows, over the whole level. So the result
/// does not depend on bands, on damage or on the width of the frame.
struct Resampling: Sendable {
    private let bitmap: Bitmap
    private let level: Bitmap.Level
    private let kernel: PaintingKernel
    /// Does the work for planes; nil for pixels.
    private let planar: PlanarResampling?
    /// The device column of the first entry; a multiple of 8, like the number of entries.
    private let firstColumn: Int
    /// For each device column, the level column to its left.
    private let left: [Int32]
    /// For each device column two bytes: the weights of the left and the right level column, in
    /// 1/128.
    private let weights: [UInt16]
    private let spacing: cpainting_spacing
    private let rows: cpainting_axis

    /// `matrix` maps device pixels to level pixels; only device pixels inside `visible` can be
    /// painted.
    init(
        of level: Bitmap.Level, in bitmap: Bitmap, by matrix: cairo_matrix_t,
        for visible: PixelRect,
        _ kernel: PaintingKernel
    ) {
        self.bitmap = bitmap
        self.level = level
        self.kernel = kernel
        rows = cpainting_axis(step: matrix.yy, origin: matrix.y0)
        let columns = cpainting_axis(step: matrix.xx, origin: matrix.x0)
        planar = PlanarResampling(of: level, in: bitmap, by: matrix, for: visible, kernel)
        let first = visible.x & ~7
        firstColumn = first
        let count = bitmap.format == .planes ? 0 : ((visible.maxX + 7) & ~7) - first
        var left = [Int32](repeating: 0, count: count)
        var weights = [UInt16](repeating: 0, count: count)
        spacing = cpainting_columns_fill(
            &left, &weights, Int32(first), Int32(count), Int32(visible.x), Int32(visible.maxX),
            columns, Int32(clamping: level.size.width))
        self.left = left
        self.weights = weights
    }

    /// Replaces `region` of the canvas, which must lie inside the visible rectangle.
    ///
    /// With `isReadSoon` the canvas is small, and stays in the caches. Returns false, with nothing painted, if a
    /// few hundred kilobytes of memory cannot be allocated.
    @discardableResult
    func paint(_ region: PixelRect, into canvas: Canvas, isReadSoon: Bool = false) -> Bool {
        paint(region, into: canvas, blending: nil, isReadSoon: isReadSoon)
    }

    /// Replaces `region` of the canvas by the picture blended over the same region of `ground`; `opacity` is
    /// 0…1.
    ///
    /// Returns false, with nothing painted, without memory.
    func paint(
        _ region: PixelRect, over canvas: Canvas, opacity: Double, on ground: Canvas
    ) -> Bool {
        let rows = (region.y..<region.maxY).map { y -> UnsafePointer<UInt8>? in
            UnsafePointer(ground.row(y).assumingMemoryBound(to: UInt8.self))
        }
        return rows.withUnsafeBufferPointer { rows in
            let blending = self.blending(opacity, over: rows.baseAddress)
            return withUnsafePointer(to: blending) {
                paint(region, into: canvas, blending: $0, isReadSoon: false)
            }
        }
    }

    /// Blends over `region` of the canvas, which must lie inside the visible rectangle; `opacity`
    /// is 0…1.
    ///
    /// With a `ground`, the canvas is replaced by the picture blended over the ground.
    func paint(_ region: PixelRect, over canvas: Canvas, opacity: Double, on ground: Ground?) {
        func blend(over rows: UnsafePointer<UnsafePointer<UInt8>?>?) {
            let blending = self.blending(opacity, over: rows)
            _ = withUnsafePointer(to: blending) {
                paint(region, into: canvas, blending: $0, isReadSoon: false)
            }
        }
        if let ground {
            ground.withRows(region.y..<region.maxY) { blend(over: $0) }
        } else {
            blend(over: nil)
        }
    }

    /// The planes of this picture and of `lower`, if both can be blended before they become pixels.
    func planarFade(over lower: Resampling) -> (upper: PlanarResampling, lower: PlanarResampling)? {
        guard let planar, let below = lower.planar, planar.canFade(over: below) else { return nil }
        return (planar, below)
    }

    private func blending(
        _ opacity: Double, over rows: UnsafePointer<UnsafePointer<UInt8>?>?
    ) -> cpainting_blending {
        cpainting_blending(
            opacity: opacity.opacityByte, is_opaque: bitmap.format.isOpaque ? 1 : 0, below: rows)
    }

    private func paint(
        _ region: PixelRect, into canvas: Canvas, blending: UnsafePointer<cpainting_blending>?,
        isReadSoon: Bool
    ) -> Bool {
        if let planar {
            return planar.paint(region, into: canvas, blending: blending, isReadSoon: isReadSoon)
        }
        guard var source = cpainting_source(level, of: bitmap) else { return false }
        return left.withUnsafeBufferPointer { left in
            weights.withUnsafeBufferPointer { weights in
                var columns = cpainting_columns(
                    first: Int32(firstColumn), count: Int32(left.count), left: left.baseAddress,
                    weights: weights.baseAddress, spacing: spacing)
                return cpainting_bilinear(
                    &source, &columns, rows,
                    canvas.row(region.y).assumingMemoryBound(to: UInt8.self), canvas.stride,
                    Int32(region.x), Int32(region.maxX), Int32(region.y), Int32(region.maxY),
                    blending, isReadSoon ? 0 : 1, kernel.choice) == 0
            }
        }
    }
}
