import SeededRandom
import Geometry
import ImageTypes
import Painting
import SceneModel
import Testing

/// Pictures of luma and chroma planes.
@Suite struct PlanarTests {
    private static let canvas = PixelSize(width: 139, height: 90)

    private func randomSize(_ random: inout SeededGenerator, from least: Int = 1) -> PixelSize {
        PixelSize(
            width: Int.random(in: least...160, using: &random),
            height: Int.random(in: least...120, using: &random))
    }

    private func item(
        _ size: PixelSize, zoom: Double, rotation: Double = 0, opacity: Double = 1,
        center: Point = Point(x: 69.3, y: 44.8)
    ) -> PictureItem {
        var item = PictureItem(
            source: .init(picture: 0, revision: 1), size: size,
            placement: Placement(center: center, zoom: zoom))
        item.placement.rotation = rotation
        item.opacity = opacity
        return item
    }

    private func scene(_ item: PictureItem) -> Scene {
        Scene(size: Self.canvas.size, scale: 1, backdrop: 1, items: [.picture(item)])
    }

    private func channels(_ pixel: UInt32) -> [Int] {
        [16, 8, 0].map { Int(pixel >> $0 & 255) }
    }

    @Test(arguments: [false, true]) func everySetPaintsThePixelsOfThePortableOne(isRotated: Bool) {
        var random = SeededGenerator(seed: 51)
        for _ in 0..<150 {
            let picture = PlanarPicture(
                randomSize(&random), PlanarPicture.randomFormat(&random), using: &random)
            let item = item(
                picture.bitmap.size, zoom: Double.random(in: 0.2...9, using: &random),
                rotation: isRotated ? Double.random(in: -3...3, using: &random) : 0,
                opacity: [1, 0.4].randomElement(using: &random) ?? 1,
                center: Point(
                    x: Double.random(in: 0...139, using: &random),
                    y: Double.random(in: 0...90, using: &random)))
            let scene = scene(item)
            let expected = scene.painted(with: picture.bitmap, kernel: .portable)
            for set in ResamplingTests.sets {
                for isAligned in [true, false] {
                    let painted = scene.painted(
                        with: picture.bitmap, kernel: set, isAligned: isAligned)
                    #expect(expected == painted, "\(set) \(item) \(picture.format)")
                }
            }
        }
    }

    /// Each plane is interpolated at its own positions, and then converted by its matrix.
    @Test func planesAreInterpolatedAtTheirPlaces() {
        var random = SeededGenerator(seed: 52)
        var (count, largest) = (0, 0.0)
        for _ in 0..<60 {
            let picture = PlanarPicture(
                randomSize(&random, from: 12), PlanarPicture.randomFormat(&random),
                using: &random)
            let item = item(
                picture.bitmap.size, zoom: Double.random(in: 0.5...6, using: &random))
            let pixels = scene(item).painted(with: picture.bitmap)
            for y in 0..<Self.canvas.height {
                for x in stride(from: y % 3, to: Self.canvas.width, by: 3) {
                    let place = item.placement.picturePoint(
                        at: Point(x: Double(x) + 0.5, y: Double(y) + 0.5), in: item.size)
                    let size = picture.bitmap.size
                    guard place.x > 2, place.y > 2, place.x < Double(size.width) - 2,
                        place.y < Double(size.height) - 2
                    else { continue }
                    let wanted = picture.color(at: place)
                    let painted = channels(pixels[y * Self.canvas.width + x])
                    for (value, exact) in zip(painted, wanted) {
                        largest = max(largest, abs(Double(value) - exact))
                    }
                    count += 1
                }
            }
        }
        #expect(count > 20_000)
        // A position is rounded to 1/128 of a sample: one step of noise is up to 2 for luma, and twice
        // that for chroma, whose factors are up to 2.1.
        #expect(largest < 6.5, "\(largest)")
    }

