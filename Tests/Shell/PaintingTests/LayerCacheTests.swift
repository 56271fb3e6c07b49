import Geometry
import SceneModel
import Testing
import Text

@testable import Painting

@Suite struct LayerCacheTests {
    private let cache = LayerCache()
    private let text = TextEngine()

    /// A layer of 100×100 pixels, which differs from those with other numbers.
    private func layer(_ number: Int, on canvas: PixelSize) -> LayerPixels? {
        let rect = Rect(x: 0, y: 0, width: 100, height: 100)
        let item = LayerItem(
            rect: rect, elements: [.box(.init(rect, .gray(Double(number) / 10_000)))])
        return cache.layer(item, scale: 1, on: canvas, text)
    }

    @Test func layersThatFramesShowAreKept() {
        let canvas = PixelSize(width: 100, height: 100)
        let first = layer(0, on: canvas)
        for _ in 0..<5 {
            cache.releaseUnused()
            #expect(layer(0, on: canvas) === first)
        }
    }

    @Test func layersThatNoFrameShowsAreReleased() {
        let canvas = PixelSize(width: 100, height: 100)
        let first = WeakLayer(layer(0, on: canvas))
        cache.releaseUnused()
        #expect(first.layer != nil)
        cache.releaseUnused()
        #expect(first.layer == nil)
    }

    /// Two generations, each with as many pixels as the canvas, or 4 MiB.
    @Test(arguments: [
        (PixelSize(width: 100, height: 100), 209), (PixelSize(width: 2000, height: 1000), 400),
    ])
    func theMemoryIsThatOfTwoCanvases(_ canvas: PixelSize, _ most: Int) {
        let layers = (0..<1000).map { WeakLayer(layer($0, on: canvas)) }
        let count = layers.count { $0.layer != nil }
        #expect((most / 2...most).contains(count))
    }

    private final class WeakLayer {
        weak var layer: LayerPixels?

        init(_ layer: LayerPixels?) { self.layer = layer }
    }
}
