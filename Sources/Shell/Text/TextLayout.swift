import CCairo
import CText
import Geometry
import SceneModel

/// A text that Pango has laid out.
final class TextLayout {
    private let layout: OpaquePointer
    let extents: TextExtents
    /// The left end of the text, relative to the point where Pango paints it.
    private let offset: Double

    /// Nil without Pango, without fonts or without memory.
    init?(_ text: String, _ style: TextStyle, width: Double?, language: String?) {
        var raw = ctext_style(
            size: style.size, weight: style.weight == .bold ? 700 : 400,
            has_tabular_digits: style.hasTabularDigits ? 1 : 0, width: width ?? -1,
            lines: Int32(clamping: style.lines), is_centered: style.isCentered ? 1 : 0,
            direction: Self.direction(of: text, style))
        var text = text
        let made = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                ctext_layout_make($0.baseAddress, $0.count, language, &raw)
            }
        }
        guard let made else { return nil }
        layout = made
        var measured = ctext_extents()
        ctext_layout_measure(made, &measured)
        offset = measured.x
        extents = TextExtents(
            width: measured.width, height: measured.height, baseline: measured.baseline,
            lines: Int(measured.lines), isShortened: measured.is_shortened != 0)
    }

    private static func direction(of text: String, _ style: TextStyle) -> ctext_direction {
        switch text.baseDirection(in: style.direction) {
        case .content: CTEXT_OF_CONTENT
        case .leftToRight: CTEXT_LEFT_TO_RIGHT
        case .rightToLeft: CTEXT_RIGHT_TO_LEFT
        }
    }

    deinit { ctext_layout_free(layout) }

    func paint(at origin: Point, into cairo: OpaquePointer) {
        ctext_layout_paint(layout, cairo, origin.x - offset, origin.y)
    }
}
