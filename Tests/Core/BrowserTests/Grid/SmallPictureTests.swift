import Geometry
import Gestures
import Grid
import ImageTypes
import Input
import Motion
import SceneModel
import Testing

@testable import Browser

/// Pictures that are smaller than their cells.
@Suite struct SmallPictureTests {
    /// A grid of pictures of one size, whose thumbnails are the pictures themselves.
    private func rig(
        _ size: PixelSize, scale: Double = 1, grid: GridSettings = GridSettings()
    ) -> BrowserRig {
        var rig = BrowserRig(.grid, count: 40, size: size, grid: grid)
        rig.hands.target.resize(to: nil, scale: scale, at: rig.moment)
        rig.hands.target.setSizes(
            (0..<40).map { (index: $0, size: size) }, at: rig.moment)
        rig.rest()
        return rig
    }

    /// The picture of the first cell as it is drawn: its rectangle, what is visible, and the cell.
    private func drawn(_ rig: BrowserRig) -> (whole: Rect, clip: Rect, cell: Rect)? {
        let size = rig.sizes[0]
        let frame = rig.browser.frame(
            at: rig.moment,
            content: { _ in
                CellContent(thumbnail: (source: .init(picture: 7, revision: 1), size: size))
            }, name: { "\($0)" })
        guard let cell = rig.cell(0) else { return nil }
        for case .picture(let item) in frame.scene.items {
            if let clip = item.clip, cell.contains(clip.center) {
                return (item.placement.unrotatedRect(of: item.size), clip, cell)
            }
        }
        return nil
    }

    /// One pixel of the picture is one pixel of the screen, at a whole pixel from the corner of the cell.
    @Test(arguments: [1, 1.25, 2]) func anIconIsNotEnlarged(scale: Double) throws {
        let icon = try #require(drawn(rig(PixelSize(width: 64, height: 48), scale: scale)))
        #expect(abs(icon.whole.width - 64 / scale) < 1e-9)
        #expect(abs(icon.whole.height - 48 / scale) < 1e-9)
        #expect(abs(icon.clip.width - icon.whole.width) < 1e-9)
        #expect(abs(icon.clip.height - icon.whole.height) < 1e-9)
        #expect(abs(icon.whole.center.x - icon.cell.center.x) <= 1 / scale)
        #expect(abs(icon.whole.center.y - icon.cell.center.y) <= 1 / scale)
        for distance in [icon.whole.x - icon.cell.x, icon.whole.y - icon.cell.y] {
            let pixels = distance * scale
            #expect(abs(pixels - pixels.rounded()) < 1e-6)
        }
    }

    @Test func aFlatStripIsCutAtItsEnds() throws {
        let strip = try #require(drawn(rig(PixelSize(width: 2000, height: 40))))
        #expect(strip.whole.size == Size(width: 2000, height: 40))
        #expect(abs(strip.clip.width - strip.cell.width) < 1e-9)
        #expect(abs(strip.clip.height - 40) < 1e-9)
    }

    @Test func aPhotoFillsItsCell() throws {
        let photo = try #require(drawn(rig(PixelSize(width: 3000, height: 2000))))
        #expect(photo.clip == photo.cell)
        #expect(abs(photo.whole.height - photo.cell.height) < 1e-9)
    }

    @Test func rowsOfTheirOwnShapeDoNotEnlargeEither() throws {
        var settings = GridSettings()
        settings.layout = .justified
        let icon = try #require(drawn(rig(PixelSize(width: 64, height: 48), grid: settings)))
        #expect(abs(icon.whole.width - 64) < 1e-9)
    }

    /// The flight begins and ends where the icon lies in its cell.
    @Test func aFlightBeginsAndEndsAtTheIcon() throws {
        var rig = rig(PixelSize(width: 64, height: 48))
        let icon = try #require(drawn(rig))
        rig.tap(icon.cell.center)
        rig.pass(to: rig.now + 8)
        let start = try #require(rig.flying).rect
        #expect(abs(start.width - icon.whole.width) < 12)
        #expect(abs(start.center.x - icon.whole.center.x) < 60)
        rig.rest()
        rig.key("Escape")
        var last = start
        for _ in 0..<400 {
            rig.pass(to: rig.now + 8)
            guard let flying = rig.flying else { break }
            last = flying.rect
        }
        #expect(rig.browser.mode == .grid)
        #expect(abs(last.width - icon.whole.width) <= 1)
        #expect(abs(last.center.x - icon.whole.center.x) <= 1.5)
    }

    /// What is under a finger that magnifies the cells stays there: an icon grows with its cell.
    @Test func anIconKeepsItsPlaceInACellThatGrows() throws {
        var rig = rig(PixelSize(width: 64, height: 48))
        func shares(_ drawn: (whole: Rect, clip: Rect, cell: Rect)) -> [Double] {
            [
                (drawn.whole.x - drawn.cell.x) / drawn.cell.width,
                (drawn.whole.maxY - drawn.cell.y) / drawn.cell.height,
            ]
        }
        let start = try shares(#require(drawn(rig)))
        rig.touch([
            .down(id: 0, at: Point(x: 600, y: 400)), .down(id: 1, at: Point(x: 700, y: 400)),
        ])
        for step in 1...20 {
            rig.touch(
                [.move(id: 1, to: Point(x: 700 + Double(step) * 3, y: 400))], after: 8)
            guard rig.cell(0).map({ $0.maxX > 0 && $0.maxY > 0 }) == true else { continue }
            let now = try shares(#require(drawn(rig)))
            // Cells of other numbers of columns differ by a pixel or two.
            for (a, b) in zip(start, now) { #expect(abs(a - b) < 0.01) }
        }
        #expect(rig.browser.grid.frame(at: rig.moment).scale > 1.2)
    }

    /// A feed shows each picture as wide as the surface.
    @Test func aFeedShowsAnIconLarge() throws {
        var rig = rig(PixelSize(width: 64, height: 48))
        for _ in 0..<8 { rig.key("plus", text: "+") }
        rig.rest()
        let icon = try #require(drawn(rig))
        #expect(abs(icon.whole.width - icon.cell.width) < 1)
    }
}
