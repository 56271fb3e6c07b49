import Geometry
import ImageTypes
import Painting
import SceneModel
import Testing
import Text

/// No text loses ink at the edge of its layer.
@Suite struct LayerInkTests {
    private static let texts = [
        "IMG_2031.jpg", "_gjpqy|Ågß", "jf_", "Ünïcödé Ấệ", "กรุงเทพที่สุด", "क्षेत्र ॐ हिन्दी", "العربية ٱلْ",
        "עִבְרִית",
        "日本語。、", "한국어", "བོད་ཡིག", "ၵၢဝ်းမြန်မာ",
    ]

    /// The pixels of a text on a black scene, in a layer that ends at the measures of
    /// the text and `room` logical pixels around them.
    private func ink(
        _ text: String, _ style: TextStyle, room: Double, at y: Double, scale: Double
    ) -> [UInt32] {
        let engine = TextEngine()
        let extents = engine.measure(text, style, width: 400)
        let size = Size(width: extents.width, height: extents.height)
        let layer = LayerItem(
            rect: Rect(
                x: 100 - room, y: y - room, width: size.width + 2 * room,
                height: size.height + 2 * room),
            elements: [
                .text(
                    .init(
                        Rect(x: room, y: room, width: size.width, height: size.height), text,
                        style, .gray(1)))
            ])
        let scene = Scene(
            size: Size(width: 600, height: 400), scale: scale, backdrop: 1, items: [.layer(layer)])
        let nothing = Bitmap(PixelSize(width: 1, height: 1)) { _, _ in 0 }
        return scene.painted(with: nothing)
    }

    /// The margin moves no text, at corners between pixels either.
    @Test(arguments: [1, 1.25, 1.5, 1.75, 2]) func aMarginMovesNothing(scale: Double) {
        let style = TextStyle(size: 15)
        for y in 100...107 {
            let whole = ink("_gjpqy|Ågß", style, room: 60, at: Double(y), scale: scale)
            #expect(ink("_gjpqy|Ågß", style, room: 0, at: Double(y), scale: scale) == whole)
        }
    }

    /// Every script, at text scales of 0.5 to 3 and scales of the screen, in one line and in several.
    @Test(arguments: texts, [0.5, 1, 1.3, 2, 3])
    func noInkIsLost(text: String, textScale: Double) {
        for scale in [1, 1.25, 2] {
            for (lines, size) in [(1, 15.0), (1, 12), (40, 15)] {
                let style = TextStyle(size: size * textScale, lines: lines)
                let whole = ink(text, style, room: 60, at: 100, scale: scale)
                #expect(whole.contains { $0 & 0xFF > 100 })
                #expect(ink(text, style, room: 0, at: 100, scale: scale) == whole)
                #expect(ink(text, style, room: 4, at: 100, scale: scale) == whole)
            }
        }
    }
}
