/// How the cost of a frame goes with its resolution, as far as changes of it have shown.
///
/// A part of it goes with the pixels that are sampled. The rest is the same at every resolution, such
/// as writing all pixels of a buffer that nobody else enlarges.
struct PixelCost: Hashable, Sendable {
    /// What a frame has cost at a resolution, in any unit.
    struct Sample: Hashable, Sendable {
        var resolution: Double
        var cost: Double
    }

    /// What of a full frame's cost is the same at every resolution, 0…1.
    private(set) var fixedShare = 0.0

    /// How many times as much a frame costs at the second resolution as at the first.
    func ratio(from resolution: Double, to other: Double) -> Double {
        cost(at: other) / cost(at: resolution)
    }

    /// As a part of a full frame's.
    private func cost(at resolution: Double) -> Double {
        fixedShare + (1 - fixedShare) * resolution * resolution
    }

    /// Takes note of what frames cost before and after a change of resolution.
    mutating func learn(from first: Sample, _ second: Sample) {
        let (coarse, fine) =
            first.resolution < second.resolution ? (first, second) : (second, first)
        let pixels = (
            coarse: coarse.resolution * coarse.resolution, fine: fine.resolution * fine.resolution
        )
        guard pixels.coarse < pixels.fine, coarse.cost > 0 else { return }
        // No frame gains more than its pixels, nor does it lose by having fewer: all else is chance.
        let ratio = min(max(fine.cost / coarse.cost, 1), pixels.fine / pixels.coarse)
        let excess = max(0, pixels.fine - ratio * pixels.coarse)
        fixedShare = excess / (excess + ratio - 1)
    }
}
