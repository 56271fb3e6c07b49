import CCairo
import CPainting
import Geometry
import ImageTypes

/// Bilinear interpolation of the planes of an unrotated level into whole device pixels.
///
/// As with `Resampling`, each pixel depends on the matrix alone.
struct PlanarResampling: Sendable {
    private let bitmap: Bitmap
    private let level: Bitmap.Level
    private let columns: Columns
    private let rows: cpainting_axis

    /// Owns the tables of target columns.
    ///
    /// `@unchecked Sendable`: the tables are written by the initializer alone, and freed with the last
    /// reference.
    private final class Columns: @unchecked Sendable {
        let raw: OpaquePointer

        init?(
            _ planes: cpainting_planes, _ axis: cpainting_axis, for visible: PixelRect,
            _ kernel: PaintingKernel
        ) {
            let first = visible.x & ~7
            let count = ((visible.maxX + 7) & ~7) - first
            let raw = withUnsafePointer(to: planes) {
                cpainting_planar_columns_create(
                    $0, axis, Int32(first), Int32(count), kernel.choice)
            }
            guard let raw else { return nil }
            self.raw = raw
        }

        deinit { cpainting_planar_columns_destroy(raw) }
    }

    /// `matrix` maps device pixels to level pixels; only device pixels inside `visible` can be
    /// painted.
    ///
    /// Nil if the bitmap has no planes, or without memory for a few hundred kilobytes of tables.
    init?(
        of level: Bitmap.Level, in bitmap: Bitmap, by matrix: cairo_matrix_t,
        for visible: PixelRect, _ kernel: PaintingKernel
    ) {
        let axis = cpainting_axis(step: matrix.xx, origin: matrix.x0)
        guard let planes = cpainting_planes(level, of: bitmap),
            let columns = Columns(planes, axis, for: visible, kernel)
        else { return nil }
        rows = cpainting_axis(step: matrix.yy, origin: matrix.y0)
        self.columns = columns
        (self.bitmap, self.level) = (bitmap, level)
    }

    /// Replaces `region` of the canvas, or blends over it.
    ///
    /// With `isReadSoon` the canvas is small, and stays in the caches. Returns false, with nothing painted, if a
    /// few hundred kilobytes of memory cannot be allocated.
    @discardableResult
    func paint(
        _ region: PixelRect, into canvas: Canvas, blending: UnsafePointer<cpainting_blending>?,
        isReadSoon: Bool = false
    ) -> Bool {
        guard var planes = cpainting_planes(level, of: bitmap) else { return false }
        return cpainting_planar(
            &planes, columns.raw, rows,
            canvas.row(region.y).assumingMemoryBound(to: UInt8.self), canvas.stride,
            Int32(region.x), Int32(region.maxX), Int32(region.y), Int32(region.maxY), blending,
            isReadSoon ? 0 : 1) == 0
    }
}

extension PlanarResampling {
    /// Whether the samples of both pictures have the same matrix and range, so that they can be blended.
    func canFade(over lower: PlanarResampling) -> Bool {
        bitmap.chroma?.matrix == lower.bitmap.chroma?.matrix
            && bitmap.chroma?.isFullRange == lower.bitmap.chroma?.isFullRange
    }

    /// Replaces `region` of the canvas by the picture blended over `lower`; `opacity` is less than 255.
    ///
    /// Returns false, with nothing painted, without memory.
    func paint(
        _ region: PixelRect, over lower: PlanarResampling, opacity: UInt32, into canvas: Canvas
    ) -> Bool {
        guard let ownPlanes = cpainting_planes(level, of: bitmap),
            let lowerPlanes = cpainting_planes(lower.level, of: lower.bitmap)
        else { return false }
        return withUnsafePointer(to: ownPlanes) { ownPlanes in
            withUnsafePointer(to: lowerPlanes) { lowerPlanes in
                var own = cpainting_planar_layer(
                    planes: ownPlanes, columns: columns.raw, rows: rows)
                var below = cpainting_planar_layer(
                    planes: lowerPlanes, columns: lower.columns.raw, rows: lower.rows)
                return cpainting_planar_fade(
                    &below, &own, opacity,
                    canvas.row(region.y).assumingMemoryBound(to: UInt8.self), canvas.stride,
                    Int32(region.x), Int32(region.maxX), Int32(region.y), Int32(region.maxY)) == 0
            }
        }
    }
}

extension cpainting_planes {
    /// Nil if the bitmap has no planes or no memory.
    init?(_ level: Bitmap.Level, of bitmap: Bitmap) {
        guard let base = bitmap.memory.bytes.baseAddress, let format = bitmap.chroma,
            let chroma = level.chroma
        else { return nil }
        func plane(_ size: PixelSize, _ stride: Int, _ offset: Int) -> cpainting_plane {
            cpainting_plane(
                samples: base.assumingMemoryBound(to: UInt8.self) + offset, stride: stride,
                width: Int32(clamping: size.width), height: Int32(clamping: size.height))
        }
        self.init(
            luma: plane(level.size, level.stride, level.offset),
            chroma: plane(chroma.size, chroma.stride, chroma.offset),
            siting: cpainting_siting(of: level, format),
            conversion: cpainting_conversion(format))
    }
}

extension cpainting_siting {
    init(of level: Bitmap.Level, _ format: ChromaFormat) {
        let shifts = format.shifts(at: level.mipLevel)
        let (columns, rows) = (Double(1 << shifts.column), Double(1 << shifts.row))
        let pixels = Double(1 << level.mipLevel)
        self.init(
            column_scale: pixels / columns, column_edge: Double(format.left) / 2 / columns,
            row_scale: pixels / rows, row_edge: Double(format.top) / 2 / rows)
    }
}

extension cpainting_conversion {
    /// By the definition of each matrix: ITU-R BT.601-7, 2.5; BT.709-6, 3; BT.2020-2, table 4.
    init(_ format: ChromaFormat) {
        let (red, blue) = (format.matrix.red, format.matrix.blue)
        let green = 1 - red - blue
        let (lumaScale, chromaScale) = format.isFullRange ? (1, 1) : (255.0 / 219, 255.0 / 224)
        func factor(_ value: Double) -> Int16 { Int16((value * 8192).rounded()) }
        // Where luma is from −128 to 127, the darkest luma becomes 0; one half more rounds.
        let darkest = format.isFullRange ? -128.0 : 16 - 128
        let offset = 0.5 - darkest * lumaScale
        self.init(
            luma_scale: factor(lumaScale), luma_offset: Int16((offset * 32).rounded()),
            red: factor(2 * (1 - red) * chromaScale),
            green_blue: factor(2 * blue * (1 - blue) / green * chromaScale),
            green_red: factor(2 * red * (1 - red) / green * chromaScale),
            blue: factor(2 * (1 - blue) * chromaScale))
    }
}
