import Geometry
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
}
