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
    case fill(FillItem)
    case panel(PanelItem)
}

/// A picture on the surface.
package struct PictureItem: Hashable, Sendable {
    /// Which picture, and which state of its pixels: a better bitmap bears a higher revision.
    package struct Source: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case picture, thumbnail
            /// A part of a picture that is too large to be held; the revision tells which.
            case tile
            /// Of an animation; the revision counts the frames that were shown.
            case frame
            /// What is seen of a picture that lies still, made for just the pixels of the screen.
            case rest
        }

        package var kind: Kind
        package var picture: Int
        package var revision: Int

        package init(_ kind: Kind = .picture, picture: Int, revision: Int) {
            self.kind = kind
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
    /// Only the middle of the picture shows, of this size in picture pixels.
    package var crop: Size?
    /// Whether a checkerboard lies under it, which is seen where the picture is clear.
    package var isOnCheckerboard: Bool

    package init(
        source: Source, size: PixelSize, placement: Placement, opacity: Double = 1,
        clip: Rect? = nil, crop: Size? = nil, isOnCheckerboard: Bool = false
    ) {
        self.source = source
        self.size = size
        self.placement = placement
        self.opacity = opacity
        self.clip = clip
        self.crop = crop
        self.isOnCheckerboard = isOnCheckerboard
    }

    /// The part of the surface that it may touch, in logical pixels.
    package var bounds: Rect {
        let whole = placement.boundingRect(of: crop ?? size.size)
        return clip.map { whole.intersection($0) } ?? whole
    }
}

/// A part of the surface in one colour.
package struct FillItem: Hashable, Sendable {
    /// Straight, not premultiplied; each 0…1.
    package struct Color: Hashable, Sendable {
        package var red: Double
        package var green: Double
        package var blue: Double
        package var alpha: Double

        package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }

        package static func black(_ alpha: Double) -> Color {
            Color(red: 0, green: 0, blue: 0, alpha: alpha)
        }
    }

    /// Logical pixels of the surface.
    package var rect: Rect
    package var color: Color

    package init(rect: Rect, color: Color) {
        self.rect = rect
        self.color = color
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
    package enum Ground: Hashable, Sendable {
        case dark
        /// For much to read: less shows through.
        case dense
        /// The one that the keyboard is at.
        case highlighted
        /// Only the text.
        case clear
    }

    package var ground: Ground
    /// Of ground and text, 0…1.
    package var opacity: Double
    /// Nothing of it shows outside, in logical pixels of the surface.
    package var clip: Rect?

    package init(
        rect: Rect, cornerRadius: Double = 0, labels: [Label], sharesLine: Bool = false,
        textSize: Double = 15, ground: Ground = .dark, opacity: Double = 1, clip: Rect? = nil
    ) {
        self.rect = rect
        self.cornerRadius = cornerRadius
        self.labels = labels
        self.sharesLine = sharesLine
        self.textSize = textSize
        self.ground = ground
        self.opacity = opacity
        self.clip = clip
    }

    /// The part of the surface that it may touch, in logical pixels.
    package var bounds: Rect { clip.map { rect.intersection($0) } ?? rect }
}
