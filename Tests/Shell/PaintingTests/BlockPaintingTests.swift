import SeededRandom
import Geometry
import ImageTypes
import SceneModel
import Testing

@testable import Painting

/// Frames that sample only one pixel per block.
@Suite struct BlockPaintingTests {
    /// A picture whose green and blue are 4 · x and 4 · y; no side is longer than 64.
    private func slopes(_ size: PixelSize, format: PixelFormat = .rgb24) -> Bitmap {
        Bitmap(size, format: format) { x, y in
            0xFF00_0000 | UInt32(x * 4) << 8 | UInt32(y * 4)
        }
    }

    private func scene(
        _ canvas: PixelSize, _ bitmap: Bitmap, center: Point, zoom: Double, rotation: Double = 0,
        backdrop: Double = 1
    ) -> Scene {
        let item = PictureItem(
            source: .init(picture: 0, revision: 1), size: bitmap.size,
            placement: Placement(center: center, zoom: zoom, rotation: rotation))
        return Scene(
            size: canvas.size, scale: 1, backdrop: backdrop, items: [.picture(item)])
    }

    private func expectBlocks(
        _ pixels: [UInt32], of side: Int, in size: PixelSize,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var wrong = 0
        for y in 0..<size.height {
            for x in 0..<size.width
            where pixels[y * size.width + x]
                != pixels[y / side * side * size.width + x / side * side]
            {
                wrong += 1
            }
        }
        #expect(wrong == 0, "\(size) in \(side)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [2, 3, 4], [0.0, 0.3])
    func everyBlockIsUniformAtAnySize(side: Int, rotation: Double) {
        let picture = slopes(PixelSize(width: 40, height: 30))
        for (width, height) in [(1, 1), (2, 1), (1, 5), (7, 9), (64, 48), (65, 47), (130, 271)] {
            let size = PixelSize(width: width, height: height)
            let scene = scene(
                size, picture, center: Point(x: Double(width) / 2, y: Double(height) / 2),
                zoom: 3.3, rotation: rotation)
            let pixels = scene.painted(with: picture, blockSide: side)
            #expect(!pixels.contains(Scene.untouched))
            expectBlocks(pixels, of: side, in: size)
        }
    }

    /// A block samples the picture at the block's center, without a subpixel offset.
    ///
    /// This also holds at one picture pixel per block, and at zoom 1.
    @Test(arguments: [2, 3, 4], [PixelFormat.rgb24, .argb32])
    func aBlockSamplesThePictureAtItsCenter(side: Int, format: PixelFormat) {
        let picture = slopes(PixelSize(width: 62, height: 48), format: format)
        let size = PixelSize(width: 151, height: 98)
        for zoom in [1, 1.37, Double(side), 5] {
            for shift in [0.0, 0.4, 0.9, 1.6] {
                let scene = scene(
                    size, picture, center: Point(x: 75 + shift, y: 49 - shift), zoom: zoom)
                let pixels = scene.painted(with: picture, blockSide: side)
                guard case .picture(var item) = scene.items[0] else { continue }
                if zoom == 1 {
                    // At zoom 1 the center is aligned to whole device pixels, as at rest.
                    item.placement.center.x = item.placement.center.x.rounded()
                    item.placement.center.y = item.placement.center.y.rounded()
                }
                // From the block centers to the sampled points, in picture pixels.
                var offsets: [Double] = []
                // Only blocks that lie wholly on the canvas and in the picture.
                let margin = 1 + Double(side) / zoom
                for y in stride(from: side, to: size.height - 2 * side, by: side) {
                    for x in stride(from: side, to: size.width - 2 * side, by: side) {
                        let middle = Point(
                            x: Double(x) + Double(side) / 2, y: Double(y) + Double(side) / 2)
                        let place = item.placement.picturePoint(at: middle, in: item.size)
                        guard place.x > margin, place.x < 62 - margin, place.y > margin,
                            place.y < 48 - margin
                        else { continue }
                        let word = pixels[y * size.width + x]
                        offsets.append(Double(word >> 8 & 255) / 4 + 0.5 - place.x)
                        offsets.append(Double(word & 255) / 4 + 0.5 - place.y)
                    }
                }
                let (least, most) = (offsets.min() ?? .nan, offsets.max() ?? .nan)
                let bounds = -0.15...0.15
                #expect(
                    bounds.contains(least) && bounds.contains(most),
                    "\(zoom), \(shift): \(least) to \(most)")
            }
        }
    }

