import Glibc
import Motion
import Testing

private let everywhere = -1e9...1e9

private func after(_ seconds: Double) -> Moment { Moment(milliseconds: seconds * 1000) }

@Suite struct FlingTests {
    @Test func f1DeceleratesExponentially() {
        let fling = Fling(from: 0, velocity: 2000, at: .zero, within: everywhere)
        #expect(abs(fling.restValue - 998.9997) < 5e-5)
        #expect(abs(fling.value(at: after(0.2)) - 329.6183) < 5e-5)
        #expect(abs(fling.velocity(at: after(0.2)) - 1340.1032) < 5e-5)
    }

    @Test func theDistanceOfAVelocityIsWhereItsFlingEnds() {
        for rate in [Deceleration.normal, Deceleration.firm, Deceleration.fast] {
            let fling = Fling(from: 7, velocity: -900, at: .zero, within: everywhere, rate: rate)
            let distance = Deceleration.distance(at: -900, rate: rate)
            #expect(abs(fling.restValue - (7 + distance)) < 1e-9)
        }
        #expect(abs(Deceleration.normal - 2.00200) < 5e-6)
        #expect(abs(Deceleration.firm - 5.01254) < 5e-6)
        #expect(abs(Deceleration.fast - 10.0503) < 5e-5)
    }

    @Test func f2RestsWhenHalfAPixelRemains() {
        let fling = Fling(from: 0, velocity: 2000, at: .zero, within: everywhere)
        #expect(!fling.isAtRest(at: after(3.7960), tolerance: .pixels))
        #expect(fling.isAtRest(at: after(3.7962), tolerance: .pixels))
    }

    @Test func f3FastDecelerationStopsEarlier() {
        let fling = Fling(
            from: 0, velocity: 2000, at: .zero, within: everywhere, rate: Deceleration.fast)
        #expect(abs(fling.restValue - 198.9983) < 5e-5)
    }

    @Test func f4EntersTheEdgeWithItsSpeed() {
        let fling = Fling(from: 0, velocity: 2000, at: .zero, within: 0...600)
        #expect(fling.value(at: after(0.4583)) < 600)
        #expect(fling.value(at: after(0.4585)) > 600)
        #expect(abs(fling.velocity(at: after(0.4584)) - 798.7984) < 0.5)
        #expect(fling.restValue == 600)
    }

    @Test func f5PeaksLikeASpring() {
        let fling = Fling(from: 0, velocity: 2000, at: .zero, within: 0...600)
        #expect(abs(fling.value(at: after(0.5291)) - 620.7791) < 5e-5)
        #expect(abs(fling.velocity(at: after(0.5291))) < 1)
    }

    @Test func f6SpringsBeyondTheEdge() {
        let fling = Fling(from: 0, velocity: 2000, at: .zero, within: 0...600)
        let edge = -log1p(-Deceleration.normal * 600 / 2000) / Deceleration.normal
        #expect(abs(fling.value(at: after(edge + 0.05)) - 619.6931) < 5e-5)
    }

    @Test func flingsAreSymmetric() {
        let right = Fling(from: 30, velocity: 2000, at: .zero, within: -100...600)
        let left = Fling(from: -30, velocity: -2000, at: .zero, within: -600...100)
        for milliseconds in stride(from: 0.0, to: 3000, by: 13) {
            let moment = Moment(milliseconds: milliseconds)
            #expect(right.value(at: moment) == -left.value(at: moment))
        }
    }

    @Test(arguments: [-1.0, 1])
    func theBounceIsCappedInBothDirections(direction: Double) {
        let fling = Fling(from: 0, velocity: direction * 1e6, at: .zero, within: -1...1)
        let peak = Fling.fastestBounce / (Spring.bounceFrequency * M_E)
        for milliseconds in 0..<2000 {
            let moment = Moment(milliseconds: Double(milliseconds))
            #expect(abs(fling.value(at: moment)) <= 1.001 + peak)
        }
    }

