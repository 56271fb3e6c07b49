package import Geometry
package import SceneModel

/// Where the parts of a text field lie on the surface, in logical pixels.
///
/// Places in the text come from the widths of its beginnings. In a text whose first letter is of a
/// right-to-left script they are counted from the right end.
package struct TextFieldLayout {
    /// The area of the text; wider texts are cut off.
    package let area: Rect
    /// The displayed text, with the pre-edit text.
    package let text: String
    /// Where the text begins, left of `area` if a long text is scrolled to its cursor.
    package let origin: Point
    /// The size of the whole text.
    package let size: Size
    /// The cursor, one logical pixel wide; nil if an input method hides it.
    package let cursor: Rect?
    /// The selected part; nil if nothing is selected.
    package let selection: Rect?
    /// The part that an input method composes, to be underlined; nil if there is none.
    package let preedit: Rect?
    /// The part of the pre-edit text that is highlighted; nil if there is none.
    package let preeditHighlight: Rect?

    /// The bytes of UTF-8 before each place in the field's text that the cursor can have, in the
    /// displayed text.
    private let places: [Int]
    private let ruler: Ruler

    /// Lays out a field in `area`, vertically in its middle.
    package init(
        _ field: TextField, in area: Rect, _ style: TextStyle, measure: TextMeasurement
    ) {
        let ruler = Ruler(field.displayText, style.ofContent, measure)
        let places = Self.places(of: field)
        let start = field.byteOffset(of: field.cursor)
        let composed = field.preedit?.text.utf8.count ?? 0
        let inner = field.preedit.map(\.cursor) ?? 0..<0
        let scroll = Self.scroll(to: ruler.x(start + (inner?.upperBound ?? composed)), ruler, area)
        let y = area.center.y - ruler.size.height / 2
        func rect(_ bytes: Range<Int>) -> Rect {
            let (a, b) = (ruler.x(bytes.lowerBound), ruler.x(bytes.upperBound))
            let full = Rect(
                x: area.x - scroll + min(a, b), y: y, width: abs(b - a), height: ruler.size.height)
            return full.intersection(area)
        }
        self.area = area
        self.ruler = ruler
        self.places = places
        text = ruler.text
        size = ruler.size
        origin = Point(x: area.x - scroll, y: y)
        cursor = inner.map { inner in
            let x = area.x - scroll + ruler.x(start + inner.upperBound)
            let height = min(ruler.size.height, area.height)
            return Rect(
                x: min(max(x, area.x), max(area.maxX - 1, area.x)), y: max(y, area.y), width: 1,
                height: height)
        }
        let selected = field.selection
        let isSelected = !selected.isEmpty && field.preedit == nil
        selection =
            isSelected ? rect(places[selected.lowerBound]..<places[selected.upperBound]) : nil
        preedit = composed > 0 ? rect(start..<start + composed) : nil
        let highlight = inner.flatMap { $0.isEmpty ? nil : $0 }
        preeditHighlight = highlight.map { rect(start + $0.lowerBound..<start + $0.upperBound) }
    }

    /// The cursor position that is nearest to a point of the surface.
    package func position(at point: Point) -> Int {
        guard point.x.isFinite else { return 0 }
        let x = point.x - origin.x
        // The first place that is not before the point, in reading direction.
        var (low, high) = (0, places.count - 1)
        while low < high {
            let middle = (low + high) / 2
            let place = ruler.x(places[middle])
            if ruler.isRightToLeft ? place > x : place < x {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low > 0 else { return 0 }
        let (before, after) = (ruler.x(places[low - 1]), ruler.x(places[low]))
        return abs(x - before) <= abs(after - x) ? low - 1 : low
    }

    private static func places(of field: TextField) -> [Int] {
        let composed = field.preedit?.text.utf8.count ?? 0
        var (places, bytes) = ([0], 0)
        for character in field.text {
            bytes += character.utf8.count
            places.append(bytes + (places.count > field.cursor ? composed : 0))
        }
        return places
    }

    /// How far the text is moved to the left so that `x` is visible.
    private static func scroll(to x: Double, _ ruler: Ruler, _ area: Rect) -> Double {
        // The cursor needs a place at the right end.
        let excess = ruler.size.width + 1 - area.width
        return excess > 0 ? min(max(x - area.width / 2, 0), excess) : 0
    }
}

/// Measures the beginnings of a text.
private struct Ruler {
    let text: String
    let size: Size
    let isRightToLeft: Bool
    private let style: TextStyle
    private let measure: TextMeasurement

    init(_ text: String, _ style: TextStyle, _ measure: TextMeasurement) {
        self.text = text
        self.style = style
        self.measure = measure
        let extents = measure(text, style)
        size = Size(width: extents.width, height: extents.height)
        isRightToLeft = text.beginsRightToLeft
    }

    /// The place after this many bytes of UTF-8, from the left end of the text.
    func x(_ bytes: Int) -> Double {
        let end = text.utf8.index(text.startIndex, offsetBy: min(bytes, text.utf8.count))
        let width =
            bytes <= 0 ? 0 : bytes >= text.utf8.count ? size.width : measured(text[..<end])
        return isRightToLeft ? size.width - width : width
    }

    private func measured(_ text: Substring) -> Double {
        min(max(measure(String(text), style).width, 0), size.width)
    }
}