    /// Farther than a block from the picture's edge a frame equals one of full resolution.
    @Test(arguments: [2, 3, 4], [0.0, 0.2]) func edgesStayWithinABlock(side: Int, rotation: Double)
    {
        let white = Bitmap(PixelSize(width: 20, height: 16)) { _, _ in 0xFFFF_FFFF }
        let size = PixelSize(width: 101, height: 83)
        for step in 0..<20 {
            let scene = scene(
                size, white, center: Point(x: 50 + Double(step) * 0.37, y: 41.5), zoom: 3,
                rotation: rotation, backdrop: 0.8)
            let (fine, coarse) = (
                scene.painted(with: white, blockSide: 1),
                scene.painted(with: white, blockSide: side)
            )
            var wrong = 0
            for y in 0..<size.height {
                for x in 0..<size.width where fine[y * size.width + x] != coarse[y * size.width + x]
                {
                    // The fine frame also has another pixel within a block: an edge.
                    let isAtEdge = (max(0, y - side)...min(size.height - 1, y + side)).contains {
                        v in
                        (max(0, x - side)...min(size.width - 1, x + side)).contains { u in
                            fine[v * size.width + u] != fine[y * size.width + x]
                        }
                    }
                    if !isAtEdge { wrong += 1 }
                }
            }
            #expect(wrong == 0, "\(step)")
        }
    }

    /// Whether no channel differs by more than 1: cairo's edges depend on the painted region.
    private func isNear(_ first: UInt32, _ second: UInt32) -> Bool {
        stride(from: UInt32(0), to: 32, by: 8).allSatisfy {
            abs(Int(first >> $0 & 255) - Int(second >> $0 & 255)) <= 1
        }
    }

    /// Bands, their order and the number of damage rectangles change no pixel.
    @Test(arguments: [2, 3, 4]) func partialRepaintsEqualTheWholeFrame(side: Int) {
        var random = SeededGenerator(seed: 5)
        let picture = slopes(PixelSize(width: 45, height: 64))
        let size = PixelSize(width: 203, height: 301)
        let scene = scene(
            size, picture, center: Point(x: 98.7, y: 150.2), zoom: 4.2, backdrop: 0.5)
        let whole = scene.painted(with: picture, blockSide: side)
        #expect(whole == scene.painted(with: picture, blockSide: side, reversed: true))
        let blocks = PixelBlocks(side: side, of: size)
        for _ in 0..<40 {
            let rects = (0..<3).map { _ in
                PixelRect(
                    x: Int.random(in: 0...200, using: &random),
                    y: Int.random(in: 0...300, using: &random),
                    width: Int.random(in: 0...60, using: &random),
                    height: Int.random(in: 0...90, using: &random))
            }
            let damage = blocks.covering(rects)
            let pixels = scene.painted(with: picture, blockSide: side, damage: damage)
            var wrong = 0
            for (index, pixel) in pixels.enumerated() {
                let one = PixelRect(
                    x: index % size.width, y: index / size.width, width: 1, height: 1)
                let isInside = damage.contains { !$0.intersection(one).isEmpty }
                let isRight =
                    isInside ? isNear(pixel, whole[index]) : pixel == Scene.untouched
                if !isRight { wrong += 1 }
                if !isInside, rects.contains(where: { !$0.intersection(one).isEmpty }) {
                    wrong += 1
                }
            }
            #expect(wrong == 0, "\(rects)")
        }
    }

    @Test func layersKeepFullResolution() {
        let size = PixelSize(width: 160, height: 90)
        let white = Bitmap(PixelSize(width: 160, height: 90)) { _, _ in 0xFFFF_FFFF }
        var scene = scene(size, white, center: Point(x: 80, y: 45), zoom: 1)
        scene.items.append(
            .layer(
                LayerItem(
                    rect: Rect(x: 21, y: 13, width: 101, height: 41),
                    elements: [
                        .box(
                            .init(
                                Rect(x: 0, y: 0, width: 101, height: 41), .gray(0.1, 0.7),
                                cornerRadius: 7)),
                        .text(
                            .init(
                                Rect(x: 9, y: 0, width: 80, height: 41), "Vitrine",
                                TextStyle(size: 15), .gray(1))),
                    ])))
        #expect(
            scene.painted(with: white, blockSide: 1) == scene.painted(with: white, blockSide: 2))
    }

    @Test func damageGrowsToWholeBlocks() {
        let blocks = PixelBlocks(side: 3, of: PixelSize(width: 10, height: 8))
        #expect(blocks.size == PixelSize(width: 4, height: 3))
        #expect(
            blocks.covering([PixelRect(x: 4, y: 2, width: 1, height: 2)])
                == [PixelRect(x: 3, y: 0, width: 3, height: 6)])
        #expect(
            blocks.covering([PixelRect(x: 9, y: 7, width: 50, height: 50)])
                == [PixelRect(x: 9, y: 6, width: 1, height: 2)])
        // Rectangles that touch the same block are merged.
        #expect(
            blocks.covering([
                PixelRect(x: 0, y: 0, width: 4, height: 1),
                PixelRect(x: 5, y: 0, width: 1, height: 1),
            ]) == [PixelRect(x: 0, y: 0, width: 6, height: 3)])
        #expect(blocks.covering([PixelRect(x: -9, y: 0, width: 5, height: 5)]) == [])
        let single = PixelBlocks(side: 1, of: PixelSize(width: 10, height: 8))
        let rect = PixelRect(x: 2, y: 3, width: 4, height: 5)
        #expect(single.covering([rect]) == [rect])
    }
}
