import Geometry
import ImageTypes
import Painting
import SceneModel
import Testing

/// The rounded corners of a window.
@Suite struct CornerTests {
    private static let size = PixelSize(width: 64, height: 48)

    private func scene(_ radius: Double, scale: Double = 1) -> Scene {
        let color = Color(red: 1, green: 0.5, blue: 0)
        let rect = Rect(x: 0, y: 0, width: 64, height: 48)
        var scene = Scene(
            size: Self.size.size, scale: scale, backdrop: 1,
            items: [.fill(FillItem(rect: rect, color: color))])
        scene.cornerRadius = radius
        return scene
    }

    private func paint(
        _ scene: Scene, blockSide: Int = 1, damage: [PixelRect]? = nil
    ) -> [UInt32] {
        // The scene has no picture.
        scene.painted(
            with: Bitmap(PixelSize(width: 1, height: 1)) { _, _ in 0 }, blockSide: blockSide,
            damage: damage)
    }

    /// Only pixels in the squares of the corners change, and all components by the same factor.
    @Test(arguments: [1.0, 1.5, 2], [1, 2])
    func onlyTheCornersAreCleared(scale: Double, blockSide: Int) {
        let (square, round) = (
            paint(scene(0, scale: scale), blockSide: blockSide),
            paint(scene(12, scale: scale), blockSide: blockSide)
        )
        let size = scene(12, scale: scale).pixelSize
        let radius = 12 * scale
        var areaOfCorners = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (before, after) = (square[y * size.width + x], round[y * size.width + x])
                let column = Double(min(x, size.width - 1 - x)) + 0.5
                let row = Double(min(y, size.height - 1 - y)) + 0.5
                let distance = Vector(
                    dx: max(radius - column, 0), dy: max(radius - row, 0)
                ).length
                if distance < radius - 0.5 || column >= radius || row >= radius {
                    #expect(after == before, "\(x) \(y)")
                } else if distance > radius + 0.5 {
                    #expect(after == 0, "\(x) \(y)")
                }
                let alpha = Int(after >> 24)
                #expect(abs(Int(after >> 16 & 0xFF) - alpha) <= 1)
                #expect(abs(Int(after >> 8 & 0xFF) * 2 - alpha) <= 2)
                #expect(after & 0xFF == 0)
                areaOfCorners += 1 - Double(alpha) / 255
            }
        }
        // The four corners lack (4 − π)·r² pixels together.
        let expected = (4 - Double.pi) * radius * radius
        #expect(abs(areaOfCorners - expected) < 0.03 * expected)
    }

    /// A part that is painted again looks as if all had been painted.
    @Test func aRepaintedPartIsTheSame() {
        let whole = paint(scene(12))
        let damage = PixelRect(x: 2, y: 3, width: 5, height: 4)
        let part = paint(scene(12), damage: [damage])
        for y in 0..<48 {
            for x in 0..<64 {
                let isInside =
                    (damage.x..<damage.maxX).contains(x) && (damage.y..<damage.maxY).contains(y)
                #expect(part[y * 64 + x] == (isInside ? whole[y * 64 + x] : Scene.untouched))
            }
        }
    }

    @Test func aChangeOfTheRadiusDamagesTheCorners() {
        let corners = [(0, 0), (52, 0), (0, 36), (52, 36)].map { x, y in
            PixelRect(x: x, y: y, width: 12, height: 12)
        }
        #expect(Set(scene(12).damage(since: scene(0))) == Set(corners))
        #expect(Set(scene(0).damage(since: scene(12))) == Set(corners))
        #expect(scene(12).damage(since: scene(12)) == [])
        var other = scene(12)
        other.items.append(
            .fill(
                FillItem(rect: Rect(x: 20, y: 20, width: 4, height: 4), color: .black(1))))
        #expect(
            Set(other.damage(since: scene(0)))
                == Set(corners + [PixelRect(x: 20, y: 20, width: 4, height: 4)]))
    }

    /// A radius is at most half of a side; one that is no number is none.
    @Test(arguments: [1000.0, .infinity, .nan, -5])
    func aHostileRadiusIsLimited(radius: Double) {
        let corners = WindowCorners(size: PixelSize(width: 3, height: 2), radius: radius)
        #expect(corners.radius == (radius == 1000 ? 1 : 0))
        #expect(paint(scene(radius)).count == 64 * 48)
        #expect(WindowCorners(size: .zero, radius: 4).squares.isEmpty)
    }
}
