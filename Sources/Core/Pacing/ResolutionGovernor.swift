/// How finely frames in motion are painted, where a machine is too slow for all of their pixels.
///
/// Only what was measured counts. Two slow frames of three make the next ones coarser, as coarse as
/// their cost asks for; a second of frames of which a finer one would surely fit makes them finer
/// again. Where that has proved wrong, the next attempt comes later. What a change of resolution
/// gains is learned from each change (`PixelCost`). At rest every frame is as fine as the screen,
/// which the governor has no part in.
package struct ResolutionGovernor: Hashable, Sendable {
    private let steps: [Double]
    private var step = 0
    /// The last frames since a change, the newest last.
    private var recent: [Frame] = []
    private var pixelCost = PixelCost()
    /// What frames cost before the last change, until those after it are measured.
    private var before: PixelCost.Sample?
    private var cheap = Cheap()
    /// How many frames have to be cheap before they become finer.
    private var patience = ResolutionGovernor.leastPatience
    /// Frames since it last became finer.
    private var sinceFiner = ResolutionGovernor.trial

    private struct Frame: Hashable, Sendable {
        /// As a part of the budget.
        var cost: Double
        var isWhole: Bool
    }

    /// The frames in a row that could have been finer, and the highest cost of them.
    private struct Cheap: Hashable, Sendable {
        var count = 0
        /// As a part of the budget.
        var cost = 0.0
    }

    private static let window = 3
    private static let slowFrames = 2
    /// What a frame may cost after a change, as a part of the budget.
    private static let share = (coarser: 0.9, finer: 0.7)
    private static let leastPatience = 45
    private static let mostPatience = 1440
    /// An attempt to be finer has failed if it lasted for fewer frames than this.
    private static let trial = 120

    package init(for enlarger: Enlarger) {
        steps = enlarger.resolutions
    }

    /// What the next frame in motion is to be painted at: pixels that are sampled per device pixel,
    /// along each side.
    package var resolution: Double { steps[step] }

    /// Takes note of a frame in motion that was painted at `resolution` within `duration` ms, where
    /// `budget` were there; `isWhole` says that most of the surface was painted.
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

    /// As soon as there is a usual cost after a change, it tells with the one before what pixels cost.
    private mutating func learn() {
        guard let before, recent.count >= Self.slowFrames, let after = usual else { return }
        pixelCost.learn(from: before, after)
        self.before = nil
    }

    /// What the last frames cost, if they can be compared with others.
    private var usual: PixelCost.Sample? {
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
        let wanted = (step + 1..<steps.count).first { next in
            cost * ratio(to: next) <= Self.share.coarser
        }
        change(to: wanted ?? steps.count - 1)
        sinceFiner = Self.trial
    }

    private mutating func becomeFinerIfCheap(_ cost: Double) {
        guard step > 0 else { return }
        cheap = Cheap(count: cheap.count + 1, cost: max(cheap.cost, cost))
        if cost * ratio(to: step - 1) > Self.share.finer { cheap = Cheap() }
        guard cheap.count >= patience else { return }
        // Straight to the finest that the costliest of them leaves room for.
        change(to: (0..<step).first { cheap.cost * ratio(to: $0) <= Self.share.finer } ?? step - 1)
        sinceFiner = 0
    }

    /// How much more a frame costs at another step.
    private func ratio(to other: Int) -> Double {
        pixelCost.ratio(from: resolution, to: steps[other])
    }

    private mutating func change(to other: Int) {
        before = usual
        step = other
        forget()
    }

    private mutating func forget() {
        recent.removeAll(keepingCapacity: true)
        cheap = Cheap()
    }
}
