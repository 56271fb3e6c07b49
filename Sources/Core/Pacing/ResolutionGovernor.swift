/// Chooses the resolution of frames in motion where a machine is too slow for all pixels.
///
/// Only measurements count. Two slow frames of three lower the resolution of the next ones, as far
/// as their cost requires. About a second of frames that would surely fit at a finer resolution
/// raises the resolution again. After a failed attempt the next one comes later. What a change of
/// resolution gains is learned from each change (`PixelCost`). At rest every frame has full
/// resolution, without the governor.
package struct ResolutionGovernor: Hashable, Sendable {
    private let steps: [Double]
    private var step = 0
    /// The last frames since a change, the newest one last.
    private var recent: [Frame] = []
    private var pixelCost = PixelCost()
    /// The cost before the last change, until the cost after it is measured.
    private var before: PixelCost.Sample?
    private var cheap = Cheap()
    /// How many frames have to be cheap before the resolution rises.
    private var patience = ResolutionGovernor.leastPatience
    /// Frames since the resolution last rose.
    private var sinceFiner = ResolutionGovernor.trial

    private struct Frame: Hashable, Sendable {
        /// As a fraction of the budget.
        var cost: Double
        var isWhole: Bool
    }

    /// Successive frames that could have been finer, and the highest cost among them.
    private struct Cheap: Hashable, Sendable {
        var count = 0
        /// As a fraction of the budget.
        var cost = 0.0
    }

    private static let window = 3
    private static let slowFrames = 2
    /// The largest expected cost of a frame after a change, as a fraction of the budget.
    private static let share = (coarser: 0.9, finer: 0.7)
    private static let leastPatience = 45
    private static let mostPatience = 1440
    /// A rise of the resolution has failed if it lasted for fewer frames than this.
    private static let trial = 120

    package init(for upscaler: Upscaler) {
        steps = upscaler.resolutions
    }

    /// The resolution of the next frame in motion: samples per device pixel, along each side.
    package var resolution: Double { steps[step] }

    /// Records a frame in motion that took `duration` of `budget` milliseconds at `resolution`.
    ///
    /// `isWhole` says that most of the surface was painted.
    package mutating func painted(
        in duration: Double, budget: Double, at resolution: Double, isWhole: Bool
    ) {
        guard resolution == self.resolution, budget > 0 else { return }
        let cost = duration / budget
        if sinceFiner < Self.trial {
            sinceFiner += 1
            if sinceFiner == Self.trial { patience = Self.leastPatience }
        }
        recent.append(Frame(cost: cost, isWhole: isWhole))
        if recent.count > Self.window { recent.removeFirst() }
        learn()
        if recent.count(where: { $0.cost > 1 }) >= Self.slowFrames {
            becomeCoarser(cost)
        } else if isWhole {
            becomeFinerIfCheap(cost)
        }
    }

    /// Learns from a change of resolution once there is a typical cost after the change.
    private mutating func learn() {
        guard let before, recent.count >= Self.slowFrames, let after = typicalCost else { return }
        pixelCost.learn(from: before, after)
        self.before = nil
    }

    /// The median cost of the last frames; nil unless most of the surface was painted in all of
    /// them.
    private var typicalCost: PixelCost.Sample? {
        guard !recent.isEmpty, recent.allSatisfy(\.isWhole) else { return nil }
        let costs = recent.map(\.cost).sorted()
        return PixelCost.Sample(resolution: resolution, cost: costs[(costs.count - 1) / 2])
    }

    private mutating func becomeCoarser(_ cost: Double) {
        guard step + 1 < steps.count else {
            forget()
            return
        }
        if sinceFiner < Self.trial { patience = min(patience * 2, Self.mostPatience) }
        let target = (step + 1..<steps.count).first { next in
            cost * ratio(to: next) <= Self.share.coarser
        }
        change(to: target ?? steps.count - 1)
        sinceFiner = Self.trial
    }

    private mutating func becomeFinerIfCheap(_ cost: Double) {
        guard step > 0 else { return }
        cheap = Cheap(count: cheap.count + 1, cost: max(cheap.cost, cost))
        if cost * ratio(to: step - 1) > Self.share.finer { cheap = Cheap() }
        guard cheap.count >= patience else { return }
        // Directly to the finest resolution that the highest cost allows.
        change(to: (0..<step).first { cheap.cost * ratio(to: $0) <= Self.share.finer } ?? step - 1)
        sinceFiner = 0
    }

    /// The expected cost of a frame at another step, divided by its cost at the current one.
    private func ratio(to other: Int) -> Double {
        pixelCost.ratio(from: resolution, to: steps[other])
    }

    private mutating func change(to other: Int) {
        before = typicalCost
        step = other
        forget()
    }

    private mutating func forget() {
        recent.removeAll(keepingCapacity: true)
        cheap = Cheap()
    }
}