    /// The same for pictures without noise, where the places of samples matter less and rounding shows.
    @Test func roundingIsThatOfOneStep() {
        var random = SeededGenerator(seed: 53)
        for matrix in ChromaFormat.Matrix.allCases {
            for isFullRange in [true, false] {
                let format = ChromaFormat(
                    matrix: matrix, isFullRange: isFullRange, columnShift: 0, rowShift: 0)
                let picture = PlanarPicture(
                    PixelSize(width: 130, height: 80), format, using: &random)
                // At 1:1 and aligned, no sample is interpolated.
                let item = item(picture.bitmap.size, zoom: 1, center: Point(x: 65, y: 40))
                let pixels = scene(item).painted(with: picture.bitmap)
                for y in 0..<80 {
                    for x in 0..<130 {
                        let wanted = picture.color(
                            at: Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                        let painted = channels(pixels[y * Self.canvas.width + x])
                        for (value, exact) in zip(painted, wanted) {
                            #expect(abs(Double(value) - exact) < 0.55, "\(format)")
                        }
                    }
                }
            }
        }
    }

    @Test func greysAndWhiteAreExact() {
        let size = PixelSize(width: 64, height: 64)
        for isFullRange in [true, false] {
            let format = ChromaFormat(isFullRange: isFullRange, columnShift: 1, rowShift: 1)
            let bitmap = PlanarPicture.flat(
                size, format, luma: isFullRange ? 255 : 235, chroma: 128)
            let pixels = scene(item(size, zoom: 1.3)).painted(with: bitmap)
            #expect(Set(pixels[(45 * 139 + 40)..<(45 * 139 + 100)]) == [0xFFFF_FFFF])
        }
    }

    /// A part of a frame has the pixels of the whole frame; cairo paints the edges of upright pictures.
    @Test(arguments: [0, 0.6]) func pixelsDoNotDependOnTheDamage(rotation: Double) {
        var random = SeededGenerator(seed: 55)
        for _ in 0..<40 {
            let picture = PlanarPicture(
                randomSize(&random), PlanarPicture.randomFormat(&random), using: &random)
            let item = item(
                picture.bitmap.size, zoom: Double.random(in: 0.3...4, using: &random),
                rotation: rotation)
            let scene = scene(item)
            let edges = item.placement.unrotatedRect(of: item.size)
            let whole = scene.painted(with: picture.bitmap)
            let part = PixelRect(
                x: Int.random(in: 0...100, using: &random),
                y: Int.random(in: 0...60, using: &random),
                width: Int.random(in: 1...39, using: &random),
                height: Int.random(in: 1...30, using: &random))
            let pixels = scene.painted(with: picture.bitmap, damage: [part])
            for y in part.y..<part.maxY {
                for x in part.x..<part.maxX {
                    let isInside =
                        Double(x) >= edges.x && Double(y) >= edges.y
                        && Double(x + 1) <= edges.maxX && Double(y + 1) <= edges.maxY
                    guard rotation != 0 || isInside else { continue }
                    let index = y * Self.canvas.width + x
                    #expect(pixels[index] == whole[index], "\(x) \(y) of \(part), \(item)")
                }
            }
        }
    }

    // MARK: Pixels of planes

    private func sharp(_ scene: Scene, _ bitmap: Bitmap) -> [UInt32] {
        let size = Self.canvas
        var pixels = [UInt32](repeating: 0, count: size.width * size.height)
        pixels.withUnsafeMutableBytes { memory in
            _ = Painter().paintSharp(
                scene, into: Canvas(memory: memory, size: size, stride: size.width * 4),
                filterSpace: .linear, bitmap: { _ in bitmap },
                concurrently: { count, band in for number in 0..<count { band(number) } },
                until: PaintingCancellation())
        }
        return pixels
    }

    /// Refinement of planes with as many samples of chroma as of luma works with pixels: with those of all planes at
    /// once it gives the same.
    @Test func refinementOfPlanesIsThatOfTheirPixels() throws {
        var random = SeededGenerator(seed: 56)
        for _ in 0..<60 {
            var format = PlanarPicture.randomFormat(&random)
            (format.columnShift, format.rowShift) = (0, 0)
            let picture = PlanarPicture(randomSize(&random), format, using: &random)
            let item = item(
                picture.bitmap.size, zoom: Double.random(in: 0.3...3.5, using: &random),
                center: Point(
                    x: Double.random(in: -20...150, using: &random),
                    y: Double.random(in: -20...110, using: &random)))
            let scene = scene(item)
            let rect = item.placement.unrotatedRect(of: item.size)
            let pixels = try #require(picture.bitmap.pixels(of: picture.bitmap.levels[0])).bitmap
            let (planes, others) = (sharp(scene, picture.bitmap), sharp(scene, pixels))
            for (index, pixel) in planes.enumerated() where pixel != others[index] {
                // Cairo paints the edges, and rounds positions from the first pixel that it gets.
                let x = Double(index % Self.canvas.width), y = Double(index / Self.canvas.width)
                let isInside =
                    x >= rect.x && y >= rect.y && x + 1 <= rect.maxX && y + 1 <= rect.maxY
                let difference = zip(channels(pixel), channels(others[index])).map { abs($0 - $1) }
                #expect(
                    !isInside && difference.allSatisfy { $0 <= 3 }, "\(difference) at \(x) \(y)")
            }
        }
    }

