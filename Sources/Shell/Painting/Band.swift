import CCairo
import CPainting
import Geometry
import ImageTypes
import SceneModel

/// Some rows of a canvas, painted by one thread.
struct Band: ~Copyable {
    /// The whole band, in device pixels of the canvas.
    private let rows: PixelRect
    /// The region of the band to paint, in device pixels.
    private let rect: PixelRect
    private let canvas: Canvas
    private let surface: ImageSurface

    init(_ rows: PixelRect, painting rect: PixelRect, of canvas: Canvas) throws(CairoError) {
        self.rows = rows
        self.rect = rect
        self.canvas = canvas
        surface = try ImageSurface(
            over: canvas.row(rows.y), format: CAIRO_FORMAT_ARGB32,
            size: rows.size, stride: canvas.stride)
    }

    func paint(_ frame: PaintedFrame) {
        let layers = frame.layers
        let context = DrawingContext(surface)
        cairo_translate(context.raw, 0, Double(-rows.y))
        // Layers below an opaque layer that covers the region are not painted. In the usual frame,
        // with a picture at the bottom, the backdrop is filled only around the picture, so that few
        // pixels are painted twice.
        if let bottom = layers.lastIndex(where: { $0.hides(rect) }) {
            paint(layers[bottom...], of: frame, context)
        } else if let ground = frame.ground, case .picture(let picture)? = layers.first,
            let interior = picture.interior
        {
            fill(around: interior.intersection(rect), frame.backdrop)
            paint(picture, on: ground, context)
            paint(layers.dropFirst(), of: frame, context)
        } else {
            fill(around: layers.first?.hiddenPart(of: rect) ?? PixelRect(.zero), frame.backdrop)
            paint(layers[...], of: frame, context)
        }
    }

    private func paint(
        _ layers: ArraySlice<PaintedLayer>, of frame: PaintedFrame,
        _ context: borrowing DrawingContext
    ) {
        var rest = layers
        while let layer = rest.first {
            if let fade = PaintedFade(startOf: rest, in: rect) {
                paint(fade, frame.fadeCopies(from: rest.startIndex), context)
                rest = rest.dropFirst(fade.fills.count + 2)
            } else {
                paint(layer, context)
                rest = rest.dropFirst()
            }
        }
    }

    /// Flushes cairo, so that all pixels are in the canvas's memory.
    func finish() { cairo_surface_flush(surface.raw) }

    private func paint(_ layer: PaintedLayer, _ context: borrowing DrawingContext) {
        switch layer {
        case .fill(let fill): paint(fill, context)
        case .picture(let picture): paint(picture, context)
        }
    }

    private func paint(_ fill: PaintedFill, _ context: borrowing DrawingContext) {
        let region = fill.rect.intersection(rect)
        guard !region.isEmpty else { return }
        let color = fill.color
        cairo_set_operator(context.raw, CAIRO_OPERATOR_OVER)
        cairo_set_source_rgba(context.raw, color.red, color.green, color.blue, color.alpha)
        addPath(region, context)
        cairo_fill(context.raw)
    }

    /// Paints a picture.
    ///
    /// A `ground` means that nothing is painted yet where the picture covers whole pixels: there
    /// the picture is blended over the ground, not over the canvas.
    private func paint(
        _ picture: PaintedPicture, on ground: Ground? = nil, _ context: borrowing DrawingContext
    ) {
        let region = PixelRect(touching: picture.bounds, in: rect)
        guard !region.isEmpty else { return }
        guard let interior = picture.interior else {
            paintCheckerboard(under: picture, region, context)
            if let resampling = picture.rotatedResampling {
                cairo_surface_flush(surface.raw)
                resampling.paint(region, over: canvas, opacity: picture.opacity)
                cairo_surface_mark_dirty(surface.raw)
            } else {
                paintRotated(picture, region, context)
            }
            return
        }
        let inside = interior.intersection(rect)
        if ground == nil { paintCheckerboard(under: picture, inside, context) }
        paintInterior(picture, inside, on: ground)
        paintEdges(of: picture, around: interior, context)
    }

    private func paintEdges(
        of picture: PaintedPicture, around interior: PixelRect, _ context: borrowing DrawingContext
    ) {
        for edge in Self.edges(around: interior, of: picture.bounds, in: rect) {
            paintCheckerboard(under: picture, edge, context)
            paintEdge(picture, edge, context)
        }
    }

    /// Fills the region around `inside` with a colour.
    private func fill(around inside: PixelRect, _ color: Color) {
        guard !inside.isEmpty else {
            fill([rect], color)
            return
        }
        fill(rect.parts(around: inside), color)
    }

