import Geometry
import SceneModel

/// What is painted in bands.
enum PaintedLayer: Sendable {
    case picture(PaintedPicture)
    case fill(PaintedFill)

    /// Whether nothing shows of what lies under it in `rect`, device pixels.
    func hides(_ rect: PixelRect) -> Bool {
        switch self {
        case .picture(let picture):
            picture.isOpaque && picture.interior?.intersection(rect) == rect
        case .fill(let fill): fill.color.alpha >= 1 && fill.rect.intersection(rect) == rect
        }
    }
}

/// What the bands of a frame are painted from.
struct PaintedFrame: Sendable {
    /// Of black, under everything, 0…1.
    let backdrop: Double
    /// From the bottom up.
    let layers: [PaintedLayer]
    /// What is seen through the undermost layer; nil where that is no picture, or opaque, or turned.
    let ground: Ground?

    /// For a canvas so many pixels wide.
    init(backdrop: Double, _ layers: [PaintedLayer], width: Int) {
        (self.backdrop, self.layers) = (backdrop, layers)
        if case .picture(let picture)? = layers.first, !picture.isOpaque, picture.interior != nil {
            ground = Ground(picture.checkerboard, backdrop: backdrop, width: width)
        } else {
            ground = nil
        }
    }
}

/// A part of the canvas in one colour.
struct PaintedFill: Sendable {
    /// Device pixels: whole ones, so that neighbours meet without a seam.
    let rect: PixelRect
    let color: FillItem.Color

    init(_ item: FillItem, scale: Double) {
        rect = PixelRect(rounding: item.rect * scale)
        color = item.color
    }
}
