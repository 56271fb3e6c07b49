import CoreTestKit
import Geometry
import ImageTypes
import Painting
import SceneModel
import Testing

/// A translucent picture over an opaque one is painted together with that picture.
struct FadeTests {
    private static let size = PixelSize(width: 300, height: 220)
    private static let canvas = Size(width: 420, height: 290)

    private static func bitmap(isPlanar: Bool) -> Bitmap {
        var random = SeededGenerator(seed: 7)
        guard isPlanar else {
            return Bitmap(size) { _, _ in .random(in: 0...0xFF_FFFF, using: &random) | 0xFF00_0000 }
        }
        return PlanarPicture(
            size, ChromaFormat(columnShift: 1, rowShift: 1), using: &random
        ).bitmap
    }

    private static func item(zoom: Double, _ center: Point, opacity: Double = 1) -> SceneItem {
        .picture(
            PictureItem(
                source: .init(picture: 0, revision: 1), size: size,
                placement: Placement(center: center, zoom: zoom), opacity: opacity))
    }

    private static func scene(_ items: [SceneItem]) -> Scene {
        Scene(size: canvas, scale: 1, backdrop: 1, items: items)
    }

    /// The lower picture, then the upper one, with edges of both inside the canvas.
    private static let places: [(lower: SceneItem, upper: SceneItem)] = [
        (
            item(zoom: 1.2, Point(x: 205.3, y: 141.2)),
            item(zoom: 1.1, Point(x: 222.6, y: 150.9), opacity: 0.4)
        ),
        (
            item(zoom: 0.9, Point(x: 210.2, y: 140.4)),
            item(zoom: 2.2, Point(x: 214.7, y: 139.5), opacity: 0.7)
        ),
        (
            item(zoom: 2.3, Point(x: 210, y: 145)),
            item(zoom: 1, Point(x: 210, y: 145), opacity: 0.5)
        ),
        // They have no pixel in common.
        (
            item(zoom: 0.4, Point(x: 80.5, y: 70)),
            item(zoom: 0.4, Point(x: 300.2, y: 200.1), opacity: 0.5)
        ),
    ]

    @Test(arguments: [PaintingKernel.portable, .simd, .best], [false, true])
    func pixelsAreThoseOfOnePictureAfterTheOther(kernel: PaintingKernel, isPlanar: Bool) {
        let bitmap = Self.bitmap(isPlanar: isPlanar)
        // An invisible rectangle between the pictures keeps them apart.
        let separator = SceneItem.fill(
            FillItem(rect: Rect(x: 0, y: 0, width: 1, height: 1), color: .gray(0, 0)))
        for (lower, upper) in Self.places {
            let together = Self.scene([lower, upper]).painted(with: bitmap, kernel: kernel)
            let apart = Self.scene([lower, separator, upper]).painted(with: bitmap, kernel: kernel)
            #expect(together == apart)
        }
    }

    /// Bands and damage change no pixel.
    @Test func damageChangesNoPixel() {
        let bitmap = Self.bitmap(isPlanar: true)
        let (lower, upper) = Self.places[0]
        let scene = Self.scene([lower, upper])
        let whole = scene.painted(with: bitmap)
        let width = Int(Self.canvas.width)
        let damage = PixelRect(x: 61, y: 37, width: 211, height: 149)
        let part = scene.painted(with: bitmap, damage: [damage])
        for y in damage.y..<damage.maxY {
            let row = (y * width + damage.x)..<(y * width + damage.maxX)
            #expect(part[row] == whole[row])
        }
    }
}