    private func fill(_ regions: [PixelRect], _ color: Color) {
        cairo_surface_flush(surface.raw)
        for region in regions where !region.isEmpty {
            cpainting_fill(
                (canvas.row(region.y) + region.x * 4).assumingMemoryBound(to: UInt8.self),
                canvas.stride, Int32(region.width), Int32(region.height), color.premultiplied)
        }
        cairo_surface_mark_dirty(surface.raw)
    }

    /// Paints the whole pixels that the picture covers, blended over the canvas or over `ground`.
    private func paintInterior(_ picture: PaintedPicture, _ region: PixelRect, on ground: Ground?) {
        guard !region.isEmpty else { return }
        cairo_surface_flush(surface.raw)
        if let sharp = picture.sharpResampling {
            sharp.paint(region, into: canvas)
        } else if picture.isOpaque {
            picture.resampling?.paint(region, into: canvas)
        } else {
            picture.resampling?.paint(
                region, over: canvas, opacity: picture.opacity, on: ground)
        }
        cairo_surface_mark_dirty(surface.raw)
    }

    /// Blends the picture over the canvas inside `region`, with antialiased edges.
    private func paintEdge(
        _ picture: PaintedPicture, _ region: PixelRect, _ context: borrowing DrawingContext
    ) {
        withPattern(of: picture, for: region) { pattern in
            cairo_save(context.raw)
            addPath(region, context)
            cairo_clip(context.raw)
            cairo_set_operator(context.raw, CAIRO_OPERATOR_OVER)
            cairo_set_source(context.raw, pattern.raw)
            addOutline(of: picture, context)
            if picture.opacity >= 1 {
                cairo_fill(context.raw)
            } else {
                cairo_clip(context.raw)
                cairo_paint_with_alpha(context.raw, picture.opacity)
            }
            cairo_restore(context.raw)
        }
    }

    /// Blends a rotated and cropped picture over the canvas.
    ///
    /// Outside the picture the pattern is transparent, so the bilinear filter antialiases the edge.
    /// A mask of the outline would cost more than the picture.
    private func paintRotated(
        _ picture: PaintedPicture, _ region: PixelRect, _ context: borrowing DrawingContext
    ) {
        withPattern(of: picture, for: region) { pattern in
            cairo_pattern_set_extend(pattern.raw, CAIRO_EXTEND_NONE)
            cairo_save(context.raw)
            addPath(region, context)
            cairo_clip(context.raw)
            clip(to: picture.rotatedCropCorners, context)
            cairo_set_operator(context.raw, CAIRO_OPERATOR_OVER)
            cairo_set_source(context.raw, pattern.raw)
            cairo_paint_with_alpha(context.raw, picture.opacity)
            cairo_restore(context.raw)
        }
    }

    /// Paints the checkerboard behind a picture that has one, inside `region`.
    private func paintCheckerboard(
        under picture: PaintedPicture, _ region: PixelRect, _ context: borrowing DrawingContext
    ) {
        guard let squares = picture.checkerboard, !region.isEmpty else { return }
        cairo_save(context.raw)
        addPath(region, context)
        cairo_clip(context.raw)
        addOutline(of: picture, context)
        cairo_clip(context.raw)
        clip(to: picture.rotatedCropCorners, context)
        cairo_set_operator(context.raw, CAIRO_OPERATOR_OVER)
        for isDark in [false, true] {
            let gray = isDark ? Checkerboard.dark : Checkerboard.light
            cairo_set_source_rgba(context.raw, gray, gray, gray, squares.opacity)
            if !isDark, squares.opacity >= 1 {
                // Fill everything; the dark squares are painted over it.
                cairo_paint(context.raw)
                continue
            }
            for row in squares.square(at: region.y)...squares.square(at: region.maxY) {
                for column in squares.square(at: region.x)...squares.square(at: region.maxX)
                where Checkerboard.isDark(row, column) == isDark {
                    let (x, y) = (squares.start(of: column), squares.start(of: row))
                    addPath(
                        PixelRect(
                            x: x, y: y, width: squares.start(of: column + 1) - x,
                            height: squares.start(of: row + 1) - y), context)
                }
            }
            cairo_fill(context.raw)
        }
        cairo_restore(context.raw)
    }

    private func addPath(_ region: PixelRect, _ context: borrowing DrawingContext) {
        cairo_rectangle(
            context.raw, Double(region.x), Double(region.y), Double(region.width),
            Double(region.height))
    }

