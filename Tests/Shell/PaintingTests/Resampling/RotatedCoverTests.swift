import SeededRandom
import Geometry
import ImageTypes
import SceneModel
import Testing

@testable import Painting

/// The backdrop is not painted where a rotated picture hides it.
@Suite struct RotatedCoverTests {
    private static let canvas = PixelSize(width: 420, height: 290)

    private func item(
        _ size: PixelSize, zoom: Double, rotation: Double, _ center: Point, opacity: Double = 1
    ) -> PictureItem {
        var item = PictureItem(
            source: .init(picture: 0, revision: 1), size: size,
            placement: Placement(center: center, zoom: zoom, rotation: rotation))
        item.opacity = opacity
        return item
    }

    private func scene(_ items: [SceneItem]) -> Scene {
        Scene(size: Self.canvas.size, scale: 1, backdrop: 1, items: items)
    }

    /// An invisible fill below the picture makes the painter paint all of the backdrop.
    private static let separator = SceneItem.fill(
        FillItem(rect: Rect(x: 0, y: 0, width: 1, height: 1), color: .gray(0, 0)))

    @Test(arguments: [false, true]) func theBackdropShowsAroundThePictureOnly(isPlanar: Bool) {
        var random = SeededGenerator(seed: 83)
        for number in 0..<80 {
            let size = PixelSize(
                width: Int.random(in: 1...500, using: &random),
                height: Int.random(in: 1...400, using: &random))
            let bitmap =
                isPlanar
                ? PlanarPicture(size, PlanarPicture.randomFormat(&random), using: &random).bitmap
                : Bitmap(size) { x, y in 0xFF00_0000 | UInt32(x * 7 + y * 65_793) & 0xFF_FFFF }
            let quarters = Double(Int.random(in: -2...2, using: &random)) * .pi / 2
            var item = item(
                size, zoom: Double.random(in: 0.3...4, using: &random),
                rotation: number % 4 == 0
                    ? quarters : quarters + Double.random(in: -0.8...0.8, using: &random),
                Point(
                    x: Double.random(in: 0...420, using: &random),
                    y: Double.random(in: 0...290, using: &random)),
                opacity: number % 5 == 0 ? 0.5 : 1)
            item.isMirrored = number % 3 == 0
            if number % 7 == 0 { item.clip = Rect(x: 40.5, y: 30, width: 300, height: 210) }
            let part = PixelRect(x: 13, y: 5, width: 390, height: 270)
            for damage in [[PixelRect(Self.canvas)], [part]] {
                let painted = scene([.picture(item)]).painted(with: bitmap, damage: damage)
                let whole = scene([Self.separator, .picture(item)]).painted(
                    with: bitmap, damage: damage)
                #expect(painted == whole, "\(item)")
            }
        }
    }

    /// Bands of a frame that a picture covers at any angle have no pixel of the backdrop.
    @Test(arguments: [0.1, 0.8, 1.4, -2.5]) func aLargePictureHidesEverything(rotation: Double) {
        let size = PixelSize(width: 900, height: 800)
        let bitmap = Bitmap(size) { _, _ in 0xFF12_3456 }
        let frame = Painter().frame(
            of: scene([
                .picture(item(size, zoom: 0.9, rotation: rotation, Point(x: 210, y: 145)))
            ]), on: Self.canvas, sharp: nil
        ) { _ in bitmap }
        for y in [0, 64, 226] {
            let band = PixelRect(x: 0, y: y, width: 420, height: 64)
            #expect(frame.layers.first?.hides(band) == true)
        }
    }

    /// A layer below a rotated picture is painted only where the picture does not hide it.
    @Test func whatIsHiddenIsNotPainted() throws {
        let size = PixelSize(width: 300, height: 300)
        let bitmap = Bitmap(size) { _, _ in 0xFF12_3456 }
        let frame = Painter().frame(
            of: scene([.picture(item(size, zoom: 1, rotation: 0.2, Point(x: 210, y: 145)))]),
            on: Self.canvas, sharp: nil
        ) { _ in bitmap }
        let layer = try #require(frame.layers.first)
        let hidden = layer.hiddenPart(of: PixelRect(x: 0, y: 128, width: 420, height: 64))
        // Each side of the picture is 306 pixels long on a line across; its edges move by 13 in a band.
        #expect((275...292).contains(hidden.width) && hidden.height == 64)
        #expect(layer.hiddenPart(of: PixelRect(x: 0, y: 0, width: 20, height: 64)).isEmpty)
    }
}
