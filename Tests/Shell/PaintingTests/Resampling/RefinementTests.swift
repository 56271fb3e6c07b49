import SeededRandom
import Geometry
import Glibc
import Painting
import ImageTypes
import SceneModel
import Testing

/// Frames at rest, compared with the same filters in double precision.
@Suite struct RefinementTests {
    private static let canvas = PixelSize(width: 150, height: 140)

    private func bitmap(_ size: PixelSize, _ pixel: (Int, Int) -> UInt32) -> Bitmap {
        Bitmap(size) { x, y in 0xFF00_0000 | pixel(x, y) }
    }

    /// A zone plate: rings that grow finer towards the edge, up to the Nyquist frequency.
    private func zonePlate(_ size: PixelSize) -> Bitmap {
        bitmap(size) { x, y in
            let (dx, dy) = (Double(x - size.width / 2), Double(y - size.height / 2))
            let grey = UInt32(127.5 + 127.5 * cos((dx * dx + dy * dy) * .pi / Double(size.width)))
            return grey << 16 | grey << 8 | grey
        }
    }

    /// Soft slopes of colour with grain and hard edges, as photographs have them.
    private func photograph(_ size: PixelSize) -> Bitmap {
        var random = SeededGenerator(seed: 7)
        return bitmap(size) { x, y in
            let isDark = (x / 37 + y / 53).isMultiple(of: 3)
            let grain = Int.random(in: -12...12, using: &random)
            func channel(_ value: Double) -> UInt32 {
                UInt32(min(max(Int(value * (isDark ? 60 : 235)) + grain, 0), 255))
            }
            return channel(0.5 + 0.5 * sin(Double(x) / 19)) << 16
                | channel(0.5 + 0.5 * cos(Double(y) / 23)) << 8
                | channel(0.5 + 0.5 * sin(Double(x + y) / 31))
        }
    }

    private func scene(_ bitmap: Bitmap, zoom: Double) -> Scene {
        let item = PictureItem(
            source: .init(picture: 0, revision: 1), size: bitmap.size,
            placement: Placement(center: Point(x: 75.3, y: 70.8), zoom: zoom))
        return Scene(size: Self.canvas.size, scale: 1, backdrop: 1, items: [.picture(item)])
    }

    private func paint(
        _ scene: Scene, _ bitmap: Bitmap, _ filterSpace: FilterSpace,
        kernel: PaintingKernel = .best,
        _ cancellation: PaintingCancellation = PaintingCancellation(),
        eachBand: @Sendable () -> Void = {}
    ) -> (pixels: [UInt32], isComplete: Bool) {
        let size = Self.canvas
        var pixels = [UInt32](repeating: 0, count: size.width * size.height)
        let isComplete = pixels.withUnsafeMutableBytes { memory in
            Painter(kernel: kernel).paintSharp(
                scene, into: Canvas(memory: memory, size: size, stride: size.width * 4),
                filterSpace: filterSpace, bitmap: { _ in bitmap },
                concurrently: { count, band in
                    for number in 0..<count {
                        band(number)
                        eachBand()
                    }
                }, until: cancellation)
        }
        return (pixels, isComplete)
    }

    /// The exact value (0…255) of one channel of the device pixel (`x`, `y`).
    private func exact(
        _ bitmap: Bitmap, _ zoom: Double, _ x: Int, _ y: Int, shift: UInt32,
        _ filterSpace: FilterSpace
    ) -> Double {
        let size = bitmap.size
        let words = bitmap.memory.bytes.bindMemory(to: UInt32.self)
        func taps(_ device: Int, _ center: Double, _ length: Int) -> [(Int, Double)] {
            ExactFilter.taps(
                of: device, step: 1 / zoom, origin: Double(length) / 2 - center / zoom,
                length: length)
        }
        let columns = taps(x, 75.3, size.width)
        var sum = 0.0
        for (row, down) in taps(y, 70.8, size.height) where down != 0 {
            for (column, across) in columns {
                let word = words[row * size.width + column]
                let value = Double(word >> shift & 255) / 255
                sum += down * across * (filterSpace == .linear ? ExactFilter.decoded(value) : value)
            }
        }
        sum = min(max(sum, 0), 1)
        return (filterSpace == .linear ? ExactFilter.encoded(sum) : sum) * 255
    }

    /// The device pixels, along one axis, inside a picture of `length` pixels around `center`.
    private func inside(_ center: Double, _ length: Int, _ zoom: Double, _ most: Int) -> Range<Int>
    {
        let half = Double(length) * zoom / 2
        return max(
            0, Int((center - half).rounded(.up)))..<min(most, Int((center + half).rounded(.down)))
    }

    /// The PSNR in decibels, over device pixels that the picture covers completely.
    private func quality(
        _ bitmap: Bitmap, zoom: Double, _ filterSpace: FilterSpace, _ kernel: PaintingKernel = .best
    ) -> Double {
        let (pixels, isComplete) = paint(
            scene(bitmap, zoom: zoom), bitmap, filterSpace, kernel: kernel)
        #expect(isComplete)
        let (columns, rows) = (
            inside(75.3, bitmap.size.width, zoom, Self.canvas.width),
            inside(70.8, bitmap.size.height, zoom, Self.canvas.height)
        )
        var (sum, count) = (0.0, 0)
        for y in rows where y % 3 == 0 || y - 3 < rows.lowerBound || y + 3 >= rows.upperBound {
            for x in columns {
                for shift: UInt32 in [0, 8, 16] {
                    let value = Double(pixels[y * Self.canvas.width + x] >> shift & 255)
                    let error = value - exact(bitmap, zoom, x, y, shift: shift, filterSpace)
                    sum += error * error
                    count += 1
                }
            }
        }
        return 10 * log10(255 * 255 / (sum / Double(count)))
    }

