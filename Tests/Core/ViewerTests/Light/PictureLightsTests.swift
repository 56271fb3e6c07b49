import Geometry
import Motion
import Testing

@testable import Viewer

/// How pictures become brighter once their gain planes are there.
@Suite struct PictureLightsTests {
    private static func moment(_ milliseconds: Double) -> Moment {
        Moment(milliseconds: milliseconds)
    }

    @Test func lightGrowsFromNothingToAllInFourTenthsOfASecond() {
        var lights = PictureLights()
        #expect(lights.share(of: 1, at: Self.moment(0)) == 0 && lights.isEmpty)
        lights.arrive(1, at: Self.moment(1000), isStill: false)
        let shares = stride(from: 1000.0, through: 1400, by: 20).map {
            lights.share(of: 1, at: Self.moment($0))
        }
        #expect(shares.first == 0 && shares.last == 1)
        #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
        // No jump, and no faster change than 1.5 times the mean.
        #expect(zip(shares, shares.dropFirst()).allSatisfy { $1 - $0 < 1.6 / 20 })
        #expect(lights.isMoving(at: Self.moment(1399)))
        #expect(!lights.isMoving(at: Self.moment(1400)))
        #expect(lights.share(of: 2, at: Self.moment(2000)) == 0)
    }

    /// A plane that comes again, with finer pixels, does not begin the growth again.
    @Test func aSecondArrivalChangesNothing() {
        var lights = PictureLights()
        lights.arrive(1, at: Self.moment(0), isStill: false)
        lights.arrive(1, at: Self.moment(300), isStill: false)
        #expect(lights.share(of: 1, at: Self.moment(400)) == 1)
        lights.keepOnly([2])
        #expect(lights.isEmpty)
        lights.arrive(1, at: Self.moment(500), isStill: false)
        #expect(lights.share(of: 1, at: Self.moment(500)) == 0)
    }

    /// A person switches the light off and on, each time within 0.4 s.
    @Test func lightIsSwitchedSmoothly() {
        var lights = PictureLights()
        lights.arrive(1, at: Self.moment(0), isStill: false)
        lights.toggle(at: Self.moment(1000), isStill: false)
        #expect(!lights.isOn && lights.share(of: 1, at: Self.moment(1000)) == 1)
        #expect(abs(lights.share(of: 1, at: Self.moment(1200)) - 0.5) < 1e-9)
        #expect(lights.isMoving(at: Self.moment(1200)))
        #expect(lights.share(of: 1, at: Self.moment(1400)) == 0)
        lights.toggle(at: Self.moment(2000), isStill: true)
        #expect(lights.isOn && lights.share(of: 1, at: Self.moment(2000)) == 1)
    }

    @Test func withReducedMotionAllOfTheLightIsThereAtOnce() {
        var lights = PictureLights()
        lights.arrive(1, at: Self.moment(1000), isStill: true)
        #expect(lights.share(of: 1, at: Self.moment(1000)) == 1)
        #expect(!lights.isMoving(at: Self.moment(1000)))
    }
}
