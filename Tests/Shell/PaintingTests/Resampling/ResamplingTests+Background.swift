import SeededRandom
import Geometry
import Painting
import ImageTypes
import SceneModel
import Testing

/// Transparent pictures at the bottom of a scene, where the canvas is not filled first.
extension ResamplingTests {
    /// A random case with a scale, a backdrop and perhaps a checkerboard.
    private func groundCase(_ random: inout SeededGenerator) -> Case {
        var test = transparentCase(&random, isRotated: false)
        test.item.hasCheckerboard = .random(using: &random)
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

    /// The result equals that over a canvas with backdrop and checkerboard painted beforehand.
    @Test func bottomPicturesBlendWithTheBackdrop() {
        var random = SeededGenerator(seed: 6)
        var seen = 0
        for _ in 0..<80 {
            let test = groundCase(&random)
            let blockSide = [1, 1, 2, 3].randomElement(using: &random) ?? 1
            let pixels = test.scene.painted(with: test.bitmap, blockSide: blockSide)
            #expect(
                pixels
                    == test.scene.painted(
                        with: test.bitmap, kernel: .portable, blockSide: blockSide))
            var filled = test.scene
            // An invisible item, so that the picture is not the bottom item.
            let nothing = Rect(x: 0, y: 0, width: 0, height: 0)
            filled.items.insert(.fill(.init(rect: nothing, color: .black(1))), at: 0)
            // cairo rounds the squares once more if they are not opaque.
            let bound = test.item.hasCheckerboard && test.item.opacity < 1 ? 2 : 0
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

    @Test func partialRepaintsOfABottomPictureEqualTheWhole() {
        var random = SeededGenerator(seed: 7)
        var seen = 0
        for _ in 0..<60 {
            let test = groundCase(&random)
            let whole = test.scene.painted(with: test.bitmap)
            let rect = test.item.placement.unrotatedRect(of: test.item.size) * test.scene.scale
            let inside = PixelRect(
                x: Int(rect.x.rounded(.up)) + 1, y: Int(rect.y.rounded(.up)) + 1,
                width: Int(rect.width) - 3, height: Int(rect.height) - 3)
            let part = randomPart(&random).intersection(inside)
            guard !part.isEmpty else { continue }
            seen += 1
            expectPart(part, of: test, equals: whole)
        }
        #expect(seen > 20)
    }
}
