import Edits
import Geometry
import Glibc
import ImageTypes
import ImageWire
import Localization

/// Where the pixels of a changed picture come from.
struct EditGeometry {
    /// Turns the stored pixels upright, and then as the edit asks.
    let orientation: Orientation
    /// The size of the turned picture in pixels, before it is cropped.
    let turned: PixelSize
    /// The kept part of the turned picture, in its pixels; for a straightened picture the size of the
    /// result at the place of the rectangle.
    let rect: PixelRect
    /// The angle of a straightened picture in degrees, clockwise; 0 if it is not straightened.
    let angle: Double

    /// Refuses a rectangle outside the picture.
    ///
    /// `stored` is the size of the stored picture.
    init(_ edit: PictureEdit, stored: PixelSize, _ stand: Orientation) throws(EditFailure) {
        orientation = stand.followed(by: edit.turn)
        turned = orientation.upright(stored)
        guard let crop = edit.crop else {
            rect = PixelRect(x: 0, y: 0, width: turned.width, height: turned.height)
            angle = 0
            return
        }
        angle = crop.angle
        // The rotated picture reaches beyond the sides that it had before.
        let (across, down) = Self.reach(turned, angle)
        let left = Self.pixel(crop.rect.x, in: across)
        let top = Self.pixel(crop.rect.y, in: down)
        let right = Self.pixel(crop.rect.maxX, in: across)
        let bottom = Self.pixel(crop.rect.maxY, in: down)
        guard left < right, top < bottom else {
            throw .refused(localized("nothing of the picture is left"))
        }
        rect = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The size of the changed picture in pixels.
    var size: PixelSize { PixelSize(width: rect.width, height: rect.height) }

    /// Whether all pixels are kept.
    var keepsAll: Bool { angle == 0 && size == turned }

    /// The kept part, as an edit reports it.
    var kept: PixelRect? { keepsAll || angle != 0 ? nil : rect }

    /// The whole pixels that a rotated picture reaches, across and down, in the frame of the picture
    /// before its rotation.
    private static func reach(
        _ size: PixelSize, _ angle: Double
    ) -> (across: ClosedRange<Double>, down: ClosedRange<Double>) {
        let (width, height) = (Double(size.width), Double(size.height))
        guard angle != 0 else { return (0...width, 0...height) }
        let radians = angle * .pi / 180
        let (sine, cosine) = (abs(sin(radians)), abs(cos(radians)))
        func range(_ side: Double, _ length: Double) -> ClosedRange<Double> {
            let low = ((side - length) / 2).rounded(.down)
            return low...max((side + length) / 2, low).rounded(.up)
        }
        return (
            range(width, width * cosine + height * sine),
            range(height, width * sine + height * cosine)
        )
    }

    private static func pixel(_ value: Double, in range: ClosedRange<Double>) -> Int {
        Int(clamping: min(max(value, range.lowerBound), range.upperBound).rounded())
    }
}
