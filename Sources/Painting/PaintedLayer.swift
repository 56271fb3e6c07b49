import Geometry
import SceneModel

/// What is painted in bands.
enum PaintedLayer: Sendable {
    case picture(PaintedPicture)
    case fill(PaintedFill)
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
