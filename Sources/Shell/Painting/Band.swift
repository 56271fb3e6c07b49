import CCairo
import CPainting
import Geometry
import ImageTypes
import SceneModel

/// Some rows of a canvas, painted by one thread.
struct Band: ~Copyable {
    /// All of the band, in device pixels of the canvas.
    private let rows: PixelRect
    /// The part of it that is painted.
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
        // What lies under a picture that hides all of it is not painted, and no pixel twice where
        // one that is not turned lies at the bottom, as in the usual frame.
        if let bottom = layers.lastIndex(where: { $0.hides(rect) }) {
            for layer in layers[bottom...] { paint(layer, context) }
        } else if case .picture(let picture)? = layers.first, let interior = picture.interior {
            fill(around: interior.intersection(rect), frame.backdrop)
            paint(picture, on: frame.ground, context)
            for layer in layers.dropFirst() { paint(layer, context) }
        } else {
            fill([rect], frame.backdrop)
            for layer in layers { paint(layer, context) }
        }
    }

    /// Has all of it in the canvas's memory.
    func finish() { cairo_surface_flush(surface.raw) }

    private func paint(_ layer: PaintedLayer, _ context: borrowing DrawingContext) {
        switch layer {
        case .fill(let fill): paint(fill, context)
        case .picture(let picture): paint(picture, context)
        }
    }

    private func paint(_ fill: PaintedFill, _ context: borrowing DrawingContext) {
        let part = fill.rect.intersection(rect)
        guard !part.isEmpty else { return }
        let color = fill.color
        cairo_set_operator(context.raw, CAIRO_OPERATOR_OVER)
        cairo_set_source_rgba(context.raw, color.red, color.green, color.blue, color.alpha)
        addPath(part, context)
        cairo_fill(context.raw)
    }

    /// With a `ground` there is nothing yet where the picture covers whole pixels.
    private func paint(
        _ picture: PaintedPicture, on ground: Ground? = nil, _ context: borrowing DrawingContext
    ) {
        let part = PixelRect(touching: picture.bounds, in: rect)
        guard !part.isEmpty else { return }
        guard let interior = picture.interior else {
            paintCheckerboard(under: picture, part, context)
            if let turned = picture.turnedResampling {
                cairo_surface_flush(surface.raw)
                turned.paint(part, over: canvas, opacity: picture.opacity)
                cairo_surface_mark_dirty(surface.raw)
            } else {
                paintTurned(picture, part, context)
            }
            return
        }
        let inside = interior.intersection(rect)
        if ground == nil { paintCheckerboard(under: picture, inside, context) }
        paintInterior(picture, inside, on: ground)
        for edge in Self.edges(around: interior, of: picture.bounds, in: rect) {
            paintCheckerboard(under: picture, edge, context)
            paintEdge(picture, edge, context)
        }
    }

    /// Fills what the picture does not cover.
    private func fill(around inside: PixelRect, _ opacity: Double) {
        guard !inside.isEmpty else {
            fill([rect], opacity)
            return
        }
        fill(
            [
                PixelRect(x: rect.x, y: rect.y, width: rect.width, height: inside.y - rect.y),
                PixelRect(
                    x: rect.x, y: inside.maxY, width: rect.width, height: rect.maxY - inside.maxY),
                PixelRect(
                    x: rect.x, y: inside.y, width: inside.x - rect.x, height: inside.height),
                PixelRect(
                    x: inside.maxX, y: inside.y, width: rect.maxX - inside.maxX,
                    height: inside.height),
            ], opacity)
    }

    private func fill(_ parts: [PixelRect], _ opacity: Double) {
        cairo_surface_flush(surface.raw)
        for part in parts where !part.isEmpty {
            cpainting_fill(
                (canvas.row(part.y) + part.x * 4).assumingMemoryBound(to: UInt8.self),
                canvas.stride, Int32(part.width), Int32(part.height), opacity.parts << 24)
        }
        cairo_surface_mark_dirty(surface.raw)
    }

    /// Paints whole pixels that the picture covers, over what is there or over a ground instead.
    private func paintInterior(_ picture: PaintedPicture, _ part: PixelRect, on ground: Ground?) {
        guard !part.isEmpty else { return }
        cairo_surface_flush(surface.raw)
        if let sharp = picture.sharpResampling {
            sharp.paint(part, into: canvas)
        } else if picture.isOpaque {
            picture.resampling?.paint(part, into: canvas)
        } else {
            picture.resampling?.paint(
                part, over: canvas, opacity: picture.opacity, on: ground)
        }
        cairo_surface_mark_dirty(surface.raw)
    }

    /// Paints the picture over what is there, its edges smooth, inside `part`.
    private func paintEdge(
        _ picture: PaintedPicture, _ part: PixelRect, _ context: borrowing DrawingContext
    ) {
        withPattern(of: picture) { pattern in
            cairo_save(context.raw)
            addPath(part, context)
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

    /// Paints a turned picture that is cropped over what is there.
    ///
    /// Past its edge the pattern is clear, so the filter itself smooths the edge; a mask of the
    /// outline would cost more than the picture.
    private func paintTurned(
        _ picture: PaintedPicture, _ part: PixelRect, _ context: borrowing DrawingContext
    ) {
        withPattern(of: picture) { pattern in
            cairo_pattern_set_extend(pattern.raw, CAIRO_EXTEND_NONE)
            cairo_save(context.raw)
            addPath(part, context)
            cairo_clip(context.raw)
            clip(to: picture.turnedCropCorners, context)
            cairo_set_operator(context.raw, CAIRO_OPERATOR_OVER)
            cairo_set_source(context.raw, pattern.raw)
            cairo_paint_with_alpha(context.raw, picture.opacity)
            cairo_restore(context.raw)
        }
    }

    /// Paints the squares under a picture on a checkerboard where it comes.
    private func paintCheckerboard(
        under picture: PaintedPicture, _ part: PixelRect, _ context: borrowing DrawingContext
    ) {
        guard let squares = picture.checkerboard, !part.isEmpty else { return }
        cairo_save(context.raw)
        addPath(part, context)
        cairo_clip(context.raw)
        addOutline(of: picture, context)
        cairo_clip(context.raw)
        clip(to: picture.turnedCropCorners, context)
        cairo_set_operator(context.raw, CAIRO_OPERATOR_OVER)
        for isDark in [false, true] {
            let gray = isDark ? Checkerboard.dark : Checkerboard.light
            cairo_set_source_rgba(context.raw, gray, gray, gray, squares.opacity)
            if !isDark, squares.opacity >= 1 {
                // The dark ones hide it.
                cairo_paint(context.raw)
                continue
            }
            for row in squares.square(at: part.y)...squares.square(at: part.maxY) {
                for column in squares.square(at: part.x)...squares.square(at: part.maxX)
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

    private func addPath(_ part: PixelRect, _ context: borrowing DrawingContext) {
        cairo_rectangle(
            context.raw, Double(part.x), Double(part.y), Double(part.width), Double(part.height))
    }

    /// The picture's four corners, also when it is turned.
    private func addOutline(of picture: PaintedPicture, _ context: borrowing DrawingContext) {
        var matrix = picture.patternMatrix(origin: (0, 0))
        guard cairo_matrix_invert(&matrix) == CAIRO_STATUS_SUCCESS else { return }
        // Not the level's size, which is of whole pixels.
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

    /// Lets nothing show outside these corners; without any, everything shows.
    private func clip(to corners: [Point], _ context: borrowing DrawingContext) {
        guard !corners.isEmpty else { return }
        addPath(corners, context)
        cairo_clip(context.raw)
    }

    /// Lends a bilinear pattern over just those pixels of the level that the band needs, so that
    /// cairo's and pixman's coordinates stay small however large the picture is.
    private func withPattern(
        of picture: PaintedPicture, _ body: (borrowing SurfacePattern) -> Void
    ) {
        let visible = PixelRect(touching: picture.bounds, in: rows)
        guard !visible.isEmpty else { return }
        let used = picture.levelPart(for: visible)
        let level = picture.level
        guard !used.isEmpty, let base = picture.bitmap.memory.bytes.baseAddress else { return }
        // cairo only reads from a source; its signature has no const.
        let memory = UnsafeMutableRawPointer(mutating: base)
        // Opaque pixels bear 0xff as their alpha, so that they are the fast case of ARGB32 too.
        guard
            let source = try? ImageSurface(
                over: memory + level.offset + used.y * level.stride + used.x * 4,
                format: CAIRO_FORMAT_ARGB32,
                size: used.size, stride: level.stride)
        else { return }
        let pattern = SurfacePattern(source)
        var matrix = picture.patternMatrix(origin: (used.x, used.y))
        cairo_pattern_set_matrix(pattern.raw, &matrix)
        cairo_pattern_set_filter(pattern.raw, CAIRO_FILTER_BILINEAR)
        cairo_pattern_set_extend(pattern.raw, CAIRO_EXTEND_PAD)
        body(pattern)
    }

    /// The pixels that the picture covers in part: strips along its edges, inside `rect`.
    private static func edges(
        around interior: PixelRect, of bounds: Rect, in rect: PixelRect
    ) -> [PixelRect] {
        let outer = PixelRect(touching: bounds, in: rect)
        let inner = interior.intersection(rect)
        guard !outer.isEmpty else { return [] }
        guard !inner.isEmpty else { return [outer] }
        return [
            PixelRect(x: outer.x, y: outer.y, width: outer.width, height: inner.y - outer.y),
            PixelRect(
                x: outer.x, y: inner.maxY, width: outer.width, height: outer.maxY - inner.maxY),
            PixelRect(x: outer.x, y: inner.y, width: inner.x - outer.x, height: inner.height),
            PixelRect(
                x: inner.maxX, y: inner.y, width: outer.maxX - inner.maxX, height: inner.height),
        ].filter { !$0.isEmpty }
    }
}
