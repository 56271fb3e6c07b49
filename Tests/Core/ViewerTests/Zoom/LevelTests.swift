import Geometry
import Testing

@testable import Viewer

/// Zoom limits, zoom steps and rest positions.
@Suite struct LevelTests {
    private let surface = Viewport(size: Size(width: 1920, height: 1080))

    @Test func fitShowsAllOfALargePicture() {
        let limits = ZoomLimits(picture: Size(width: 6000, height: 4000), viewport: surface)
        #expect(limits.fit == 0.27)
        #expect(limits.min == limits.fit)
        #expect(limits.fill == 0.32)
        #expect(limits.max == 4)
    }

    @Test func fitNeverEnlargesUnlessAsked() {
        let small = Size(width: 100, height: 80)
        #expect(ZoomLimits(picture: small, viewport: surface).fit == 1)
        #expect(ZoomLimits(picture: small, viewport: surface, enlarge: true).fit == 13.5)
        let dense = Viewport(size: surface.size, scale: 2)
        #expect(ZoomLimits(picture: small, viewport: dense).fit == 0.5)
    }

    @Test func maximumIsTheLargestOfThreeLimits() {
        // A very narrow picture: `fill` would exceed 16 device pixels per picture pixel.
        let narrow = ZoomLimits(picture: Size(width: 1, height: 20000), viewport: surface)
        #expect(narrow.fit == 0.054)
        #expect(narrow.max == 16)
        // `enlarge` fits this small picture at a zoom of 12; the maximum is twice that.
        let large = ZoomLimits(
            picture: Size(width: 160, height: 90), viewport: surface, enlarge: true)
        #expect(large.max == 24)
    }

    @Test func ladderGoesUpByThreeSteps() {
        let photo = ZoomLimits(picture: Size(width: 6000, height: 4000), viewport: surface)
        #expect(photo.ladder == [0.27, 0.54, 1])
        let small = ZoomLimits(picture: Size(width: 1920, height: 1080), viewport: surface)
        #expect(small.ladder == [1, 2])
        #expect(photo.step(above: 0.27, in: photo.ladder) == 0.54)
        #expect(photo.step(above: 0.6, in: photo.ladder) == 1)
        #expect(photo.step(above: 1, in: photo.ladder) == 0.27)
        #expect(photo.step(below: 1) == 0.54)
        #expect(photo.step(below: 0.27) == 0.27)
    }

    @Test func restSitsAboveTheCentreAndTapersOff() {
        let view = Size(width: 390, height: 844)
        // C4: with a fifth of the height free, the shift is 2 % of the height.
        let content = Size(width: 390, height: 3024 * 390 / 4032)
        let free = RestRange(content: content, viewport: view)
        let top = free.y.lowerBound - content.height / 2
        #expect(abs(top - 258.87) < 1e-9)
        // The shift goes to zero before the picture fills the height, so there is no jump.
        let nearly = RestRange(content: Size(width: 100, height: 843.99), viewport: view)
        #expect(abs(nearly.y.lowerBound - 422) < 0.01)
        let over = RestRange(content: Size(width: 100, height: 844.01), viewport: view)
        #expect(abs(over.y.lowerBound - 422) < 0.01)
    }

    @Test func largerContentRestsBetweenItsEdges() {
        let range = RestRange(
            content: Size(width: 3000, height: 500), viewport: Size(width: 1000, height: 1000))
        #expect(range.x == -500...1500)
        let over = range.overscroll(of: Point(x: 1600, y: range.y.lowerBound))
        #expect(over == Vector(dx: 100, dy: 0))
    }
}
