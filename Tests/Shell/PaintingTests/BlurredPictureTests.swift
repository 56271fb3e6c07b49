import Geometry
import Painting
import ImageTypes
import SceneModel
import Testing

/// The blurred copies for the margins of a slideshow.
@Suite struct BlurredPictureTests {
    @Test func oneColourStaysOneColour() throws {
        for size in [
            PixelSize(width: 640, height: 200), PixelSize(width: 1, height: 1),
            PixelSize(width: 3, height: 900),
        ] {
            let blurred = try #require(
                BlurredPicture.make(of: Bitmap(size) { _, _ in 0xff64_c832 }))
            #expect(max(blurred.size.width, blurred.size.height) <= 96)
            let first = try #require(blurred.words.first)
            // Darker, and the same colour.
            #expect(first == 0xff37_6e1b)
            #expect(blurred.words.allSatisfy { $0 == first })
        }
    }

    /// An edge becomes a slope over a sixth of the picture.
    @Test func edgesAreSoft() throws {
        let size = PixelSize(width: 320, height: 160)
        let blurred = try #require(
            BlurredPicture.make(of: Bitmap(size) { x, _ in x < 160 ? 0xff00_0000 : 0xffff_ffff }))
        let row = blurred.words[(20 * 96)..<(21 * 96)].map { Int($0 & 255) }
        #expect(row.first == 0 && row.last == 140)
        let steps = zip(row, row.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 >= 0 && $0 <= 17 })
    }

    /// Blurred margins are painted inside their clip only.
    @Test func onlyTheClipIsPainted() throws {
        let bitmap = try #require(
            BlurredPicture.make(
                of: Bitmap(PixelSize(width: 64, height: 48)) { _, _ in 0xffff_ffff }))
        var item = PictureItem(
            source: .init(.blurred, picture: 1, revision: 0),
            size: PixelSize(width: 640, height: 480),
            placement: Placement(center: Point(x: 40, y: 30), zoom: 0.15))
        item.clip = Rect(x: 0, y: 0, width: 20, height: 60)
        let scene = Scene(
            size: Size(width: 80, height: 60), scale: 1, backdrop: 1, items: [.picture(item)])
        let pixels = scene.painted(with: bitmap)
        #expect(pixels[30 * 80 + 19] == 0xff8c_8c8c)
        #expect(pixels[30 * 80 + 20] == 0xff00_0000)
    }
}
