import SeededRandom
import Geometry
import Glibc
import ImageTypes
import Painting
import SceneModel
import Testing

/// Refinement of planes with fewer samples of chroma than of luma.
@Suite struct PlanarRefinementTests {
    private static let canvas = PixelSize(width: 150, height: 140)
    private static let center = Point(x: 75.3, y: 70.8)

    private func scene(_ size: PixelSize, zoom: Double) -> Scene {
        let item = PictureItem(
            source: .init(picture: 0, revision: 1), size: size,
            placement: Placement(center: Self.center, zoom: zoom))
        return Scene(size: Self.canvas.size, scale: 1, backdrop: 1, items: [.picture(item)])
    }

    private func refined(
        _ bitmap: Bitmap, zoom: Double, _ filterSpace: FilterSpace = .linear,
        _ kernel: PaintingKernel = .best
    ) -> [UInt32] {
        let size = Self.canvas
        var pixels = [UInt32](repeating: 0, count: size.width * size.height)
        let isComplete = pixels.withUnsafeMutableBytes { memory in
            Painter(kernel: kernel).paintSharp(
                scene(bitmap.size, zoom: zoom),
                into: Canvas(memory: memory, size: size, stride: size.width * 4),
                filterSpace: filterSpace, bitmap: { _ in bitmap },
                concurrently: { count, band in for number in 0..<count { band(number) } },
                until: PaintingCancellation())
        }
        #expect(isComplete)
        return pixels
    }

    /// Soft slopes of luma and of chroma with hard edges, and no colour beyond red, green and blue.
    private func photograph(_ size: PixelSize, _ format: ChromaFormat) -> PlanarPicture {
        var random = SeededGenerator(seed: 7)
        let lumaRange = format.isFullRange ? 0.0...255 : 16...235
        return PlanarPicture(
            size, format,
            luma: { x, y in
                let isDark = (x / 37 + y / 53).isMultiple(of: 3)
                let value = (isDark ? 0.25 : 0.7) + 0.15 * sin(Double(x + y) / 9)
                let grain = Double.random(in: -0.04...0.04, using: &random)
                let length = lumaRange.upperBound - lumaRange.lowerBound
                return UInt8(lumaRange.lowerBound + length * (value + grain))
            },
            chroma: { x, y in
                let isEdge = (x / 11 + y / 17).isMultiple(of: 2)
                return (
                    UInt8(128 + 12 * sin(Double(x) / 5) + (isEdge ? 8 : -8)),
                    UInt8(128 + 12 * cos(Double(y) / 7) + (isEdge ? -6 : 10))
                )
            })
    }

    /// The filtered value of a plane with `size` samples at a device pixel.
    ///
    /// A position in picture pixels, from the edge, is at `scale` · position − `edge` in the plane.
    private func filtered(
        _ device: (x: Int, y: Int), _ picture: PixelSize, zoom: Double, _ size: PixelSize,
        scale: (x: Double, y: Double) = (1, 1), edge: (x: Double, y: Double) = (0, 0),
        _ value: (Int, Int) -> Double
    ) -> Double {
        func taps(
            _ device: Int, _ center: Double, _ picture: Int, _ length: Int, _ scale: Double,
            _ edge: Double
        ) -> [(index: Int, weight: Double)] {
            ExactFilter.taps(
                of: device, step: scale / zoom,
                origin: (Double(picture) / 2 - center / zoom) * scale - edge, length: length)
        }
        let columns = taps(
            device.x, Self.center.x, picture.width, size.width, scale.x, edge.x)
        let rows = taps(device.y, Self.center.y, picture.height, size.height, scale.y, edge.y)
        return rows.reduce(0) { sum, row in
            guard row.weight != 0 else { return sum }
            return sum
                + row.weight
                * columns.reduce(0) { $0 + $1.weight * value($1.index, row.index) }
        }
    }

