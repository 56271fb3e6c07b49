import Geometry
import Pacing
import Testing

/// A simulated machine with a given cost of a frame, and its governor.
private struct Machine {
    var governor: ResolutionGovernor
    /// Painting time of all pixels at full resolution, in milliseconds.
    var whole: Double
    /// Painting time that does not depend on the resolution, in milliseconds.
    var fixed = 0.0
    let budget = 14.0

    init(whole: Double, upscaler: Upscaler = .compositor) {
        self.whole = whole
        governor = ResolutionGovernor(for: upscaler)
    }

    /// Paints `count` frames and returns the resolution of each.
    @discardableResult
    mutating func run(_ count: Int, isWhole: Bool = true) -> [Double] {
        (0..<count).map { _ in
            let resolution = governor.resolution
            governor.painted(
                in: fixed + whole * resolution * resolution, budget: budget, at: resolution,
                isWhole: isWhole)
            return resolution
        }
    }
}

@Suite struct ResolutionGovernorTests {
    @Test func aFastMachinePaintsEveryPixel() {
        var machine = Machine(whole: 13.9)
        #expect(machine.run(1000).allSatisfy { $0 == 1 })
    }

    @Test(arguments: [(15, 0.75), (22, 0.75), (24, 0.5), (50, 0.5), (60, 0.375), (900, 0.375)])
    func aSlowMachineReducesTheResolution(whole: Double, resolution: Double) {
        var machine = Machine(whole: whole)
        let seen = machine.run(200)
        // The governor reacts after two frames, in one step.
        #expect(seen[..<2].allSatisfy { $0 == 1 })
        #expect(seen[2...].allSatisfy { $0 == resolution })
    }

    @Test func oneSlowFrameOfManyChangesNothing() {
        var machine = Machine(whole: 8)
        for _ in 0..<50 {
            machine.whole = 40
            machine.run(1)
            machine.whole = 8
            #expect(machine.run(9).allSatisfy { $0 == 1 })
        }
    }

    @Test func aFastMachineReturnsToFullResolution() {
        var machine = Machine(whole: 30)
        machine.run(20)
        #expect(machine.governor.resolution == 0.5)
        machine.whole = 8
        let seen = machine.run(200)
        #expect(seen.last == 1)
        #expect((seen.firstIndex(of: 1) ?? .max) < 60)
    }

    @Test func theResolutionDoesNotOscillate() {
        for whole in stride(from: 8.0, to: 80, by: 0.5) {
            var machine = Machine(whole: whole)
            machine.run(50)
            let seen = machine.run(3000)
            #expect(Set(seen).count == 1, "\(whole) ms")
        }
    }

    /// Failed attempts at full resolution become less frequent.
    @Test func attemptsThatFailBecomeRare() {
        var governor = ResolutionGovernor(for: .compositor)
        var attempts: [Int] = []
        for frame in 0..<20_000 {
            let resolution = governor.resolution
            governor.painted(
                in: resolution == 1 ? 30 : 2, budget: 14, at: resolution, isWhole: true)
            if resolution < 1, governor.resolution == 1 { attempts.append(frame) }
        }
        #expect(attempts.count > 2 && attempts.count < 25)
        let gaps = zip(attempts.dropFirst(), attempts).map { $0 - $1 }
        #expect((gaps.last ?? 0) > 1000)
    }

    @Test func partialFramesDoNotRaiseTheResolution() {
        var machine = Machine(whole: 30)
        machine.run(20)
        machine.whole = 1
        #expect(machine.run(1000, isWhole: false).allSatisfy { $0 == 0.5 })
    }

    @Test func framesOfAnotherResolutionDoNotCount() {
        var governor = ResolutionGovernor(for: .compositor)
        for _ in 0..<100 {
            governor.painted(in: 100, budget: 14, at: 0.5, isWhole: true)
            governor.painted(in: 100, budget: 0, at: 1, isWhole: true)
        }
        #expect(governor.resolution == 1)
    }

    @Test func aCostThatDoesNotShrinkEndsAtTheLastStep() {
        var machine = Machine(whole: 5)
        machine.fixed = 40
        machine.run(200)
        #expect(machine.governor.resolution == Upscaler.compositor.resolutions.last)
        machine.fixed = 0
        machine.run(200)
        #expect(machine.governor.resolution == 1)
    }

    // MARK: Upscaling by the painter

    @Test(arguments: [(15, 2), (50, 2), (60, 3), (110, 3), (120, 4), (900, 4)])
    func thePainterUpscalesOnlyByWholeBlocks(whole: Double, side: Int) {
        var machine = Machine(whole: whole, upscaler: .painter)
        let seen = machine.run(200).map { Upscaler.painter.blockSide(at: $0) }
        #expect(seen[..<2].allSatisfy { $0 == 1 })
        #expect(seen[2...].allSatisfy { $0 == side })
    }

    @Test func buffersOfThePainterHaveFullResolution() {
        for resolution in Upscaler.painter.resolutions {
            #expect(Upscaler.painter.bufferResolution(at: resolution) == 1)
        }
        #expect(Upscaler.painter.resolutions.map(Upscaler.painter.blockSide) == [1, 2, 3, 4])
        for resolution in Upscaler.compositor.resolutions {
            #expect(Upscaler.compositor.bufferResolution(at: resolution) == resolution)
            #expect(Upscaler.compositor.blockSide(at: resolution) == 1)
        }
    }

    @Test func littleDetailNeedsASmallBuffer() {
        let (large, small) = (
            PixelSize(width: 2048, height: 1025), PixelSize(width: 2048, height: 1024)
        )
        func resolution(_ detail: Double, _ surface: PixelSize = large) -> Double {
            Upscaler.compositor.bufferResolution(for: detail, on: surface)
        }
        #expect(resolution(0) == 0.25 && resolution(0.125) == 0.25)
        #expect(resolution(0.126) == 0.5 && resolution(0.25) == 0.5)
        #expect(resolution(0.251) == 1 && resolution(1) == 1)
        #expect(resolution(0.125, small) == 1)
        #expect(Upscaler.painter.bufferResolution(for: 0, on: large) == 1)
    }

    /// Part of the cost is equal at every resolution, so the estimate must not scale all of it.
    ///
    /// The cost of a coarse frame times the ratio of the pixel counts would never fit the budget.
    @Test(arguments: [0.1, 0.3, 0.6, 0.9])
    func fullResolutionReturnsWithALargeFixedCost(fixedShare: Double) {
        var machine = Machine(whole: 20 * (1 - fixedShare), upscaler: .painter)
        machine.fixed = 20 * fixedShare
        machine.run(20)
        #expect(machine.governor.resolution < 1)
        machine.whole *= 0.4
        machine.fixed *= 0.4
        let seen = machine.run(120)
        #expect(seen.last == 1)
        #expect((seen.firstIndex(of: 1) ?? .max) < 60)
    }

    @Test(arguments: [0.1, 0.3, 0.6, 0.9])
    func theResolutionDoesNotOscillateWithALargeFixedCost(fixedShare: Double) {
        for whole in stride(from: 8.0, to: 80, by: 0.5) {
            var machine = Machine(whole: whole * (1 - fixedShare), upscaler: .painter)
            machine.fixed = whole * fixedShare
            machine.run(100)
            let seen = machine.run(3000)
            #expect(Set(seen).count == 1, "\(whole) ms")
        }
    }
}
