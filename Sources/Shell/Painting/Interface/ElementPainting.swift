import CCairo
import Geometry
import SceneModel
import Text

/// Paints the elements of a layer, in logical pixels.
struct ElementPainting {
    let text: TextEngine

    func paint(_ element: LayerItem.Element, into context: borrowing DrawingContext) {
        switch element {
        case .box(let box): paint(box, into: context)
        case .text(let label): paint(label, into: context)
        case .paths(let drawing): paint(drawing, into: context)
        case .group(let clip, let elements):
            cairo_save(context.raw)
            cairo_rectangle(context.raw, clip.x, clip.y, clip.width, clip.height)
            cairo_clip(context.raw)
            for element in elements { paint(element, into: context) }
            cairo_restore(context.raw)
        }
    }

    private func paint(_ box: LayerItem.Box, into context: borrowing DrawingContext) {
        guard !box.rect.isEmpty else { return }
        context.addRoundedRectangle(box.rect, radius: box.cornerRadius)
        context.setSource(box.color)
        cairo_fill(context.raw)
        guard let border = box.border else { return }
        context.addRoundedRectangle(
            box.rect.inset(by: box.borderWidth / 2),
            radius: max(box.cornerRadius - box.borderWidth / 2, 0))
        context.setSource(border)
        cairo_set_line_width(context.raw, box.borderWidth)
        cairo_stroke(context.raw)
    }

    private func paint(_ label: LayerItem.Label, into context: borrowing DrawingContext) {
        guard label.rect.width > 0, !label.text.isEmpty else { return }
        let width = label.rect.width
        let extents = text.measure(label.text, label.style, width: width)
        let x =
            switch label.alignment {
            case .leading: label.rect.x
            case .center: label.rect.x + (width - extents.width) / 2
            case .trailing: label.rect.maxX - extents.width
            }
        let y =
            label.style.lines > 1
            ? label.rect.y : label.rect.y + (label.rect.height - extents.height) / 2
        context.setSource(label.color)
        text.paint(label.text, label.style, width: width, at: Point(x: x, y: y), into: context.raw)
    }

    private func paint(_ drawing: LayerItem.Drawing, into context: borrowing DrawingContext) {
        guard drawing.grid > 0, !drawing.rect.isEmpty else { return }
        cairo_save(context.raw)
        cairo_translate(context.raw, drawing.rect.x, drawing.rect.y)
        cairo_scale(
            context.raw, drawing.rect.width / drawing.grid, drawing.rect.height / drawing.grid)
        context.setSource(drawing.color)
        cairo_set_line_width(context.raw, drawing.stroke)
        cairo_set_line_cap(context.raw, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context.raw, CAIRO_LINE_JOIN_ROUND)
        for path in drawing.paths { paint(path, into: context) }
        cairo_restore(context.raw)
    }

    private func paint(_ path: VectorPath, into context: borrowing DrawingContext) {
        cairo_new_path(context.raw)
        for segment in path.segments {
            switch segment {
            case .move(let point): cairo_move_to(context.raw, point.x, point.y)
            case .line(let point): cairo_line_to(context.raw, point.x, point.y)
            case .arc(let center, let radius, let from, let to):
                if to < from {
                    cairo_arc_negative(context.raw, center.x, center.y, radius, from, to)
                } else {
                    cairo_arc(context.raw, center.x, center.y, radius, from, to)
                }
            case .close: cairo_close_path(context.raw)
            }
        }
        if path.isFilled { cairo_fill(context.raw) } else { cairo_stroke(context.raw) }
    }
}

extension DrawingContext {
    func setSource(_ color: Color) {
        cairo_set_source_rgba(raw, color.red, color.green, color.blue, color.alpha)
    }

    /// Starts a new path: a rectangle with round corners, or square ones at radius 0.
    func addRoundedRectangle(_ rect: Rect, radius: Double) {
        let radius = min(radius, rect.width / 2, rect.height / 2)
        cairo_new_path(raw)
        guard radius > 0 else {
            cairo_rectangle(raw, rect.x, rect.y, rect.width, rect.height)
            return
        }
        let quarter = Double.pi / 2
        let (left, right) = (rect.x + radius, rect.maxX - radius)
        let (top, bottom) = (rect.y + radius, rect.maxY - radius)
        cairo_arc(raw, right, top, radius, -quarter, 0)
        cairo_arc(raw, right, bottom, radius, 0, quarter)
        cairo_arc(raw, left, bottom, radius, quarter, 2 * quarter)
        cairo_arc(raw, left, top, radius, 2 * quarter, 3 * quarter)
        cairo_close_path(raw)
    }
}
