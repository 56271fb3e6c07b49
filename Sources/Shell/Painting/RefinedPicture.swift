import Geometry
package import ImageTypes
package import SceneModel

/// What is seen of a picture that lies still, painted as well as can be into pixels of its own.
///
/// All it needs are values, so that it can be made on a thread that nobody waits for, with a pool of its
/// own; what comes of it is a picture just as large as the screen shows it, for as long as it lies so.
package struct RefinedPicture: Sendable {
    private let plan: RefinementPlan
    private let pixels: Pixels
    private let means: FilterSpace
    /// The part as all that there is, not turned.
    private let scene: Scene

    /// What it is made from.
    package enum Pixels: Sendable {
        case bitmap(Bitmap)
        /// All pixels of the picture that the plan tells of.
        case mosaic(TiledPicture)
    }

    /// Nil where nothing is gained by it, and where pixels let something through.
    package init?(_ plan: RefinementPlan, of pixels: Pixels, filterSpace means: FilterSpace) {
        self.plan = plan
        self.pixels = pixels
        self.means = means
        let zoom = Double(plan.size.width) / max(plan.part.width, 1e-9)
        let scale: Double
        switch pixels {
        case .bitmap(let bitmap):
            guard bitmap.format == .rgb24 else { return nil }
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
        // Turned, a picture that is shown pixel by pixel is on the screen's own only here.
        let isExact = plan.quarterTurns != 0 && steps.allSatisfy { abs($0 - 1) < 1e-6 }
        guard plan.part.width > 0, plan.part.height > 0,
            isExact || SharpResampling.gains(from: steps, isPlaced: true)
        else { return nil }
    }

    /// Paints it; nil when it was cancelled, or there is no memory for it.
    package func make(
        concurrently: Painter.Concurrency, until cancellation: PaintingCancellation
    ) -> Bitmap? {
        guard let memory = OwnedPixels(size: plan.size),
            let bitmap = bitmap(until: cancellation)
        else { return nil }
        let isWhole = Painter().paintSharp(
            scene, into: memory.canvas, filterSpace: means, bitmap: { _ in bitmap },
            concurrently: concurrently, until: cancellation)
        guard isWhole else { return nil }
        let turns = plan.quarterTurns
        let upright = turns == 0 ? memory : memory.turned(by: turns, until: cancellation)
        return upright?.bitmap
    }

    private func bitmap(until cancellation: PaintingCancellation) -> Bitmap? {
        switch pixels {
        case .bitmap(let bitmap): bitmap
        case .mosaic(let mosaic): mosaic.joined(until: cancellation)
        }
    }
}
