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
