import CCairo
import CPainting
import Geometry
import ImageTypes

/// Bilinear interpolation of a level into whole device pixels, where it is not turned.
///
/// Each pixel's place comes from the matrix anew, columns to 1/128 and rows to 1/32768 of a level's
/// pixel, as far as a level reaches: no band, no damaged part and no wide frame makes a difference.
struct Resampling: Sendable {
    private let bitmap: Bitmap
    private let level: Bitmap.Level
    private let kernel: PaintingKernel
    /// The device column of the first entry; a multiple of 8, and so is their count.
    private let firstColumn: Int
    /// For each device column the level's column at its left.
    private let left: [Int32]
    /// For each device column two bytes: how much of the left one and of the next it has, in 1/128.
    private let weights: [UInt16]
    private let isCopy: Bool
    private let rows: cpainting_axis

    /// For device pixels inside of `seen` only; `matrix` takes device pixels to the level's.
    init(
        of level: Bitmap.Level, in bitmap: Bitmap, by matrix: cairo_matrix_t, for seen: PixelRect,
        _ kernel: PaintingKernel
    ) {
        self.bitmap = bitmap
        self.level = level
        self.kernel = kernel
        rows = cpainting_axis(step: matrix.yy, origin: matrix.y0)
        let columns = cpainting_axis(step: matrix.xx, origin: matrix.x0)
        let first = seen.x & ~7
        firstColumn = first
        let count = ((seen.maxX + 7) & ~7) - first
        var left = [Int32](repeating: 0, count: count)
        var weights = [UInt16](repeating: 0, count: count)
        isCopy =
            cpainting_columns_fill(
                &left, &weights, Int32(first), Int32(count), Int32(seen.x), Int32(seen.maxX),
                columns, Int32(clamping: level.size.width)) != 0
        self.left = left
        self.weights = weights
    }

    /// Replaces `part` of the canvas, which lies in what was seen.
    func paint(_ part: PixelRect, into canvas: Canvas) { paint(part, into: canvas, laying: nil) }

    /// Paints over `part` of the canvas, which lies in what was seen; `opacity` 0…1.
    ///
    /// With a `ground`, what is there is replaced by the picture over that.
    func paint(_ part: PixelRect, over canvas: Canvas, opacity: Double, on ground: Ground?) {
        func lay(over rows: UnsafePointer<UnsafePointer<UInt8>?>?) {
            let laying = cpainting_laying(opacity: opacity.parts, below: rows)
            withUnsafePointer(to: laying) { paint(part, into: canvas, laying: $0) }
        }
        if let ground {
            ground.withRows(part.y..<part.maxY) { lay(over: $0) }
        } else {
            lay(over: nil)
        }
    }

    private func paint(
        _ part: PixelRect, into canvas: Canvas, laying: UnsafePointer<cpainting_laying>?
    ) {
        guard var source = cpainting_source(level, of: bitmap) else { return }
        left.withUnsafeBufferPointer { left in
            weights.withUnsafeBufferPointer { weights in
                var columns = cpainting_columns(
                    first: Int32(firstColumn), count: Int32(left.count), left: left.baseAddress,
                    weights: weights.baseAddress, is_copy: isCopy ? 1 : 0)
                // Without a few hundred kilobytes of memory the frame lacks a part.
                _ = cpainting_bilinear(
                    &source, &columns, rows,
                    canvas.row(part.y).assumingMemoryBound(to: UInt8.self), canvas.stride,
                    Int32(part.x), Int32(part.maxX), Int32(part.y), Int32(part.maxY), laying,
                    kernel.choice)
            }
        }
    }
}
