import CMath
package import Geometry
import SceneModel

/// The cell of a picture on the grid: where the transition to the viewer begins.
package struct TransitionSource: Hashable, Sendable {
    /// The rectangle of the cell on the surface, in logical pixels.
    package var rect: Rect
    /// Whether the cell shows only the middle of the picture, cropped to the cell's aspect ratio.
    package var isCropped: Bool

    package init(rect: Rect, isCropped: Bool) {
        self.rect = rect
        self.isCropped = isCropped
    }

    /// The size of the visible middle of a picture, in picture pixels; nil shows the whole picture.
    ///
    /// `share`, 0…1, interpolates between the whole picture (0) and the crop of the cell (1).
    func crop(of size: PixelSize, share: Double) -> Size? {
        let share = min(max(share, 0), 1)
        guard share > 0, rect.height > 0 else { return nil }
        let aspect = rect.width / rect.height
        let whole = size.size
        let (width, height) = (
            min(whole.width, whole.height * aspect), min(whole.height, whole.width / aspect)
        )
        return Size(
            width: whole.width + (width - whole.width) * share,
            height: whole.height + (height - whole.height) * share)
    }

    /// The placement of a picture in the cell: it covers a cropped cell, and fits into any other.
    ///
    /// `size` is in picture pixels, `rotation` in radians.
    func placement(of size: PixelSize, rotation: Double) -> Placement {
        let across = rect.width / Double(max(size.width, 1))
        let down = rect.height / Double(max(size.height, 1))
        return Placement(
            center: rect.center, zoom: isCropped ? max(across, down) : min(across, down),
            rotation: rotation)
    }

    /// Whether the drawn picture differs from its cell by less than one logical pixel.
    ///
    /// `share` is the current crop, 0…1.
    func isReached(by placement: Placement, of size: PixelSize, crop share: Double) -> Bool {
        let target = self.placement(
            of: size, rotation: ViewGeometry.fullTurn(placement.rotation))
        let shown = crop(of: size, share: isCropped ? share : 0) ?? size.size
        let end = crop(of: size, share: isCropped ? 1 : 0) ?? size.size
        let reach = hypot(end.width, end.height) / 2 * target.zoom
        let distances = [
            (placement.center - target.center).length,
            abs(shown.width * placement.zoom - end.width * target.zoom) / 2,
            abs(shown.height * placement.zoom - end.height * target.zoom) / 2,
            abs(placement.rotation - target.rotation) * reach,
        ]
        return distances.allSatisfy { $0 < 1 }
    }
}