    /// Rounding to integers alone gives 59 dB; the approximated sRGB curve costs some more.
    ///
    /// At 0.501, 0.51, 0.54, 0.62 and 0.8 an outer tap is left out.
    @Test(arguments: [0.501, 0.51, 0.54, 0.62, 0.7, 0.8, 0.99, 1.3, 3.9])
    func reductionAndEnlargementMatchTheDefinition(zoom: Double) {
        let size = PixelSize(width: 320, height: 300)
        #expect(quality(zonePlate(size), zoom: zoom, .encoded) > 56)
        #expect(quality(photograph(size), zoom: zoom, .encoded) > 56)
        #expect(quality(photograph(size), zoom: zoom, .linear) > 50)
        #expect(quality(zonePlate(size), zoom: zoom, .linear) > 46)
    }

    /// Beyond its borders a picture continues with its outermost pixels, however narrow it is.
    @Test(arguments: [(131, 97), (90, 2), (2, 90), (3, 5), (16, 16), (207, 60)], [0.53, 0.7, 1.7])
    func bordersRepeatTheOutermostPixels(size: (Int, Int), zoom: Double) {
        let picture = photograph(PixelSize(width: size.0, height: size.1))
        // A narrower picture covers no device pixel completely.
        guard Double(min(size.0, size.1)) * zoom >= 1.5 else { return }
        #expect(quality(picture, zoom: zoom, .encoded) > 56)
    }

    @Test(arguments: PaintingKernel.allCases) func everyUniformGreyIsPreserved(
        kernel: PaintingKernel
    ) {
        for filterSpace in [FilterSpace.linear, .encoded] {
            for grey: UInt32 in 0...255 {
                let word = grey << 16 | grey << 8 | grey
                let even = bitmap(PixelSize(width: 40, height: 40)) { _, _ in word }
                let (pixels, _) = paint(scene(even, zoom: 0.6), even, filterSpace, kernel: kernel)
                #expect(pixels[70 * 150 + 75] == 0xFF00_0000 | word)
            }
        }
    }

    /// Adjacent extremes, as in `bars`, overshoot most.
    @Test(arguments: [0.26, 0.51, 0.62, 0.8, 0.999, 1.3, 3.9], [FilterSpace.linear, .encoded])
    func everySetGivesTheSamePixels(zoom: Double, filterSpace: FilterSpace) {
        let size = PixelSize(width: 320, height: 300)
        let bars = bitmap(size) { x, y in
            (x / 4 + y / 4).isMultiple(of: 2) ? 0xFF00FF : 0x00FF00
        }
        let narrow = photograph(PixelSize(width: 3, height: 301))
        for picture in [photograph(size), zonePlate(size), bars, narrow] {
            let scene = scene(picture, zoom: zoom)
            let pixels = paint(scene, picture, filterSpace, kernel: .portable).pixels
            for kernel in PaintingKernel.allCases {
                #expect(pixels == paint(scene, picture, filterSpace, kernel: kernel).pixels)
            }
        }
    }

    /// The filter overshoots white and black; values are clamped.
    @Test(arguments: PaintingKernel.allCases, [0.51, 1.3])
    func nothingWrapsAround(kernel: PaintingKernel, zoom: Double) {
        let size = PixelSize(width: 320, height: 300)
        let squares = bitmap(size) { x, y in (x / 9 + y / 9).isMultiple(of: 2) ? 0xFFFFFF : 0 }
        #expect(quality(squares, zoom: zoom, .encoded, kernel) > 56)
        #expect(quality(squares, zoom: zoom, .linear, kernel) > 46)
    }

    /// A fine checkerboard becomes half of the linear light, or half of the encoded value.
    @Test func fineDetailIsAveragedInTheFilterSpace() {
        let checkered = bitmap(PixelSize(width: 300, height: 290)) { x, y in
            (x + y).isMultiple(of: 2) ? 0xFFFFFF : 0
        }
        let scene = scene(checkered, zoom: 0.5001)
        let linear = paint(scene, checkered, .linear).pixels[70 * 150 + 75] & 255
        #expect((184...192).contains(linear))
        let encoded = paint(scene, checkered, .encoded).pixels[70 * 150 + 75] & 255
        #expect((124...131).contains(encoded))
    }

    @Test func cancelledPaintingStopsAndReportsIt() {
        let picture = photograph(PixelSize(width: 300, height: 290))
        let (before, after) = (PaintingCancellation(), PaintingCancellation())
        before.cancel()
        let none = paint(scene(picture, zoom: 0.6), picture, .linear, before)
        #expect(!none.isComplete && none.pixels.allSatisfy { $0 == 0 })
        // Three bands: the second one is never begun.
        let half = paint(
            scene(picture, zoom: 0.6), picture, .linear, after, eachBand: { after.cancel() })
        #expect(!half.isComplete && half.pixels[40 * 150 + 75] != 0)
        #expect(half.pixels[70 * 150..<140 * 150].allSatisfy { $0 == 0 })
    }

    @Test func onlyZoomsThatGainAreRefined() {
        let picture = photograph(PixelSize(width: 300, height: 290))
        for (zoom, gains) in [(0.6, true), (1, false), (1.5, true), (3.9, true), (4.5, false)] {
            let scene = scene(picture, zoom: zoom)
            let moving = scene.painted(with: picture)
            #expect((paint(scene, picture, .linear).pixels != moving) == gains)
        }
    }
}
