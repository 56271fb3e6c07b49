/// A model of how the cost of a frame depends on its resolution, learned from changes of
/// resolution.
///
/// One part of the cost is proportional to the number of samples. The other part is constant, such
/// as writing all pixels of a buffer that the compositor does not upscale.
struct PixelCost: Hashable, Sendable {
    /// The cost of a frame at a resolution, in any unit.
    struct Sample: Hashable, Sendable {
        var resolution: Double
        var cost: Double
    }

    /// The constant part of the cost of a full-resolution frame, 0…1.
    private(set) var fixedShare = 0.0

    /// The cost of a frame at `other`, divided by its cost at `resolution`.
    func ratio(from resolution: Double, to other: Double) -> Double {
        cost(at: other) / cost(at: resolution)
    }

    /// Relative to the cost of a full-resolution frame.
    private func cost(at resolution: Double) -> Double {
        fixedShare + (1 - fixedShare) * resolution * resolution
    }

    /// Learns from the costs of frames before and after a change of resolution.
    mutating func learn(from first: Sample, _ second: Sample) {
        let (coarse, fine) =
            first.resolution < second.resolution ? (first, second) : (second, first)
        let pixels = (
            coarse: coarse.resolution * coarse.resolution, fine: fine.resolution * fine.resolution
        )
        guard pixels.coarse < pixels.fine, coarse.cost > 0 else { return }
        // The cost grows at most by as much as the pixels and never shrinks with more pixels;
        // anything else is noise.
        let ratio = min(max(fine.cost / coarse.cost, 1), pixels.fine / pixels.coarse)
        let excess = max(0, pixels.fine - ratio * pixels.coarse)
        fixedShare = excess / (excess + ratio - 1)
    }
}
