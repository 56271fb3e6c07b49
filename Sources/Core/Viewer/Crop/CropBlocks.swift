import Edits
package import Geometry

/// The blocks in which the file of a picture is coded, on which it can be cropped without loss.
package struct CropBlocks: Hashable, Sendable {
    /// The size of a block in stored pixels.
    package var size: PixelSize
    /// The size of the stored picture.
    package var stored: PixelSize
    /// How stored pixels become upright.
    package var orientation: Orientation

    package init(size: PixelSize, stored: PixelSize, orientation: Orientation = .upright) {
        (self.size, self.stored, self.orientation) = (size, stored, orientation)
    }

    /// The edit with a rectangle that begins on the block grid of the stored picture, and reaches as far
    /// as the exact one; nil for a straightened picture.
    func aligned(_ edit: PictureEdit) -> PictureEdit? {
        guard size.width > 0, size.height > 0, !stored.isEmpty else { return nil }
        guard let crop = edit.crop else { return edit }
        guard crop.angle == 0 else { return nil }
        let whole = orientation.followed(by: edit.turn)
        let turned = whole.upright(stored).size
        let shares = Rect(
            x: crop.rect.x / turned.width, y: crop.rect.y / turned.height,
            width: crop.rect.width / turned.width, height: crop.rect.height / turned.height)
        let exact = whole.inverse.upright(shares)
        let rect = PixelRect(
            rounding: Rect(
                x: exact.x * Double(stored.width), y: exact.y * Double(stored.height),
                width: exact.width * Double(stored.width),
                height: exact.height * Double(stored.height)))
        let (left, top) = (rect.x / size.width * size.width, rect.y / size.height * size.height)
        let part = Rect(
            x: Double(left) / Double(stored.width), y: Double(top) / Double(stored.height),
            width: Double(rect.maxX - left) / Double(stored.width),
            height: Double(rect.maxY - top) / Double(stored.height))
        let back = whole.upright(part)
        let result = Rect(
            PixelRect(
                rounding: Rect(
                    x: back.x * turned.width, y: back.y * turned.height,
                    width: back.width * turned.width, height: back.height * turned.height)))
        let isAll = result == Rect(origin: .zero, size: turned)
        return PictureEdit(turn: edit.turn, crop: isAll ? nil : .init(rect: result))
    }
}
