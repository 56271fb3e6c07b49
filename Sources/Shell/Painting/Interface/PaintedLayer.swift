import Geometry
import SceneModel

/// A layer of the scene that is painted in bands.
enum PaintedLayer: Sendable {
    case picture(PaintedPicture)
    case fill(PaintedFill)

    /// A rectangle of the pixels of `rect` that the layer hides completely, in device pixels.
    func hiddenPart(of rect: PixelRect) -> PixelRect {
        switch self {
        case .picture(let picture): picture.hiddenPart(of: rect)
        case .fill(let fill) where fill.color.alpha >= 1: fill.rect.intersection(rect)
        case .fill: PixelRect(.zero)
        }
    }

    /// Whether the layer hides everything below it in `rect`.
    func hides(_ rect: PixelRect) -> Bool { hiddenPart(of: rect) == rect }
}

/// The input for painting the bands of a frame.
struct PaintedFrame: Sendable {
    let backdrop: Color
    /// From bottom to top.
    let layers: [PaintedLayer]
    /// The background of the bottom layer; nil unless that layer is an unrotated picture that is
    /// not opaque.
    let ground: Ground?
    /// The copies of a cross-fade at rest, with the index of the lower picture; nil without one.
    private let fade: (index: Int, copies: FadeCopies)?

    /// `width` is the width of the canvas in pixels.
    init(
        backdrop: Color, _ layers: [PaintedLayer], width: Int,
        fade: (index: Int, copies: FadeCopies)? = nil
    ) {
        self.fade = fade
        (self.backdrop, self.layers) = (backdrop, layers)
        if case .picture(let picture)? = layers.first, !picture.isOpaque, picture.interior != nil {
            ground = Ground(picture.checkerboard, backdrop: backdrop, width: width)
        } else {
            ground = nil
        }
    }

    /// The copies of the pixels of a layer and the next one, which fades over the layer; nil if there are none.
    func fadeCopies(from layer: Int) -> FadeCopies? {
        fade.flatMap { $0.index == layer ? $0.copies : nil }
    }
}

/// A rectangle in one colour.
struct PaintedFill: Sendable {
    /// In whole device pixels, so that no line shows between neighbours.
    let rect: PixelRect
    let color: Color

    init(_ item: FillItem, scale: Double) {
        rect = PixelRect(rounding: item.rect * scale)
        color = item.color
    }
}