    @Test func aStartOutsideSpringsBackAtOnce() {
        let fling = Fling(from: 130, velocity: 200, at: .zero, within: 0...100)
        #expect(fling.velocity(at: .zero) == 200)
        #expect(fling.restValue == 100)
        let spring = Spring(
            from: 130, to: 100, velocity: 200, at: .zero, frequency: Spring.bounceFrequency)
        #expect(fling.value(at: after(0.1)) == spring.value(at: after(0.1)))
        #expect(fling.isAtRest(at: after(5), tolerance: .pixels))
    }

    @Test func aGentlePushInwardsFromOutsideEndsAtTheEdge() {
        let fling = Fling(from: 130, velocity: -300, at: .zero, within: 0...100)
        #expect(fling.restValue == 100)
    }

    @Test func aFlingInwardsFromOutsideContinues() {
        let fling = Fling(from: 130, velocity: -2000, at: .zero, within: -5000...100)
        #expect(fling.restValue < 0)
        #expect(fling.restValue > -900)
        let through = Fling(from: 130, velocity: -2000, at: .zero, within: 0...100)
        #expect(through.restValue == 0)
    }

    /// The velocity is the derivative of the value, also where one phase ends and the next begins.
    @Test(arguments: [
        Fling(from: 0, velocity: 2000, at: .zero, within: 0...600),
        Fling(from: 0, velocity: -3000, at: .zero, within: -600...0),
        Fling(from: 130, velocity: -2000, at: .zero, within: 0...100),
        Fling(from: -40, velocity: 900, at: .zero, within: 0...5000),
        Fling(from: 5, velocity: 100, at: .zero, within: 5...5),
    ])
    func isContinuous(_ fling: Fling) {
        let step = 0.01
        for index in 0..<300_000 where index % 3 == 0 {
            let milliseconds = Double(index) * step
            let (now, next) = (
                Moment(milliseconds: milliseconds), Moment(milliseconds: milliseconds + step)
            )
            let mean = (fling.velocity(at: now) + fling.velocity(at: next)) / 2
            let delta = fling.value(at: next) - fling.value(at: now)
            guard abs(delta - mean * step / 1000) < 1e-5 else {
                Issue.record("a jump at \(milliseconds) ms")
                return
            }
        }
    }

    @Test func hostileValuesStayFinite() {
        let hostile = [0, -0.0, 1, -1, 1e-300, 1e300, -1e300, .infinity, -.infinity, .nan]
        for value in hostile {
            for velocity in hostile {
                for range in [0.0...0, -1...1, -1e300...1e300] {
                    let fling = Fling(from: value, velocity: velocity, at: .zero, within: range)
                    for time in [-1, 0, 1e-300, 1, 1e9, 1e300, .infinity, .nan] {
                        let moment = Moment(milliseconds: time)
                        #expect(fling.value(at: moment).isFinite)
                        #expect(fling.velocity(at: moment).isFinite)
                    }
                    #expect(fling.isAtRest(at: Moment(milliseconds: 1e12), tolerance: .pixels))
                }
            }
        }
    }
}

@Suite struct ScalarMotionTests {
    @Test func delegatesToItsLaw() {
        let fling = Fling(from: 0, velocity: 100, at: .zero, within: everywhere)
        let spring = Spring(from: 1, to: 2, at: .zero, frequency: 20)
        let moment = after(0.1)
        #expect(ScalarMotion.still(7).value(at: moment) == 7)
        #expect(ScalarMotion.still(7).velocity(at: moment) == 0)
        #expect(ScalarMotion.still(7).restValue == 7)
        #expect(ScalarMotion.still(7).isAtRest(at: moment, tolerance: .pixels))
        #expect(ScalarMotion.spring(spring).value(at: moment) == spring.value(at: moment))
        #expect(ScalarMotion.spring(spring).restValue == 2)
        #expect(ScalarMotion.fling(fling).velocity(at: moment) == fling.velocity(at: moment))
        #expect(ScalarMotion.fling(fling).restValue == fling.restValue)
        #expect(!ScalarMotion.fling(fling).isAtRest(at: moment, tolerance: .pixels))
    }
}