    /// Rotated pictures are painted from pixels, which are made tile by tile.
    @Test func rotatedPlanesAreTheirRotatedPixels() throws {
        var random = SeededGenerator(seed: 59)
        for number in 0..<80 {
            let picture = PlanarPicture(
                randomSize(&random), PlanarPicture.randomFormat(&random), using: &random)
            var item = item(
                picture.bitmap.size, zoom: Double.random(in: 0.05...6, using: &random),
                rotation: number % 4 == 0 ? .pi / 2 : Double.random(in: -3...3, using: &random),
                opacity: [1, 0.4].randomElement(using: &random) ?? 1,
                center: Point(
                    x: Double.random(in: 0...139, using: &random),
                    y: Double.random(in: 0...90, using: &random)))
            item.isMirrored = number % 3 == 0
            let scene = scene(item)
            let pixels = try #require(picture.bitmap.pixels(of: picture.bitmap.levels[0])).bitmap
            #expect(scene.painted(with: picture.bitmap) == scene.painted(with: pixels), "\(item)")
        }
    }

    /// Edges, crops of rotated pictures and blurred pictures work with pixels as well.
    @Test func edgesOfPlanesAreThoseOfTheirPixels() throws {
        var random = SeededGenerator(seed: 57)
        for _ in 0..<30 {
            let picture = PlanarPicture(
                randomSize(&random, from: 20), PlanarPicture.randomFormat(&random),
                using: &random)
            let bitmap = picture.bitmap
            let pixels = try #require(bitmap.pixels(of: bitmap.levels[0])).bitmap
            var item = item(bitmap.size, zoom: 0.9, rotation: 0.4)
            item.crop = Size(width: 15, height: 12)
            let rotated = scene(item)
            #expect(rotated.painted(with: bitmap) == rotated.painted(with: pixels))
            let blurred = try #require(BlurredPicture.make(of: bitmap))
            #expect(blurred.words == BlurredPicture.make(of: pixels)?.words)
        }
    }

    @Test func planesNeedNoThreeQuarterLevel() {
        let size = PixelSize(width: 3000, height: 2000)
        let bitmap = PlanarPicture.flat(
            size, ChromaFormat(columnShift: 1, rowShift: 1), luma: 90, chroma: 128)
        #expect(
            ThreeQuarterLevel(
                of: bitmap, on: size, filterSpace: .linear, minimumVisiblePixels: 0) == nil)
    }
}

extension PlanarPicture {
    /// A picture with the same samples everywhere.
    static func flat(
        _ size: PixelSize, _ format: ChromaFormat, luma: UInt8, chroma: UInt8
    ) -> Bitmap {
        PlanarPicture(size, format, luma: { _, _ in luma }, chroma: { _, _ in (chroma, chroma) })
            .bitmap
    }
}
