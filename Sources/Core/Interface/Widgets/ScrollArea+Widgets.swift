import Geometry
import Motion

/// What a scroll area shows: the rows that are visible, and the marks of content that scrolls.
///
/// All rectangles are those before they are mirrored for right-to-left languages.
extension ScrollArea {
    /// The width of the scroll bar, in logical pixels.
    private static let barWidth = 4.0

    /// The rows that are visible at least in part in the area `rect`.
    ///
    /// The rows are relative to the corner of the content, which begins at `x` on the surface.
    func visibleRows(_ rows: [Widget], in rect: Rect, x: Double, at moment: Moment) -> [Widget] {
        let translation = Vector(dx: x, dy: rect.y - offset(at: moment))
        return rows.lazy.map { $0.moved(by: translation) }.filter {
            $0.rect.y < rect.maxY && $0.rect.maxY > rect.y
        }
    }

    /// Thin lines at the ends of the area `rect`; none where all of the content fits.
    func edges(_ identifier: String, of rect: Rect) -> [Widget] {
        guard isScrollable else { return [] }
        return [rect.y, rect.maxY - 1].enumerated().map { number, y in
            Widget(
                "\(identifier)/\(number)", .separator,
                rect: Rect(x: rect.x + 1, y: y, width: rect.width - 2, height: 1),
                face: .separator)
        }
    }

    /// The scroll bar of the area `rect`, at a distance from its end; nil where all of the content fits.
    func bar(
        _ identifier: String, of rect: Rect, margin: Double, at moment: Moment
    ) -> Widget? {
        guard let visible = visible(at: moment) else { return nil }
        return Widget(
            identifier, .scrollBar,
            rect: Rect(
                x: rect.maxX - margin - Self.barWidth,
                y: rect.y + visible.lowerBound * rect.height, width: Self.barWidth,
                height: (visible.upperBound - visible.lowerBound) * rect.height),
            face: .separator)
    }
}
