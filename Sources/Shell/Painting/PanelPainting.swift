import CCairo
import Geometry
import SceneModel
import Text

/// Paints a panel: light text on a translucent dark background.
struct PanelPainting {
    private let panel: PanelItem
    private let text: TextEngine

    private static let backgroundOpacity = 0.72
    private static let denseBackgroundOpacity = 0.87
    private static let textOpacity = 0.94
    /// The space between the border of the panel and its text, in logical pixels.
    private static let margin = 18.0
    /// The distance between baselines, as a multiple of the text size.
    private static let lineHeight = 1.4
    /// The distance from the middle of a line to its baseline, as a multiple of the text size.
    private static let baselineOffset = 0.35
    /// The space between two labels of a line, in logical pixels.
    private static let gap = 12.0
    /// A centre label wider than this fraction of the line is not shown.
    private static let largestCenterFraction = 0.4

    init(_ panel: PanelItem, _ text: TextEngine) {
        self.panel = panel
        self.text = text
    }

    /// Paints the panel inside the rectangles of `clip`, in device pixels.
    func paint(scale: Double, into canvas: Canvas, clip: [PixelRect]) {
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
        if panel.ground != .clear { paintBackground(context) }
        paintText(context)
    }

    private func paintBackground(_ context: borrowing DrawingContext) {
        let rect = panel.rect
        context.addRoundedRectangle(rect, radius: panel.cornerRadius)
        let gray = panel.ground == .highlighted ? 0.32 : 0.08
        let opacity =
            panel.ground == .dense ? Self.denseBackgroundOpacity : Self.backgroundOpacity
        cairo_set_source_rgba(context.raw, gray, gray, gray + 0.01, opacity * panel.opacity)
        cairo_fill(context.raw)
    }

    // MARK: Text

    private func paintText(_ context: borrowing DrawingContext) {
        guard !panel.labels.isEmpty else { return }
        cairo_set_source_rgba(context.raw, 1, 1, 1, Self.textOpacity * panel.opacity)
        let inner = panel.rect.width - 2 * Self.margin
        if panel.labels.count == 1, panel.labels[0].lines > 1 {
            return paintParagraph(panel.labels[0], width: inner, context)
        }
        let rows = panel.sharesLine ? 1 : panel.labels.count
        let step = panel.textSize * Self.lineHeight
        let widths = panel.sharesLine ? sharedWidths : [:]
        for (index, label) in panel.labels.enumerated() {
            let row = panel.sharesLine ? 0 : index
            let baseline =
                panel.rect.center.y + (Double(row) - Double(rows - 1) / 2) * step
                + panel.textSize * Self.baselineOffset
            paint(label, baseline: baseline, width: widths[label.alignment] ?? inner, context)
        }
    }

    /// Paints a label of several lines from the top of the panel.
    private func paintParagraph(
        _ label: PanelItem.Label, width: Double, _ context: borrowing DrawingContext
    ) {
        guard width > 0 else { return }
        text.paint(
            label.text, style(label), width: width,
            at: Point(x: panel.rect.x + Self.margin, y: panel.rect.y), into: context.raw)
    }

    private func paint(
        _ label: PanelItem.Label, baseline: Double, width: Double,
        _ context: borrowing DrawingContext
    ) {
        guard width > 0 else { return }
        let style = style(label)
        let extents = text.measure(label.text, style, width: width)
        let x =
            switch label.alignment {
            case .leading: panel.rect.x + Self.margin
            case .center: panel.rect.center.x - extents.width / 2
            case .trailing: panel.rect.maxX - Self.margin - extents.width
            }
        text.paint(
            label.text, style, width: width, at: Point(x: x, y: baseline - extents.baseline),
            into: context.raw)
    }

    private func style(_ label: PanelItem.Label) -> TextStyle {
        TextStyle(size: panel.textSize, weight: label.weight, lines: label.lines)
    }

    /// The maximum widths of the labels that share a line, in logical pixels.
    ///
    /// The trailing label gets its full width. The centre label gets its full width or is not
    /// shown. The leading label gets the remaining width.
    private var sharedWidths: [PanelItem.Label.Alignment: Double] {
        func width(_ alignment: PanelItem.Label.Alignment) -> Double {
            panel.labels.filter { $0.alignment == alignment }
                .map { text.measure($0.text, style($0), width: nil).width }.max() ?? 0
        }
        let inner = panel.rect.width - 2 * Self.margin
        let (center, trailing) = (width(.center), width(.trailing))
        let isCenterShown = center > 0 && center <= inner * Self.largestCenterFraction
        let leading =
            isCenterShown
            ? (inner - center) / 2 - Self.gap
            : inner - trailing - (trailing > 0 ? Self.gap : 0)
        return [
            .leading: max(leading, 0), .center: isCenterShown ? center : 0, .trailing: trailing,
        ]
    }
}
