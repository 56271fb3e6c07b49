import CCairo
import Geometry
import SceneModel

/// Paints panels: light text on a translucent dark background.
enum PanelPainting {
    private static let backgroundOpacity = 0.72
    private static let denseBackgroundOpacity = 0.87
    /// The space between the border of the panel and its text, in logical pixels.
    private static let margin = 18.0
    /// The distance between baselines, as a multiple of the text size.
    private static let lineHeight = 1.4

    /// Paints `panel` inside the rectangles of `clip`, in device pixels.
    static func paint(_ panel: PanelItem, scale: Double, into canvas: Canvas, clip: [PixelRect]) {
        guard
            let surface = try? ImageSurface(
                over: canvas.memory, format: CAIRO_FORMAT_ARGB32, size: canvas.size,
                stride: canvas.stride)
        else { return }
        let context = DrawingContext(surface)
        for region in clip {
            cairo_rectangle(
                context.raw, Double(region.x), Double(region.y), Double(region.width),
                Double(region.height))
        }
        cairo_clip(context.raw)
        cairo_scale(context.raw, scale, scale)
        if panel.ground != .clear { paintBackground(panel, context) }
        paintText(panel, context)
    }

    private static func paintBackground(_ panel: PanelItem, _ context: borrowing DrawingContext) {
        let rect = panel.rect
        let radius = min(panel.cornerRadius, rect.width / 2, rect.height / 2)
        cairo_new_path(context.raw)
        if radius > 0 {
            let quarter = Double.pi / 2
            let (left, right) = (rect.x + radius, rect.maxX - radius)
            let (top, bottom) = (rect.y + radius, rect.maxY - radius)
            cairo_arc(context.raw, right, top, radius, -quarter, 0)
            cairo_arc(context.raw, right, bottom, radius, 0, quarter)
            cairo_arc(context.raw, left, bottom, radius, quarter, 2 * quarter)
            cairo_arc(context.raw, left, top, radius, 2 * quarter, 3 * quarter)
            cairo_close_path(context.raw)
        } else {
            cairo_rectangle(context.raw, rect.x, rect.y, rect.width, rect.height)
        }
        let gray = panel.ground == .highlighted ? 0.32 : 0.08
        cairo_set_source_rgba(
            context.raw, gray, gray, gray + 0.01,
            (panel.ground == .dense ? denseBackgroundOpacity : backgroundOpacity) * panel.opacity)
        cairo_fill(context.raw)
    }

    private static func paintText(_ panel: PanelItem, _ context: borrowing DrawingContext) {
        cairo_set_source_rgba(context.raw, 1, 1, 1, 0.94 * panel.opacity)
        let rows = panel.sharesLine ? 1 : panel.labels.count
        let step = panel.textSize * lineHeight
        let middle = panel.rect.center.y
        let widths = panel.sharesLine ? sharedWidths(panel, context) : [:]
        for (index, label) in panel.labels.enumerated() {
            let row = panel.sharesLine ? 0 : index
            let baseline =
                middle + (Double(row) - Double(rows - 1) / 2) * step + panel.textSize * 0.35
            paint(
                label, size: panel.textSize, baseline: baseline, in: panel.rect,
                width: widths[label.alignment] ?? panel.rect.width - 2 * margin, context)
        }
    }

    /// The maximum widths of the labels that share a line, in logical pixels.
    ///
    /// The trailing label gets its full width. The centre label gets its full width or is not
    /// shown. The leading label gets the remaining width.
    private static func sharedWidths(
        _ panel: PanelItem, _ context: borrowing DrawingContext
    ) -> [PanelItem.Label.Alignment: Double] {
        func width(_ alignment: PanelItem.Label.Alignment) -> Double {
            panel.labels.filter { $0.alignment == alignment }.map {
                select($0.weight, size: panel.textSize, context)
                return advance(of: printable($0.text), context)
            }.max() ?? 0
        }
        let inner = panel.rect.width - 2 * margin
        let (center, trailing) = (width(.center), width(.trailing))
        let isCenterShown = center > 0 && center <= inner * largestCenterFraction
        let leading =
            isCenterShown ? (inner - center) / 2 - gap : inner - trailing - (trailing > 0 ? gap : 0)
        return [
            .leading: max(leading, 0), .center: isCenterShown ? center : 0, .trailing: trailing,
        ]
    }

    /// The space between two labels of a line, in logical pixels.
    private static let gap = 12.0
    /// A centre label wider than this fraction of the line is not shown.
    private static let largestCenterFraction = 0.4

    private static func select(
        _ weight: PanelItem.Label.Weight, size: Double, _ context: borrowing DrawingContext
    ) {
        cairo_select_font_face(
            context.raw, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
            weight == .bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(context.raw, size)
    }

    private static func paint(
        _ label: PanelItem.Label, size: Double, baseline: Double, in rect: Rect, width: Double,
        _ context: borrowing DrawingContext
    ) {
        guard width > 0 else { return }
        select(label.weight, size: size, context)
        let text = fitting(label.text, into: width, context)
        let advance = advance(of: text, context)
        let x =
            switch label.alignment {
            case .leading: rect.x + margin
            case .center: rect.center.x - advance / 2
            case .trailing: rect.maxX - margin - advance
            }
        cairo_move_to(context.raw, x, baseline)
        cairo_show_text(context.raw, text)
    }

    private static func advance(of text: String, _ context: borrowing DrawingContext) -> Double {
        var extents = cairo_text_extents_t()
        cairo_text_extents(context.raw, text, &extents)
        return extents.x_advance
    }

    /// The text without control characters.
    ///
    /// A file name may contain any character. The text is cut to 4096 characters, far more than fit
    /// on any surface.
    private static func printable(_ text: String) -> String {
        String(
            text.unicodeScalars.prefix(4096).map { scalar in
                scalar.value < 32 || scalar.value == 127 ? "\u{FFFD}" : Character(scalar)
            })
    }

    /// The text without control characters, shortened in the middle to fit `width` logical pixels.
    private static func fitting(
        _ text: String, into width: Double, _ context: borrowing DrawingContext
    ) -> String {
        let whole = printable(text)
        guard advance(of: whole, context) > width else { return whole }
        let characters = Array(whole)
        var (low, high) = (0, characters.count)
        while low < high {
            let kept = (low + high + 1) / 2
            if advance(of: shortened(characters, to: kept), context) <= width {
                low = kept
            } else {
                high = kept - 1
            }
        }
        return shortened(characters, to: low)
    }

    private static func shortened(_ characters: [Character], to kept: Int) -> String {
        let head = (kept + 1) / 2
        return String(characters.prefix(head)) + "…" + String(characters.suffix(kept - head))
    }
}
