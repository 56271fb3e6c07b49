import Geometry
import Testing

@Suite struct PixelRectTests {
    @Test func touchingCoversPartlyCoveredPixels() {
        let bounds = PixelRect(PixelSize(width: 100, height: 50))
        let rect = PixelRect(
            touching: Rect(x: 1.5, y: -3, width: 2, height: 4.25), in: bounds)
        #expect(rect == PixelRect(x: 1, y: 0, width: 3, height: 2))
        let absurd = PixelRect(
            touching: Rect(x: -1e300, y: -1e300, width: 2e300, height: 2e300), in: bounds)
        #expect(absurd == bounds)
    }

    @Test func buffersAreRoundedHalfAwayFromZero() {
        #expect(
            PixelSize(covering: Size(width: 101, height: 1), scale: 1.5)
                == PixelSize(width: 152, height: 2))
        #expect(
            PixelSize(covering: Size(width: 0.1, height: 0.1), scale: 1)
                == PixelSize(width: 1, height: 1))
    }

    @Test func reductionsRoundUp() {
        #expect(PixelSize(width: 5, height: 1).reduced(by: 1) == PixelSize(width: 3, height: 1))
        #expect(PixelSize(width: 6000, height: 4000).reduced(by: 12).width == 2)
    }

    @Test func unionsAndIntersections() {
        let a = PixelRect(x: 0, y: 0, width: 4, height: 4)
        let b = PixelRect(x: 2, y: 3, width: 4, height: 4)
        #expect(a.intersection(b) == PixelRect(x: 2, y: 3, width: 2, height: 1))
        #expect(a.union(b) == PixelRect(x: 0, y: 0, width: 6, height: 7))
        #expect(a.intersection(PixelRect(x: 9, y: 9, width: 1, height: 1)).isEmpty)
    }
}
