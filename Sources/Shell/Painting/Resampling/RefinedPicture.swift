import Geometry
package import ImageTypes
package import SceneModel

/// The visible region of a picture at rest, resampled with the best filter into pixels of its own.
///
/// All inputs are values, so that a background thread with a pool of its own can make it. The
/// result has one pixel per device pixel, and is valid until the picture moves.
package struct RefinedPicture: Sendable {
    private let plan: RefinementPlan
    private let pixels: Pixels
    private let filterSpace: FilterSpace
    /// A scene that shows only the visible region, unrotated.
    private let scene: Scene

    /// The source pixels.
    package enum Pixels: Sendable {
        case bitmap(Bitmap)
        /// Tiles of one level, which together are the picture of the plan.
        case mosaic(TiledPicture)
    }

    /// Nil if refinement gains nothing, or if the picture is not opaque.
    package init?(_ plan: RefinementPlan, of pixels: Pixels, filterSpace: FilterSpace) {
        self.plan = plan
        self.pixels = pixels
        self.filterSpace = filterSpace
        let zoom = Double(plan.size.width) / max(plan.part.width, 1e-9)
        let scale: Double
        switch pixels {
        case .bitmap(let bitmap):
            guard bitmap.format.isOpaque else { return nil }
            scale = bitmap.level(for: zoom).scale
        case .mosaic: scale = 1
        }
        let whole = plan.pictureSize
        let item = PictureItem(
            source: plan.source, size: whole,
            placement: Placement(
                center: Point(
                    x: (Double(whole.width) / 2 - plan.part.x) * zoom,
                    y: (Double(whole.height) / 2 - plan.part.y) * zoom), zoom: zoom))
        scene = Scene(size: plan.size.size, scale: 1, backdrop: 1, items: [.picture(item)])
        let steps = [
            plan.part.width / Double(plan.size.width), plan.part.height / Double(plan.size.height),
        ].map { $0 * scale }
        // Only refinement aligns a rotated picture at 1:1 with device pixels; frames in motion
        // align unrotated pictures only.
        let isExact = plan.quarterTurns != 0 && steps.allSatisfy { abs($0 - 1) < 1e-6 }
        guard plan.part.width > 0, plan.part.height > 0,
            isExact || SharpResampling.gains(from: steps, isPlaced: true)
        else { return nil }
    }

    /// Resamples the region; nil if cancelled or out of memory.
    package func make(
        concurrently: Painter.Concurrency, until cancellation: PaintingCancellation
    ) -> Bitmap? {
        guard let memory = OwnedPixels(size: plan.size),
            let bitmap = bitmap(until: cancellation)
        else { return nil }
        let isWhole = Painter().paintSharp(
            scene, into: memory.canvas, filterSpace: filterSpace, bitmap: { _ in bitmap },
            concurrently: concurrently, until: cancellation)
        guard isWhole else { return nil }
        let turns = plan.quarterTurns
        let rotated = turns == 0 ? memory : memory.rotated(by: turns, until: cancellation)
        return rotated?.bitmap
    }

    private func bitmap(until cancellation: PaintingCancellation) -> Bitmap? {
        switch pixels {
        case .bitmap(let bitmap): bitmap
        case .mosaic(let mosaic): mosaic.joined(until: cancellation)
        }
    }
}
