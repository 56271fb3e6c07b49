import CCairo
import Geometry
import SceneModel
import TestKit
import Testing
import Text

/// Black text on white, at the upper left corner of a canvas.
struct PaintedText {
    let extents: TextExtents
    private let size: PixelSize
    /// 0xXXRRGGBB, row by row.
    private var pixels: [UInt32]

    init(
        _ text: String, _ style: TextStyle, _ engine: TextEngine, size: PixelSize,
        width: Double? = nil
    ) throws {
        self.size = size
        var pixels = [UInt32](repeating: 0xFFFF_FFFF, count: size.width * size.height)
        extents = engine.measure(text, style, width: width)
        try pixels.withUnsafeMutableBytes { bytes in
            let surface = try #require(
                cairo_image_surface_create_for_data(
                    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24,
                    Int32(size.width), Int32(size.height), Int32(size.width * 4)))
            let context = try #require(cairo_create(surface))
            cairo_set_source_rgb(context, 0, 0, 0)
            engine.paint(text, style, width: width, at: .zero, into: context)
            cairo_destroy(context)
            cairo_surface_flush(surface)
            cairo_surface_destroy(surface)
        }
        self.pixels = pixels
    }

    private func color(_ x: Int, _ y: Int) -> (r: Int, g: Int, b: Int) {
        let pixel = pixels[y * size.width + x]
        return (Int(pixel >> 16 & 0xFF), Int(pixel >> 8 & 0xFF), Int(pixel & 0xFF))
    }

    /// The number of pixels that are not white.
    var inkedPixels: Int { pixels.count { $0 & 0xFFFFFF != 0xFFFFFF } }

    /// Whether all pixels are those of another text, but for rounding.
    func shows(_ other: PaintedText) -> Bool {
        zip(pixels, other.pixels).allSatisfy { one, two in
            abs(Int(one & 0xFF) - Int(two & 0xFF)) <= 25
        }
    }

    /// From the first to the last column with ink in these rows; empty without ink.
    func inkedColumns(_ rows: Range<Int>) -> Range<Int> {
        let inked = (0..<size.width).filter { x in
            rows.contains { pixels[$0 * size.width + x] & 0xFFFFFF != 0xFFFFFF }
        }
        return (inked.first ?? 0)..<(inked.last.map { $0 + 1 } ?? 0)
    }

    /// The number of pixels of which a channel differs by more than a tenth from the pixel of `other`
    /// that is `offset` pixels lower.
    func differingPixels(from other: Screenshot, shiftedBy offset: Int) -> Int {
        var count = 0
        for y in 0..<size.height - offset {
            for x in 0..<size.width {
                let (a, b) = (color(x, y), other.color(x, y + offset))
                if max(abs(a.r - b.r), abs(a.g - b.g), abs(a.b - b.b)) > 25 { count += 1 }
            }
        }
        return count
    }
}
