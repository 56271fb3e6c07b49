package import Geometry
package import Motion
package import SceneModel

/// The rest of a picture's flight to its cell, while fingers already hold the grid that the cell is in.
///
/// The cell may move meanwhile: the picture is drawn as far from the cell as it would be had the
/// cell stayed.
package struct Landing: Sendable {
    /// The picture's.
    package var index: Int
    private let picture: Page.Picture
    private let motion: PlacementMotion
    private let correction: PredictionCorrection
    private let crop: ScalarMotion
    private let dim: ScalarMotion
    /// The cell when the flight began.
    private let transitionSource: TransitionSource
    private let isOnCheckerboard: Bool

    init(
        index: Int, picture: Page.Picture, motion: PlacementMotion,
        correction: PredictionCorrection, crop: ScalarMotion,
        dim: ScalarMotion, transitionSource: TransitionSource, isOnCheckerboard: Bool
    ) {
        self.index = index
        self.picture = picture
        self.motion = motion
        self.correction = correction
        self.crop = crop
        self.dim = dim
        self.transitionSource = transitionSource
        self.isOnCheckerboard = isOnCheckerboard
    }

    /// How much the backdrop hides of the grid, 0…1.
    package func backdrop(at moment: Moment) -> Double { min(max(dim.value(at: moment), 0), 1) }

    /// The picture, whose cell is now at `cell`.
    package func item(in cell: Rect, at moment: Moment) -> PictureItem {
        let transitionSource = TransitionSource(rect: cell, isCropped: transitionSource.isCropped)
        return PictureItem(
            source: picture.source, size: picture.size, placement: placement(in: cell, at: moment),
            crop: transitionSource.crop(of: picture.size, share: crop.value(at: moment)),
            isOnCheckerboard: isOnCheckerboard)
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

    /// Whether the picture is drawn within a pixel of its cell at `cell`, and the backdrop is gone.
    package func isOver(in cell: Rect, at moment: Moment) -> Bool {
        if motion.isAtRest(at: moment) { return true }
        guard backdrop(at: moment) < ViewerModel.faintBackdrop else { return false }
        return TransitionSource(rect: cell, isCropped: transitionSource.isCropped).isReached(
            by: placement(in: cell, at: moment), of: picture.size, crop: crop.value(at: moment))
    }
}