    /// Adds the picture's outline to the path, rotated like the picture.
    private func addOutline(of picture: PaintedPicture, _ context: borrowing DrawingContext) {
        var matrix = picture.patternMatrix(origin: (0, 0))
        guard cairo_matrix_invert(&matrix) == CAIRO_STATUS_SUCCESS else { return }
        // Not the size of the level, which is rounded up to whole pixels.
        let (whole, scale) = (picture.bitmap.size.size, picture.level.scale)
        let (width, height) = (whole.width * scale, whole.height * scale)
        let corners = [(0, 0), (width, 0), (width, height), (0, height)].map { corner in
            var (x, y) = corner
            cairo_matrix_transform_point(&matrix, &x, &y)
            return Point(x: x, y: y)
        }
        addPath(corners, context)
    }

    private func addPath(_ corners: [Point], _ context: borrowing DrawingContext) {
        for (index, corner) in corners.enumerated() {
            if index == 0 {
                cairo_move_to(context.raw, corner.x, corner.y)
            } else {
                cairo_line_to(context.raw, corner.x, corner.y)
            }
        }
        cairo_close_path(context.raw)
    }

    /// Clips to the polygon of these corners; an empty list clips nothing.
    private func clip(to corners: [Point], _ context: borrowing DrawingContext) {
        guard !corners.isEmpty else { return }
        addPath(corners, context)
        cairo_clip(context.raw)
    }

    /// Calls `body` with a bilinear pattern over only those pixels of the level that the band
    /// needs, or of planes over those that `region` needs.
    ///
    /// So the coordinates in cairo and pixman stay small, however large the picture is.
    private func withPattern(
        of picture: PaintedPicture, for region: PixelRect,
        _ body: (borrowing SurfacePattern) -> Void
    ) {
        let visible = PixelRect(touching: picture.bounds, in: rows)
        guard !visible.isEmpty else { return }
        let used = picture.levelRegion(
            for: picture.bitmap.format == .planes ? region : visible)
        guard !used.isEmpty else { return }
        withLevelPixels(in: used, of: picture) { first, stride in
            // Opaque pixels have alpha 0xff, so they are valid ARGB32 and get its fast path, too.
            guard
                let source = try? ImageSurface(
                    over: first, format: CAIRO_FORMAT_ARGB32, size: used.size, stride: stride)
            else { return }
            let pattern = SurfacePattern(source)
            var matrix = picture.patternMatrix(origin: (used.x, used.y))
            cairo_pattern_set_matrix(pattern.raw, &matrix)
            cairo_pattern_set_filter(pattern.raw, CAIRO_FILTER_BILINEAR)
            cairo_pattern_set_extend(pattern.raw, CAIRO_EXTEND_PAD)
            body(pattern)
        }
    }

    /// Calls `body` with the first pixel of `region` of the level of a picture, and the bytes from one row to
    /// the next; not without memory.
    private func withLevelPixels(
        in region: PixelRect, of picture: PaintedPicture,
        _ body: (_ first: UnsafeMutableRawPointer, _ stride: Int) -> Void
    ) {
        var (bitmap, level) = (picture.bitmap, picture.level)
        if let copy = picture.pixelCopy {
            copy.make(region)
            (bitmap, level) = (copy.bitmap, copy.level)
        } else if bitmap.format == .planes {
            _ = bitmap.withPixels(in: region, of: level) { body($0.row(0), $0.stride) }
            return
        }
        guard let base = bitmap.memory.bytes.baseAddress else { return }
        // cairo only reads from a source; its signature has no const.
        let memory = UnsafeMutableRawPointer(mutating: base)
        body(memory + level.offset + region.y * level.stride + region.x * 4, level.stride)
    }

    /// The pixels that the picture covers partly: rectangles along its edges, inside `rect`.
    private static func edges(
        around interior: PixelRect, of bounds: Rect, in rect: PixelRect
    ) -> [PixelRect] {
        let outer = PixelRect(touching: bounds, in: rect)
        let inner = interior.intersection(rect)
        guard !outer.isEmpty else { return [] }
        guard !inner.isEmpty else { return [outer] }
        return outer.parts(around: inner)
    }
}

// MARK: Cross-fades

extension Band {
    /// Paints a picture that fades over another one, each pixel of the frame once where both cover it.
    private func paint(
        _ fade: PaintedFade, _ copies: FadeCopies?, _ context: borrowing DrawingContext
    ) {
        for part in fade.belowAlone { paintInterior(fade.below, part, on: nil) }
        paintEdges(of: fade.below, around: fade.belowInterior, context)
        for fill in fade.fills { paint(fill, context) }
        cairo_surface_flush(surface.raw)
        let isPainted = fade.paintBoth(into: canvas, copies)
        cairo_surface_mark_dirty(surface.raw)
        if !isPainted {
            paintInterior(fade.below, fade.both, on: nil)
            paintInterior(fade.above, fade.both, on: nil)
        }
        for part in fade.aboveAlone { paintInterior(fade.above, part, on: nil) }
        paintEdges(of: fade.above, around: fade.aboveInterior, context)
    }
}