    /// The exact red, green and blue of a device pixel.
    private func exact(
        _ picture: PlanarPicture, _ device: (x: Int, y: Int), zoom: Double,
        _ filterSpace: FilterSpace
    ) -> [Double] {
        let (format, size) = (picture.format, picture.bitmap.size)
        let isLinear = filterSpace == .linear
        let luma = filtered(device, size, zoom: zoom, size) { x, y in
            let value = format.luma(of: Double(picture.luma[y][x])) / 255
            return isLinear ? ExactFilter.decoded(min(max(value, 0), 1)) : value
        }
        let samples = PixelSize(width: picture.chroma[0].count, height: picture.chroma.count)
        let scale = (1 / Double(1 << format.columnShift), 1 / Double(1 << format.rowShift))
        let edge = (Double(format.left) / 2 * scale.0, Double(format.top) / 2 * scale.1)
        func chroma(_ value: (Int, Int) -> UInt8) -> Double {
            filtered(device, size, zoom: zoom, samples, scale: scale, edge: edge) { x, y in
                Double(value(x, y))
            }
        }
        return format.color(
            y: 255 * (isLinear ? ExactFilter.encoded(max(luma, 0)) : luma),
            cb: chroma { picture.chroma[$1][$0].cb }, cr: chroma { picture.chroma[$1][$0].cr })
    }

    /// The PSNR in decibels of pixels inside a picture, against `exact`.
    private func quality(
        _ pixels: [UInt32], _ size: PixelSize, zoom: Double, every step: Int,
        _ exact: ((x: Int, y: Int)) -> [Double]
    ) -> Double {
        func inside(_ center: Double, _ length: Int, _ most: Int) -> Range<Int> {
            let half = Double(length) * zoom / 2
            return max(
                0, Int((center - half).rounded(.up)))..<min(
                    most, Int((center + half).rounded(.down)))
        }
        let columns = inside(Self.center.x, size.width, Self.canvas.width)
        let rows = inside(Self.center.y, size.height, Self.canvas.height)
        var (sum, count) = (0.0, 0)
        for y in rows where y % step == 0 || y == rows.lowerBound || y == rows.upperBound - 1 {
            for x in columns {
                let wanted = exact((x, y)), word = pixels[y * Self.canvas.width + x]
                for (shift, value) in zip([16, 8, 0] as [UInt32], wanted) {
                    let error = Double(word >> shift & 255) - value
                    sum += error * error
                    count += 1
                }
            }
        }
        return 10 * log10(255 * 255 / (sum / Double(count)))
    }

    private static let formats = [
        ChromaFormat(columnShift: 1, rowShift: 1),
        ChromaFormat(
            matrix: .bt709, isFullRange: false, columnShift: 1, rowShift: 1, left: -1, top: 0),
        ChromaFormat(columnShift: 1, rowShift: 0),
        ChromaFormat(matrix: .bt2020, columnShift: 0, rowShift: 1, top: -1),
        ChromaFormat(isFullRange: false, columnShift: 2, rowShift: 2, left: 1, top: 3),
    ]

    /// Each plane is filtered at its own positions; only luma in linear light.
    @Test(arguments: [0.51, 0.7, 1.3, 3.1], formats)
    func planesAreFilteredAtTheirOwnResolution(zoom: Double, format: ChromaFormat) {
        let picture = photograph(PixelSize(width: 253, height: 240), format)
        for (filterSpace, least) in [(FilterSpace.linear, 50.0), (.encoded, 55)] {
            let pixels = refined(picture.bitmap, zoom: zoom, filterSpace)
            let quality = quality(pixels, picture.bitmap.size, zoom: zoom, every: 11) {
                exact(picture, $0, zoom: zoom, filterSpace)
            }
            #expect(quality > least, "\(filterSpace)")
        }
    }

    /// Beyond its borders a plane continues with its outermost samples, however narrow it is.
    @Test(arguments: [(131, 97), (90, 3), (2, 90), (3, 5), (17, 16)], [0.7, 1.7])
    func bordersRepeatTheOutermostSamples(size: (Int, Int), zoom: Double) {
        let format = ChromaFormat(columnShift: 1, rowShift: 1)
        let picture = photograph(PixelSize(width: size.0, height: size.1), format)
        let pixels = refined(picture.bitmap, zoom: zoom, .encoded)
        let quality = quality(pixels, picture.bitmap.size, zoom: zoom, every: 3) {
            exact(picture, $0, zoom: zoom, .encoded)
        }
        #expect(quality > 54)
    }

