import Geometry
import Testing

/// Conversions from real numbers to pixels never trap.
@Suite struct ClampingTests {
    /// Ordinary numbers, limits of the integer types, and what is no number.
    private static let values: [Double] =
        [
            0, 0.5, 1, 1.5, 99.9, 1e3, 1e9, 2_147_483_647, 2_147_483_648, 0x1p53, 0x1p62,
            0x1p63.nextDown, 0x1p63, 1e19, 1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
            .infinity,
        ].flatMap { [$0, -$0] } + [.nan, .signalingNaN]

    @Test(arguments: values)
    func finiteValuesLoseTheirFractionOnly(value: Double) {
        let whole = Int(clamping: value)
        if value.isNaN {
            #expect(whole == 0 && Int32(clamping: value) == 0)
        } else if value >= 0x1p63 {
            #expect(whole == .max && Int32(clamping: value) == .max)
        } else if value < -0x1p63 {
            #expect(whole == .min && Int32(clamping: value) == .min)
        } else {
            #expect(whole == Int(value))
            #expect(Int32(clamping: value) == Int32(clamping: Int(value)))
        }
    }

    @Test(arguments: values)
    func pixelRectanglesStayInTheirBounds(value: Double) {
        let bounds = PixelRect(x: 10, y: 20, width: 100, height: 50)
        for rect in Self.rects(with: value) {
            let touched = PixelRect(touching: rect, in: bounds)
            #expect(touched.isEmpty || touched.intersection(bounds) == touched)
            #expect(touched.width >= 0 && touched.height >= 0)
            let rounded = PixelRect(rounding: rect)
            #expect(rounded.width >= 0 && rounded.height >= 0)
            #expect(abs(rounded.x) <= 1_000_000_000 && rounded.maxX <= 1_000_000_000)
        }
    }

    @Test(arguments: values)
    func sizesOfBuffersArePositive(value: Double) {
        for size in [Size(width: value, height: 100), Size(width: 100, height: value)] {
            for scale in [1, 1.5, value] {
                let pixels = PixelSize(covering: size, scale: scale)
                #expect((1...1_000_000_000).contains(pixels.width))
                #expect((1...1_000_000_000).contains(pixels.height))
            }
        }
    }

    /// Rectangles with `value` as one coordinate, or as all of them.
    private static func rects(with value: Double) -> [Rect] {
        [
            Rect(x: value, y: 0, width: 30, height: 30),
            Rect(x: 0, y: value, width: 30, height: 30),
            Rect(x: 0, y: 0, width: value, height: 30), Rect(x: 0, y: 0, width: 30, height: value),
            Rect(x: value, y: value, width: value, height: value),
        ]
    }
}
