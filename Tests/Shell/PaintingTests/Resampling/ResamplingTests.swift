import SeededRandom
import Geometry
import Painting
import ImageTypes
import SceneModel
import Testing

/// The painter's own interpolation; cairo paints only the edges of unrotated pictures.
@Suite struct ResamplingTests {
    static let canvas = PixelSize(width: 211, height: 300)

    struct Case {
        var bitmap: Bitmap
        var item: PictureItem
        var scene: Scene

        /// Sets up to two of the item's numbers to extreme values; `other` sets a number of its choice.
        mutating func distort(
            using random: inout SeededGenerator, other: (inout PictureItem, Double) -> Void
        ) {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let number = ResamplingTests.oddNumbers.randomElement(using: &random) ?? 0
                switch Int.random(in: 0...3, using: &random) {
                case 0: item.placement.center.x = number
                case 1: item.placement.center.y = number
                case 2: item.placement.zoom = number
                default: other(&item, number)
                }
            }
            scene.items = [.picture(item)]
        }
    }

    private static let oddNumbers: [Double] = [
        0, -0.0, 1, -1, 0.5, 1e-300, 1e-9, 1e9, -1e9, 1e12, 1e300, -1e300, .infinity, .nan,
        .greatestFiniteMagnitude, 123.4999999, 0.333333333333,
    ]

    /// A random rectangle of the canvas.
    func randomPart(_ random: inout SeededGenerator) -> PixelRect {
        PixelRect(
            x: Int.random(in: 0...100, using: &random),
            y: Int.random(in: 0...200, using: &random),
            width: Int.random(in: 1...111, using: &random),
            height: Int.random(in: 1...100, using: &random))
    }

    /// A random picture between guard pages, at a zoom of 2 to the power of `zoom`, roughly.
    func randomCase(
        _ random: inout SeededGenerator, format: PixelFormat = .rgb24,
        zoom: ClosedRange<Double> = -1...4,
        _ pixel: (Int, Int, inout SeededGenerator) -> UInt32
    ) -> Case {
        let size = PixelSize(
            width: Int.random(in: 1...400, using: &random),
            height: Int.random(in: 1...500, using: &random))
        let words = (0..<size.width * size.height).map {
            0xFF00_0000 | pixel($0 % size.width, $0 / size.width, &random)
        }
        let bitmap = Bitmap(size, format: format, words: words, at: .random(using: &random))
        let doublings = Double.random(in: zoom, using: &random)
        let whole = Int(doublings.rounded(.down))
        let zoom = (1 + doublings - Double(whole)) * (whole < 0 ? 0.5 : Double(1 << whole))
        let item = PictureItem(
            source: .init(picture: 0, revision: 1), size: size,
            placement: Placement(
                center: Point(
                    x: Double.random(in: -150...400, using: &random),
                    y: Double.random(in: -150...450, using: &random)), zoom: zoom))
        return Case(
            bitmap: bitmap, item: item,
            scene: Scene(
                size: Self.canvas.size, scale: 1, backdrop: 1, items: [.picture(item)]))
    }

    /// The device pixels that the picture covers completely.
    func interior(_ item: PictureItem) -> PixelRect {
        let rect = item.placement.unrotatedRect(of: item.size)
        let (left, top) = (Int((rect.x + 0.01).rounded(.up)), Int((rect.y + 0.01).rounded(.up)))
        return PixelRect(
            x: left, y: top, width: max(0, Int((rect.maxX - 0.01).rounded(.down)) - left),
            height: max(0, Int((rect.maxY - 0.01).rounded(.down)) - top)
        ).intersection(PixelRect(Self.canvas))
    }

    /// The largest difference of two canvases in one channel, everywhere or inside `part`.
    func difference(_ a: [UInt32], _ b: [UInt32], in part: PixelRect? = nil) -> Int {
        let part = part ?? PixelRect(Self.canvas)
        var largest = 0
        for y in part.y..<part.maxY {
            for index in y * Self.canvas.width + part.x..<y * Self.canvas.width + part.maxX
            where a[index] != b[index] {
                for shift: UInt32 in [0, 8, 16, 24] {
                    let (a, b) = (a[index] >> shift & 255, b[index] >> shift & 255)
                    largest = max(largest, abs(Int(a) - Int(b)))
                }
            }
        }
        return largest
    }

    /// Checks that a repaint of `part` gives the pixels of `whole`, and changes no others.
    func expectPart(_ part: PixelRect, of test: Case, equals whole: [UInt32]) {
        let pixels = test.scene.painted(with: test.bitmap, damage: [part])
        for (index, pixel) in pixels.enumerated() {
            let (x, y) = (index % Self.canvas.width, index / Self.canvas.width)
            let isInside = PixelRect(x: x, y: y, width: 1, height: 1).intersection(part)
            #expect(pixel == (isInside.isEmpty ? Scene.untouched : whole[index]))
        }
    }

    /// Bilinear interpolation of a channel in double precision.
    ///
    /// Beyond its edges the picture is transparent or, if `repeatsEdges`, continues with its outermost pixels.
    func exact(
        _ test: Case, _ x: Int, _ y: Int, shift: UInt32, repeatsEdges: Bool = true
    ) -> Double {
        let (size, placement) = (test.item.size, test.item.placement)
        let place = placement.picturePoint(
            at: Point(x: Double(x) + 0.5, y: Double(y) + 0.5), in: size)
        let (u, v) = (place.x - 0.5, place.y - 0.5)
        let words = test.bitmap.memory.bytes.bindMemory(to: UInt32.self)
        func value(_ column: Double, _ row: Double) -> Double {
            let near = (
                min(max(Int(column), 0), size.width - 1), min(max(Int(row), 0), size.height - 1)
            )
            guard repeatsEdges || near == (Int(column), Int(row)) else { return 0 }
            return Double(words[near.1 * size.width + near.0] >> shift & 255)
        }
        let (left, top) = (u.rounded(.down), v.rounded(.down))
        let (a, b) = (u - left, v - top)
        let upper: Double = (1 - a) * value(left, top) + a * value(left + 1, top)
        let lower: Double = (1 - a) * value(left, top + 1) + a * value(left + 1, top + 1)
        return (1 - b) * upper + b * lower
    }

    /// Column positions are rounded to 1/128: one step between black and white.
    @Test func noiseIsInterpolatedWithinTwoSteps() {
        var random = SeededGenerator(seed: 1)
        var count = 0
        for _ in 0..<150 {
            let test = randomCase(&random) { _, _, random in
                UInt32.random(in: 0...0xFF_FFFF, using: &random)
            }
            let pixels = test.scene.painted(with: test.bitmap)
            #expect(pixels == test.scene.painted(with: test.bitmap, kernel: .portable))
            #expect(pixels == test.scene.painted(with: test.bitmap, isAligned: false))
            let inside = interior(test.item)
            var largest = 0.0
            for y in inside.y..<inside.maxY {
                for x in inside.x..<inside.maxX {
                    for shift: UInt32 in [0, 8, 16] {
                        let value = Double(pixels[y * Self.canvas.width + x] >> shift & 255)
                        largest = max(largest, abs(value - exact(test, x, y, shift: shift)))
                    }
                    if pixels[y * Self.canvas.width + x] >> 24 != 255 { largest = 255 }
                    count += 1
                }
            }
            #expect(largest <= 1.6, "\(test.item)")
        }
        #expect(count > 100_000)
    }

    /// Guard pages trap any read outside of a level.
    @Test(arguments: PaintingKernel.allCases)
    func nothingOutsideALevelIsRead(kernel: PaintingKernel) {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            var test = randomCase(&random, zoom: -6...9) { x, _, _ in UInt32(x) }
            test.distort(using: &random) { item, _ in
                item.size = PixelSize(width: 1 << 20, height: 3)
            }
            let pixels = test.scene.painted(with: test.bitmap, kernel: kernel)
            #expect(pixels.allSatisfy { $0 >> 24 == 255 }, "\(test.item)")
        }
    }

    /// Bands, their order and the number of damage rectangles change no pixel.
    @Test func partialRepaintsEqualTheWholeFrame() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<60 {
            let test = randomCase(&random) { _, _, random in
                UInt32.random(in: 0...0xFF_FFFF, using: &random)
            }
            let whole = test.scene.painted(with: test.bitmap)
            #expect(whole == test.scene.painted(with: test.bitmap, reversed: true))
            let part = randomPart(&random).intersection(interior(test.item))
            guard !part.isEmpty else { continue }
            expectPart(part, of: test, equals: whole)
        }
    }

    /// On a gradient of cairo's maximum surface width, both ends lie where they belong.
    @Test func nothingDriftsOverAWideFrame() {
        let size = PixelSize(width: 40000, height: 9)
        let pixels = (0..<360_000).map { index -> UInt32 in
            let grey = index % 40000 / 16 % 256
            return 0xFF00_0000 | UInt32(grey)
        }
        let bitmap = Bitmap(size, words: pixels)
        let zoom = 32000.0 / 40000
        let item = PictureItem(
            source: .init(picture: 0, revision: 1), size: size,
            placement: Placement(center: Point(x: 16000, y: 1), zoom: zoom))
        let scene = Scene(
            size: Size(width: 32000, height: 2), scale: 1, backdrop: 1, items: [.picture(item)])
        let painted = scene.painted(with: bitmap)
        for x in 1..<31999 {
            // Between the two nearest picture pixels, also where the gradient starts again.
            let place = (Double(x) + 0.5) / zoom - 0.5
            let (left, share) = (Int(place), place - place.rounded(.down))
            let (a, b) = (Double(pixels[left] & 255), Double(pixels[left + 1] & 255))
            #expect(abs(Double(painted[x] & 255) - (a + (b - a) * share)) <= 1.6)
        }
    }
}