    /// Beside white, the filter undershoots black; chroma is added to black, not to what is below.
    @Test(arguments: [0.7, 2], [false, true]) func blackBesideWhiteKeepsItsColor(
        zoom: Double, isFullRange: Bool
    ) {
        let format = ChromaFormat(isFullRange: isFullRange, columnShift: 1, rowShift: 1)
        let (dark, bright): (UInt8, UInt8) = isFullRange ? (6, 255) : (20, 235)
        let picture = PlanarPicture(
            PixelSize(width: 252, height: 240), format,
            luma: { x, y in (x / 20 + y / 20).isMultiple(of: 2) ? dark : bright },
            chroma: { _, _ in (110, 170) })
        let pixels = refined(picture.bitmap, zoom: zoom)
        let quality = quality(pixels, picture.bitmap.size, zoom: zoom, every: 3) {
            exact(picture, $0, zoom: zoom, .linear)
        }
        #expect(quality > 46)
    }

    @Test(arguments: [false, true]) func everyUniformGreyIsPreserved(isFullRange: Bool) {
        let format = ChromaFormat(isFullRange: isFullRange, columnShift: 1, rowShift: 1)
        for filterSpace in [FilterSpace.linear, .encoded] {
            for sample: UInt8 in 0...255 {
                let even = PlanarPicture.flat(
                    PixelSize(width: 40, height: 40), format, luma: sample, chroma: 128)
                let pixel = refined(even, zoom: 0.6, filterSpace)[70 * 150 + 75]
                let grey = min(max(format.luma(of: Double(sample)), 0), 255)
                #expect(pixel >> 24 == 255)
                for shift: UInt32 in [0, 8, 16] {
                    #expect(abs(Double(pixel >> shift & 255) - grey) < 0.7, "\(sample)")
                }
            }
        }
    }

    @Test(arguments: [0.51, 0.999, 1.3, 3.9], [FilterSpace.linear, .encoded])
    func everySetGivesTheSamePixels(zoom: Double, filterSpace: FilterSpace) {
        var random = SeededGenerator(seed: 61)
        for format in Self.formats {
            let size = PixelSize(width: 211, height: 199)
            let noise = PlanarPicture(size, format, using: &random)
            let pixels = refined(noise.bitmap, zoom: zoom, filterSpace, .portable)
            for kernel in PaintingKernel.allCases {
                #expect(pixels == refined(noise.bitmap, zoom: zoom, filterSpace, kernel))
            }
        }
    }

    /// The refinement of 4:2:0 is closer to that of the picture before its chroma was reduced than if chroma were
    /// interpolated first, and all channels were filtered in linear light.
    @Test(arguments: [0.51, 0.7, 1.01, 2]) func theResultIsCloseToTheOriginal(zoom: Double) throws {
        let size = PixelSize(width: 252, height: 240)
        let detailed = photograph(size, ChromaFormat(columnShift: 0, rowShift: 0))
        let format = ChromaFormat(columnShift: 1, rowShift: 1)
        func mean(_ x: Int, _ y: Int, _ sample: (UInt8, UInt8) -> UInt8) -> UInt8 {
            let all = [(0, 0), (1, 0), (0, 1), (1, 1)].map { dx, dy in
                let both = detailed.chroma[2 * y + dy][2 * x + dx]
                return Int(sample(both.cb, both.cr))
            }
            return UInt8((all.reduce(0, +) + 2) / 4)
        }
        let reduced = PlanarPicture(
            size, format, luma: { detailed.luma[$1][$0] },
            chroma: { x, y in (mean(x, y) { cb, _ in cb }, mean(x, y) { _, cr in cr }) })
        let original = refined(detailed.bitmap, zoom: zoom)
        func distance(_ bitmap: Bitmap) -> Double {
            quality(refined(bitmap, zoom: zoom), size, zoom: zoom, every: 1) { device in
                let word = original[device.y * Self.canvas.width + device.x]
                return [16, 8, 0].map { Double(word >> $0 & 255) }
            }
        }
        let pixels = try #require(reduced.bitmap.pixels(of: reduced.bitmap.levels[0])).bitmap
        let (planes, interpolated) = (distance(reduced.bitmap), distance(pixels))
        #expect(planes > interpolated + 0.1, "\(planes) \(interpolated)")
    }
}
