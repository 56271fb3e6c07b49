/// How finely frames in motion are painted, where a machine is too slow for all of their pixels.
///
/// Only what was measured counts. Two slow frames of three make the next ones coarser, as coarse as
/// their cost asks for; a second of frames of which a finer one would surely fit makes them finer
/// again. Where that has proved wrong, the next attempt comes later. At rest every frame is as fine
/// as the screen, which the governor has no part in.
package struct ResolutionGovernor: Hashable, Sendable {
    /// Buffer pixels per device pixel, along each side, from the finest on.
    package static let steps = [1, 0.75, 0.5, 0.375]

    private var step = 0
    /// Whether each of the last frames took too long, the newest last.
    private var isSlow: [Bool] = []
    private var cheap = Cheap()
    /// How many frames have to be cheap before they become finer.
    private var patience = ResolutionGovernor.leastPatience
    /// Frames since it last became finer.
    private var sinceFiner = ResolutionGovernor.trial

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

    package init() {}

    /// What the next frame in motion is to be painted at.
    package var resolution: Double { Self.steps[step] }

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
        isSlow.append(cost > 1)
        if isSlow.count > Self.window { isSlow.removeFirst() }
        if isSlow.count(where: \.self) >= Self.slowFrames {
            becomeCoarser(cost)
        } else if isWhole {
            becomeFinerIfCheap(cost)
        }
    }

    private mutating func becomeCoarser(_ cost: Double) {
        guard step + 1 < Self.steps.count else {
            forget()
            return
        }
        if sinceFiner < Self.trial { patience = min(patience * 2, Self.mostPatience) }
        let wanted = (step + 1..<Self.steps.count).first { next in
            cost * ratio(to: next) <= Self.share.coarser
        }
        step = wanted ?? Self.steps.count - 1
        sinceFiner = Self.trial
        forget()
    }

    private mutating func becomeFinerIfCheap(_ cost: Double) {
        guard step > 0 else { return }
        cheap = Cheap(count: cheap.count + 1, cost: max(cheap.cost, cost))
        if cost * ratio(to: step - 1) > Self.share.finer { cheap = Cheap() }
        guard cheap.count >= patience else { return }
        // Straight to the finest that the costliest of them leaves room for.
        step = (0..<step).first { cheap.cost * ratio(to: $0) <= Self.share.finer } ?? step - 1
        sinceFiner = 0
        forget()
    }

    /// How much more a frame costs at another step: its pixels.
    private func ratio(to other: Int) -> Double {
        let side = Self.steps[other] / Self.steps[step]
        return side * side
    }

    private mutating func forget() {
        isSlow.removeAll(keepingCapacity: true)
        cheap = Cheap()
    }
}
