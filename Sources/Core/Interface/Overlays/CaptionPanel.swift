package import Geometry
import SceneModel

/// The looks of the texts over a slideshow: a caption at the bottom, the time at the top.
package enum CaptionPanel {
    /// Distances at the usual text size, in logical pixels.
    private static let usualPadding = Theme.Space.part
    private static let usualGap = Theme.Space.row
    private static let usualMargin = Theme.Space.text
    /// The widest text, in logical pixels at the usual text size; longer lines are hard to read.
    private static let widest = 560.0
    private static let mostLines = 3
    /// The part of the surface that a caption may cover.
    private static let mostHeight = 0.45
    /// The side of a surface on which the texts have the size of the bars, in logical pixels.
    private static let usualSide = 600.0
    private static let largest = 3.0

    /// The bars' layout with larger texts on larger surfaces, which are seen from further away.
    package static func layout(for layout: BarLayout) -> BarLayout {
        let side = min(layout.surface.width, layout.surface.height)
        var larger = layout
        larger.theme = layout.theme.enlarged(by: min(max(side / usualSide, 1), largest))
        return larger
    }

    /// Distances grow with the texts.
    private static func distances(_ layout: BarLayout) -> (
        padding: Double, gap: Double, margin: Double
    ) {
        let factor = min(max(layout.theme.textScale, 1), 2)
        return (
            (usualPadding * factor).rounded(), (usualGap * factor).rounded(),
            (usualMargin * factor).rounded()
        )
    }

    private struct Block {
        var id: String
        var text: String
        var role: Widget.TextRole
        var lines = 1
        var size: Size
    }

    /// The caption in the corner where reading begins; nil where there is no room for it.
    ///
    /// `area` is a part of the surface, in logical pixels; nil means the surface.
    package static func widget(
        _ caption: Caption, _ layout: BarLayout, in area: Rect? = nil, id: String = "caption"
    ) -> Widget? {
        var layout = layout
        if let area { layout.surface = Size(width: area.width, height: area.height) }
        let (padding, gap, margin) = distances(layout)
        let most = min(
            layout.surface.width - 2 * (margin + padding), widest * layout.theme.textScale)
        guard most >= layout.target else { return nil }
        let blocks = blocks(of: caption, id, most, layout)
        guard !blocks.isEmpty else { return nil }
        let width = blocks.map(\.size.width).max() ?? 0
        let height = blocks.map(\.size.height).reduce(0, +) + gap * Double(blocks.count - 1)
        let rect = Rect(
            x: margin, y: layout.surface.height - margin - height - 2 * padding,
            width: width + 2 * padding, height: height + 2 * padding)
        var y = rect.y + padding
        let children = blocks.map { block in
            let place = Rect(
                x: rect.x + padding, y: y, width: width, height: block.size.height)
            y = place.maxY + gap
            return Widget(
                block.id, .label, rect: place,
                face: block.lines > 1
                    ? .paragraph(block.text, block.role, lines: block.lines, .leading)
                    : .text(block.text, block.role, .leading))
        }
        let panel = Widget(
            id, .label, caption.text, rect: rect,
            face: .ground(radius: Theme.radius, isDense: false), children: children)
        return layout.oriented([panel]).first?.moved(by: (area?.origin ?? .zero) - .zero)
    }

    /// The lines that fit, from the first one on.
    private static func blocks(
        of caption: Caption, _ id: String, _ width: Double, _ layout: BarLayout
    ) -> [Block] {
        let (padding, gap, _) = distances(layout)
        var height = layout.surface.height * mostHeight - 2 * padding
        var blocks: [Block] = []
        for (number, line) in caption.lines.enumerated() {
            let block = block("\(id)/\(number)", line, width, layout)
            guard block.size.height <= height else { break }
            height -= block.size.height + gap
            blocks.append(block)
        }
        return blocks
    }

    private static func block(
        _ id: String, _ line: Caption.Line, _ width: Double, _ layout: BarLayout
    ) -> Block {
        let (text, role, lines): (String, Widget.TextRole, Int) =
            switch line {
            case .title(let text): (text, .title, 1)
            case .paragraph(let text): (text, .body, mostLines)
            case .facts(let texts): (Caption.joined(texts), .small, 1)
            }
        var style = layout.theme.style(role)
        style.lines = lines
        let extents = layout.text(text, style, width: width)
        return Block(
            id: id, text: text, role: role, lines: lines,
            size: Size(
                width: min((extents.width + 1).rounded(.up), width),
                height: extents.height.rounded(.up)))
    }

    /// The time in the corner at the top where reading ends; nil where the surface is too small for it.
    package static func clock(_ text: String, _ layout: BarLayout) -> Widget? {
        let extents = layout.text(text, layout.theme.style(.number))
        let (padding, _, margin) = distances(layout)
        let size = Size(
            width: extents.width.rounded(.up) + 2 * padding,
            height: extents.height.rounded(.up) + padding)
        guard size.width + 2 * margin <= layout.surface.width,
            size.height + 2 * margin <= layout.surface.height / 2, !text.isEmpty
        else { return nil }
        let rect = Rect(
            x: layout.surface.width - margin - size.width, y: margin, width: size.width,
            height: size.height)
        let panel = Widget(
            "clock", .label, text, rect: rect, face: .ground(radius: Theme.radius, isDense: false),
            children: [
                Widget("clock/text", .label, rect: rect, face: .text(text, .number, .center))
            ])
        return layout.oriented([panel]).first
    }
}
