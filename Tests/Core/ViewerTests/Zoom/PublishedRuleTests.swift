import Geometry
import Glibc
import Motion
import Testing

@testable import Viewer

/// Reference values of other programs' rules, compared with this viewer's rules.
@Suite struct PublishedRuleTests {
    /// C3: a scroll view's limits min(W/w, 1) and min(H/h, 1); the viewer's come from both axes.
    @Test func c3LimitsOfAScrollView() {
        let (view, picture) = (Size(width: 390, height: 844), Size(width: 4032, height: 3024))
        let lowest = min(view.width / picture.width, 1)
        let highest = max(min(view.height / picture.height, 1), lowest)
        #expect(abs(lowest - 0.0967) < 5e-5 && abs(highest - 0.2791) < 5e-5)
        let ours = ZoomLimits(picture: picture, viewport: Viewport(size: view))
        #expect(ours.fit == lowest && ours.max >= highest)
    }

    /// C4 and C5: an inset 2 % of the height above the centre, at least 0.
    ///
    /// The viewer's shift tapers off instead, so that no gap is left on one side only.
    @Test(arguments: [(292.5, 258.87), (830, 0)])
    func insetAboveTheCentre(content: Double, inset: Double) {
        let height = 844.0
        let theirs = max((height - content) / 2 - 0.02 * height, 0)
        #expect(abs(theirs - inset) < 1e-6)
        let range = RestRange(
            content: Size(width: 100, height: content), viewport: Size(width: 390, height: height))
        let ours = range.y.lowerBound - content / 2
        #expect(ours >= theirs - 1e-9)
        #expect(ours <= (height - content) / 2)
    }

    /// V9: Android's impulse velocity estimator on the samples of V2.
    ///
    /// The estimator sums kinetic energy step by step and halves the first step; the viewer's
    /// tracker fits a parabola.
    @Test func v9Impulse() {
        let times = [0.0, 8, 16, 25, 33, 41, 50], places = [0.0, 3, 9, 18, 30, 45, 63]
        var work = 0.0
        for index in 1..<times.count {
            let speed = (places[index] - places[index - 1]) / (times[index] - times[index - 1])
            let last = (2 * work).squareRoot()
            work += (speed - last) * abs(speed)
            if index == 1 { work /= 2 }
        }
        let impulse = (2 * work).squareRoot() * 1000
        #expect(abs(impulse - 2002.5729) < 1e-3)
        var tracker = VelocityTracker()
        for (time, place) in zip(times, places) {
            tracker.add(Point(x: place, y: 0), at: Moment(milliseconds: time))
        }
        let ours = tracker.velocity(at: Moment(milliseconds: 54)).dx
        #expect(abs(ours - 2317.7596) < 1e-3)
    }

    /// Z5: the length of van Wijk and Nuij's path between places of equal zoom, ρ = √2.
    ///
    /// A double tap does not use this path, because the focal point would move.
    @Test func z5PathBetweenPlaces() {
        let (rho, width, distance) = (2.0.squareRoot(), 1280.0, 2560.0)
        func r(_ sign: Double) -> Double {
            let b = sign * pow(rho, 4) * distance * distance / (2 * width * rho * rho * distance)
            return log(-b + (b * b + 1).squareRoot())
        }
        #expect(abs((r(-1) - r(1)) / rho - 2.0416) < 1e-4)
    }
}
