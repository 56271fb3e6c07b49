package import Geometry

/// All that one frame shows, as a value: nothing in it says why it looks so.
package struct Scene: Hashable, Sendable {
    /// The surface in logical pixels.
    package var size: Size
    /// Device pixels per logical pixel.
    package var scale: Double
    /// How much of what lies behind the window the black backdrop hides, 0…1.
    package var backdrop: Double
    /// In the order they are painted.
    package var items: [SceneItem]

    package init(size: Size, scale: Double, backdrop: Double, items: [SceneItem]) {
        self.size = size
        self.scale = scale
        self.backdrop = backdrop
        self.items = items
    }

    /// The buffer that holds the scene.
    package var pixelSize: PixelSize { PixelSize(covering: size, scale: scale) }
}

package enum SceneItem: Hashable, Sendable {
    case picture(PictureItem)
    case panel(PanelItem)
}

/// A picture on the surface.
package struct PictureItem: Hashable, Sendable {
    /// Which picture, and which state of its pixels: a better bitmap bears a higher revision.
    package struct Source: Hashable, Sendable {
        package var picture: Int
        package var revision: Int

        package init(picture: Int, revision: Int) {
            self.picture = picture
            self.revision = revision
        }
    }

    package var source: Source
    /// The whole picture's pixels, whatever reduction of it there is so far.
    package var size: PixelSize
    package var placement: Placement
    package var opacity: Double
    /// Nothing of it shows outside, in logical pixels of the surface.
    package var clip: Rect?

    package init(
        source: Source, size: PixelSize, placement: Placement, opacity: Double = 1,
        clip: Rect? = nil
    ) {
        self.source = source
        self.size = size
        self.placement = placement
        self.opacity = opacity
        self.clip = clip
    }

    /// The part of the surface that it may touch, in logical pixels.
    package var bounds: Rect {
        let whole = placement.boundingRect(of: size)
        return clip.map { whole.intersection($0) } ?? whole
    }
}

/// A dark, see-through rounded panel with lines of text: chrome, messages.
package struct PanelItem: Hashable, Sendable {
    package struct Label: Hashable, Sendable {
        package enum Weight: Hashable, Sendable { case regular, bold }
        package enum Alignment: Hashable, Sendable { case leading, center, trailing }

        package var text: String
        package var weight: Weight
        package var alignment: Alignment

        package init(_ text: String, weight: Weight = .regular, alignment: Alignment = .leading) {
            self.text = text
            self.weight = weight
            self.alignment = alignment
        }
    }

    /// Logical pixels of the surface.
    package var rect: Rect
    package var cornerRadius: Double
    /// One a line, top to bottom, except that labels of different alignment share a line when
    /// `sharesLine` is set.
    package var labels: [Label]
    package var sharesLine: Bool
    /// The size of the text in logical pixels.
    package var textSize: Double
    /// Whether it is the one that the keyboard is at.
    package var isHighlighted: Bool

    package init(
        rect: Rect, cornerRadius: Double = 0, labels: [Label], sharesLine: Bool = false,
        textSize: Double = 15, isHighlighted: Bool = false
    ) {
        self.rect = rect
        self.cornerRadius = cornerRadius
        self.labels = labels
        self.sharesLine = sharesLine
        self.textSize = textSize
        self.isHighlighted = isHighlighted
    }
}
