package import Geometry
package import Motion
package import SceneModel

/// The remainder of a picture's transition to its cell while the grid already handles input.
///
/// The cell may move meanwhile. The picture moves with the cell: its distance from the cell is the
/// same as if the cell had stayed in place.
package struct Landing: Sendable {
    /// The index of the picture.
    package var index: Int
    /// The share of the picture's gain that counted when the viewer covered the grid.
    private let light: Double
    private let picture: Page.Picture
    private let motion: PlacementMotion
    private let correction: PredictionCorrection
    private let crop: ScalarMotion
    private let shade: Backdrop
    /// The cell when the transition began.
    private let transitionSource: TransitionSource
    private let hasCheckerboard: Bool

    init(
        index: Int, picture: Page.Picture, light: Double, motion: PlacementMotion,
        correction: PredictionCorrection, crop: ScalarMotion,
        backdrop: Backdrop, transitionSource: TransitionSource, hasCheckerboard: Bool
    ) {
        self.index = index
        self.picture = picture
        self.light = light
        self.motion = motion
        self.correction = correction
        self.crop = crop
        shade = backdrop
        self.transitionSource = transitionSource
        self.hasCheckerboard = hasCheckerboard
    }

    /// The opacity of the backdrop over the grid, 0…1.
    package func backdrop(at moment: Moment) -> Double { shade.opacity(at: moment) }

    /// The item that draws the picture; `cell` is the current rectangle of the cell on the surface,
    /// in logical pixels.
    package func item(in cell: Rect, at moment: Moment) -> PictureItem {
        let transitionSource = TransitionSource(rect: cell, isCropped: transitionSource.isCropped)
        var item = PictureItem(
            source: picture.source, size: picture.size, placement: placement(in: cell, at: moment),
            crop: transitionSource.crop(of: picture.size, share: crop.value(at: moment)),
            hasCheckerboard: hasCheckerboard)
        item.light = light * backdrop(at: moment)
        return item
    }

    private func placement(in cell: Rect, at moment: Moment) -> Placement {
        var placement = correction.applied(to: motion.placement(at: moment), at: moment)
        placement.center.x += correction.shift(at: moment)
        placement.center = placement.center + (cell.center - transitionSource.rect.center)
        if transitionSource.rect.width > 0 {
            placement.zoom *= cell.width / transitionSource.rect.width
        }
        return placement
    }

    /// Whether the picture is drawn within one logical pixel of its cell, and the backdrop is
    /// practically transparent.
    package func isOver(in cell: Rect, at moment: Moment) -> Bool {
        if motion.isAtRest(at: moment) { return true }
        guard shade.isFaint(at: moment) else { return false }
        return TransitionSource(rect: cell, isCropped: transitionSource.isCropped).isReached(
            by: placement(in: cell, at: moment), of: picture.size, crop: crop.value(at: moment))
    }
}
