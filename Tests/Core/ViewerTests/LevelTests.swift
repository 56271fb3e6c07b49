import Geometry
import Testing

@testable import Viewer

/// Zoom levels and resting places, as the behaviour sheet gives them.
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

    @Test func maxIsTheLargestOfItsThree() {
        // A strip: to fill the surface it would be enlarged past 16 device pixels a pixel.
        let strip = ZoomLimits(picture: Size(width: 1, height: 20000), viewport: surface)
        #expect(strip.fit == 0.054)
        #expect(strip.max == 16)
        // A small picture that is shown at 12 × by the setting: twice fit wins.
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
        // C4: where a fifth of the height is free the shift is 2 % of the height.
        let content = Size(width: 390, height: 3024 * 390 / 4032)
        let free = RestRange(content: content, viewport: view)
        let top = free.y.lowerBound - content.height / 2
        #expect(abs(top - 258.87) < 1e-9)
        // Just before it fills the height there is no shift left, and no jump after.
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
