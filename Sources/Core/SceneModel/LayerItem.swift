package import Geometry

/// Shapes, texts and icons that are painted as one: a bar, a menu, a message.
///
/// The painter keeps the painted layer, so that a frame that moves or fades the layer, or changes what
/// is below, costs one copy of its pixels.
package struct LayerItem: Hashable, Sendable {
    package enum Element: Hashable, Sendable {
        case box(Box)
        case text(Label)
        case paths(Drawing)
        /// Elements that are cut at a rectangle of the layer.
        indirect case group(clip: Rect, [Element])

        /// The rectangle of the element in the layer, in logical pixels.
        package var rect: Rect {
            switch self {
            case .box(let box): box.rect
            case .text(let label): label.rect
            case .paths(let drawing): drawing.rect
            case .group(let clip, _): clip
            }
        }
    }

    /// A filled rectangle with round corners.
    package struct Box: Hashable, Sendable {
        package var rect: Rect
        package var color: Color
        package var cornerRadius: Double
        /// The colour of a line inside the edge; nil for no line.
        package var border: Color?
        /// The width of that line, in logical pixels.
        package var borderWidth: Double

        package init(
            _ rect: Rect, _ color: Color, cornerRadius: Double = 0, border: Color? = nil,
            borderWidth: Double = 1
        ) {
            self.rect = rect
            self.color = color
            self.cornerRadius = cornerRadius
            self.border = border
            self.borderWidth = borderWidth
        }
    }

    /// A text in a rectangle, vertically centred; a text of several lines begins at the top.
    package struct Label: Hashable, Sendable {
        package enum Alignment: Hashable, Sendable { case leading, center, trailing }

        package var rect: Rect
        package var text: String
        package var style: TextStyle
        package var color: Color
        package var alignment: Alignment

        package init(
            _ rect: Rect, _ text: String, _ style: TextStyle, _ color: Color,
            _ alignment: Alignment = .leading
        ) {
            self.rect = rect
            self.text = text
            self.style = style
            self.color = color
            self.alignment = alignment
        }
    }

    /// Paths on a square grid, scaled into a rectangle.
    package struct Drawing: Hashable, Sendable {
        package var rect: Rect
        package var paths: [VectorPath]
        /// The side of the grid, in units of the paths.
        package var grid: Double
        /// The width of strokes, in units of the paths.
        package var stroke: Double
        package var color: Color

        package init(
            _ rect: Rect, _ paths: [VectorPath], grid: Double, stroke: Double, _ color: Color
        ) {
            self.rect = rect
            self.paths = paths
            self.grid = grid
            self.stroke = stroke
            self.color = color
        }
    }

    /// Logical pixels of the surface.
    package var rect: Rect
    /// In painting order; rectangles are relative to the layer's corner, and do not leave the layer.
    package let elements: [Element]
    /// 0…1.
    package var opacity: Double
    /// The clip rectangle, in logical pixels of the surface, rounded to device pixels.
    package var clip: Rect?

    package init(rect: Rect, elements: [Element], opacity: Double = 1, clip: Rect? = nil) {
        self.rect = rect
        self.elements = elements
        self.opacity = opacity
        self.clip = clip
        overhang = Self.overhang(of: elements, beyond: rect.size)
    }

    /// The area of the surface that the layer may cover, in logical pixels.
    ///
    /// A layer begins at a whole device pixel, which may be beside its corner.
    package var bounds: Rect {
        guard opacity > 0 else { return Rect(x: rect.x, y: rect.y, width: 0, height: 0) }
        let reach = overhang > 0 ? overhang + 2 : 1
        let all = Rect(
            x: rect.x - reach, y: rect.y - reach, width: rect.width + 2 * reach,
            height: rect.height + 2 * reach)
        return clip.map { all.intersection($0) } ?? all
    }

    /// How far texts may reach beyond the rectangle, in whole logical pixels.
    ///
    /// The measures of a text are those of its lines; the ink of a letter may leave them: the underscore of
    /// some fonts, marks above and below, the hook of a j before the first letter. Painting also moves the
    /// baseline by up to half a device pixel.
    package let overhang: Double

    private static func overhang(of elements: [Element], beyond size: Size) -> Double {
        elements.reduce(0) { most, element in
            guard case .text(let label) = element else { return most }
            return max(most, label.overhang(beyond: size).rounded(.up))
        }
    }
}

extension LayerItem.Label {
    /// The height of a line, in sizes of the font: more than any font needs that stands in the interface.
    private static let line = 1.5
    /// How far ink may leave a line, in sizes of the font.
    private static let (above, aside) = (0.35, 0.2)

    /// How far the ink of the text may leave the upper left rectangle of that size, in logical pixels.
    fileprivate func overhang(beyond size: Size) -> Double {
        let height = max(rect.height, style.lines > 1 ? 0 : Self.line * style.size)
        let (top, bottom) = (rect.center.y - height / 2, rect.center.y + height / 2)
        let vertical = max(-top, bottom - size.height) + Self.above * style.size + 1
        let horizontal = max(-rect.x, rect.maxX - size.width) + Self.aside * style.size
        return max(vertical, horizontal, 0)
    }
}
