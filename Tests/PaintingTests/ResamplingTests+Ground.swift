import CoreTestKit
import Geometry
import Painting
import Pictures
import SceneModel
import Testing

/// See-through pictures at the bottom of a scene, which no canvas is filled for.
extension ResamplingTests {
    /// A scene of a picture of which pixels let something through.
    private func seeThrough(_ random: inout SeededGenerator) -> Case {
        var test = randomCase(&random) { _, _, _ in 0 }
        let words = (0..<test.item.size.width * test.item.size.height).map { _ in
            let alpha = UInt32.random(in: 0...255, using: &random)
            return alpha << 24 | UInt32.random(in: 0...alpha, using: &random) * 0x01_01_01
        }
        test.bitmap = Bitmap(
            test.item.size, format: .argb32, words: words, at: .random(using: &random))
        test.item.opacity = [1, 1, 0.5, 0.03].randomElement(using: &random) ?? 1
        test.item.isOnCheckerboard = .random(using: &random)
        let scale: Double = [1.0, 1.25, 1.75, 3, 0.05].randomElement(using: &random) ?? 1
        let placement = test.item.placement
        test.item.placement = Placement(
            center: Point(x: placement.center.x / scale, y: placement.center.y / scale),
            zoom: placement.zoom / scale)
        test.scene = Scene(
            size: Size(
                width: Double(Self.canvas.width) / scale, height: Double(Self.canvas.height) / scale
            ),
            scale: scale, backdrop: [1.0, 0.6, 0].randomElement(using: &random) ?? 1,
            items: [.picture(test.item)])
        return test
    }

    /// The largest difference of two canvases in one channel.
    private func difference(_ a: [UInt32], _ b: [UInt32]) -> Int {
        var largest = 0
        for (a, b) in zip(a, b) where a != b {
            for shift: UInt32 in [0, 8, 16, 24] {
                largest = max(largest, abs(Int(a >> shift & 255) - Int(b >> shift & 255)))
            }
        }
        return largest
    }

    /// It looks like one over a canvas that was filled, and painted with squares, before.
    @Test func whatIsSeenThroughAPictureIsWhatLiesUnderIt() {
        var random = SeededGenerator(seed: 6)
        var seen = 0
        for _ in 0..<80 {
            let test = seeThrough(&random)
            let blockSide = [1, 1, 2, 3].randomElement(using: &random) ?? 1
            let pixels = test.scene.painted(with: test.bitmap, blockSide: blockSide)
            #expect(
                pixels
                    == test.scene.painted(
                        with: test.bitmap, kernel: .portable, blockSide: blockSide))
            var filled = test.scene
            // Nothing is seen of it, but then the picture is not the bottom.
            let nothing = Rect(x: 0, y: 0, width: 0, height: 0)
            filled.items.insert(.fill(.init(rect: nothing, color: .black(1))), at: 0)
            // cairo's half clear squares are rounded once more.
            let bound = test.item.isOnCheckerboard && test.item.opacity < 1 ? 2 : 0
            #expect(
                difference(pixels, filled.painted(with: test.bitmap, blockSide: blockSide))
                    <= bound, "\(test.item)")
            let empty = Scene(
                size: test.scene.size, scale: test.scene.scale, backdrop: test.scene.backdrop,
                items: [])
            if pixels != empty.painted(with: test.bitmap) { seen += 1 }
        }
        #expect(seen > 40)
    }

    /// In parts it is what it is as a whole.
    @Test func partsOfASeeThroughPictureAreWhatTheWholeIs() {
        var random = SeededGenerator(seed: 7)
        var seen = 0
        for _ in 0..<60 {
            let test = seeThrough(&random)
            let whole = test.scene.painted(with: test.bitmap)
            let rect = test.item.placement.unrotatedRect(of: test.item.size) * test.scene.scale
            let inside = PixelRect(
                x: Int(rect.x.rounded(.up)) + 1, y: Int(rect.y.rounded(.up)) + 1,
                width: Int(rect.width) - 3, height: Int(rect.height) - 3)
            let part = randomPart(&random).intersection(inside)
            guard !part.isEmpty else { continue }
            seen += 1
            let pixels = test.scene.painted(with: test.bitmap, damage: [part])
            for (index, pixel) in pixels.enumerated() {
                let (x, y) = (index % Self.canvas.width, index / Self.canvas.width)
                let isInside = PixelRect(x: x, y: y, width: 1, height: 1).intersection(part)
                #expect(pixel == (isInside.isEmpty ? Scene.untouched : whole[index]))
            }
        }
        #expect(seen > 20)
    }
}
