import SeededRandom
import Geometry
import ImageTypes
import SceneModel
import Testing

@testable import Painting

/// A translucent picture over an opaque one is painted together with that picture.
struct FadeTests {
    private static let size = PixelSize(width: 300, height: 220)
    private static let canvas = Size(width: 420, height: 290)

    private static func bitmap(isPlanar: Bool) -> Bitmap {
        var random = SeededGenerator(seed: 7)
        guard isPlanar else {
            return Bitmap(size) { _, _ in .random(in: 0...0xFF_FFFF, using: &random) | 0xFF00_0000 }
        }
        // No colour is beyond red, green and blue.
        return PlanarPicture(
            size, ChromaFormat(columnShift: 1, rowShift: 1),
            luma: { _, _ in .random(in: 80...170, using: &random) },
            chroma: { _, _ in
                (.random(in: 108...148, using: &random), .random(in: 108...148, using: &random))
            }
        ).bitmap
    }

    /// Whether two frames have the same pixels, but for the rounding of planes that are blended before or after
    /// they become pixels.
    private static func areAlike(_ first: [UInt32], _ second: [UInt32]) -> Bool {
        func channel(_ pixel: UInt32, _ shift: UInt32) -> Int { Int(pixel >> shift & 255) }
        return first.count == second.count
            && zip(first, second).allSatisfy { a, b in
                a == b
                    || [0, 8, 16, 24].allSatisfy { abs(channel(a, $0) - channel(b, $0)) <= 1 }
            }
    }

    private static func item(
        _ picture: Int = 0, zoom: Double, _ center: Point, opacity: Double = 1
    ) -> SceneItem {
        .picture(
            PictureItem(
                source: .init(picture: picture, revision: 1), size: size,
                placement: Placement(center: center, zoom: zoom), opacity: opacity))
    }

    private static func painted(
        _ scene: Scene, _ kernel: PaintingKernel, _ bitmap: (PictureItem.Source) -> Bitmap?
    ) -> [UInt32] {
        let size = scene.pixelSize
        var words = [UInt32](repeating: 0, count: size.width * size.height)
        words.withUnsafeMutableBytes { memory in
            Painter(kernel: kernel).paint(
                scene, into: Canvas(memory: memory, size: size, stride: size.width * 4),
                damage: [PixelRect(size)], bitmap: bitmap,
                concurrently: { count, band in for number in 0..<count { band(number) } })
        }
        return words
    }

    private static func scene(_ items: [SceneItem]) -> Scene {
        Scene(size: canvas, scale: 1, backdrop: 1, items: items)
    }

    /// An invisible fill above the lower picture and below the upper one keeps them apart.
    private static let separator = SceneItem.fill(
        FillItem(rect: Rect(x: 210, y: 0, width: 1, height: canvas.height), color: .gray(0, 0)))

    /// The lower picture, then the upper one, with edges of both inside the canvas.
    private static let places: [(lower: SceneItem, upper: SceneItem)] = [
        (
            item(zoom: 1.2, Point(x: 205.3, y: 141.2)),
            item(zoom: 1.1, Point(x: 222.6, y: 150.9), opacity: 0.4)
        ),
        (
            item(zoom: 0.9, Point(x: 210.2, y: 140.4)),
            item(zoom: 2.2, Point(x: 214.7, y: 139.5), opacity: 0.7)
        ),
        (
            item(zoom: 2.3, Point(x: 210, y: 145)),
            item(zoom: 1, Point(x: 210, y: 145), opacity: 0.5)
        ),
        // They have no pixel in common.
        (
            item(zoom: 0.4, Point(x: 80.5, y: 70)),
            item(zoom: 0.4, Point(x: 300.2, y: 200.1), opacity: 0.5)
        ),
    ]

    @Test(arguments: [PaintingKernel.portable, .simd, .best], [false, true])
    func pixelsAreThoseOfOnePictureAfterTheOther(kernel: PaintingKernel, isPlanar: Bool) {
        let bitmap = Self.bitmap(isPlanar: isPlanar)
        for (lower, upper) in Self.places {
            let together = Self.scene([lower, upper]).painted(with: bitmap, kernel: kernel)
            let apart = Self.scene([lower, Self.separator, upper]).painted(
                with: bitmap, kernel: kernel)
            #expect(isPlanar ? Self.areAlike(together, apart) : together == apart)
        }
    }

    /// Bands and damage change no pixel.
    @Test func damageChangesNoPixel() {
        let bitmap = Self.bitmap(isPlanar: true)
        let (lower, upper) = Self.places[0]
        let scene = Self.scene([lower, upper])
        let whole = scene.painted(with: bitmap)
        let width = Int(Self.canvas.width)
        let damage = PixelRect(x: 61, y: 37, width: 211, height: 149)
        let part = scene.painted(with: bitmap, damage: [damage])
        for y in damage.y..<damage.maxY {
            let row = (y * width + damage.x)..<(y * width + damage.maxX)
            #expect(part[row] == whole[row])
        }
    }

    /// A fade whose pictures do not move is painted from copies after some frames, with any opacity.
    @Test(arguments: [PaintingKernel.portable, .simd, .best], [false, true])
    func copiesGiveTheSamePixels(kernel: PaintingKernel, isPlanar: Bool) {
        let bitmap = Self.bitmap(isPlanar: isPlanar)
        let painter = Painter(kernel: kernel)
        for (lower, upper) in Self.places {
            for opacity in [0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9] {
                guard case .picture(var picture) = upper else { continue }
                picture.opacity = opacity
                let scene = Self.scene([lower, .picture(picture)])
                let copied = scene.painted(with: bitmap, by: painter)
                let interpolated = scene.painted(with: bitmap, kernel: kernel)
                #expect(
                    isPlanar ? Self.areAlike(copied, interpolated) : copied == interpolated)
            }
        }
    }

    /// Samples that mean different colours are blended as pixels.
    @Test(arguments: [
        ChromaFormat(matrix: .bt709, columnShift: 1, rowShift: 1),
        ChromaFormat(isFullRange: false, columnShift: 1, rowShift: 1),
    ]) func differentFormatsAreBlendedAsPixels(format: ChromaFormat) {
        let bitmaps = [
            Self.bitmap(isPlanar: true),
            PlanarPicture(
                Self.size, format, luma: { x, _ in UInt8(90 + x % 60) },
                chroma: { _, y in (UInt8(110 + y % 30), 140) }
            ).bitmap,
        ]
        func painted(_ items: [SceneItem]) -> [UInt32] {
            Self.painted(Self.scene(items), .best) { bitmaps[$0.picture] }
        }
        let (lower, upper) = (
            Self.item(zoom: 1.2, Point(x: 205.3, y: 141.2)),
            Self.item(1, zoom: 1.1, Point(x: 222.6, y: 150.9), opacity: 0.4)
        )
        #expect(painted([lower, upper]) == painted([lower, Self.separator, upper]))
    }

    /// Colours outside RGB are blended as they are, and limited only then.
    @Test(arguments: [PaintingKernel.portable, .simd, .best])
    func planesAreBlendedBeforeTheyBecomePixels(kernel: PaintingKernel) {
        let format = ChromaFormat(columnShift: 1, rowShift: 1)
        // Red would be 250 + 1.402 · 92 = 379.
        let bitmaps = [
            PlanarPicture.flat(Self.size, format, luma: 40, chroma: 128),
            PlanarPicture(Self.size, format, luma: { _, _ in 250 }, chroma: { _, _ in (128, 220) })
                .bitmap,
        ]
        let center = Point(x: 210.3, y: 145.2)
        let scene = Self.scene([
            Self.item(zoom: 2, center), Self.item(1, zoom: 2, center, opacity: 0.5),
        ])
        let words = Self.painted(scene, kernel) { bitmaps[$0.picture] }
        let middle = words[words.count / 2 + Int(Self.canvas.width) / 2]
        // The mean of 40 and 379, not that of 40 and 255.
        #expect(abs(Int(middle >> 16 & 255) - 210) <= 2)
    }

    /// The margins of the upper picture lie between both pictures.
    @Test(arguments: [PaintingKernel.portable, .simd, .best])
    func marginsAreBesideTheFade(kernel: PaintingKernel) throws {
        let bitmap = Self.bitmap(isPlanar: true)
        let painter = Painter(kernel: kernel)
        let upper = Rect(x: 130, y: 40, width: 150, height: 110)
        let margins = [
            Rect(x: 0, y: 0, width: 130, height: 290), Rect(x: 280, y: 0, width: 140, height: 290),
            Rect(x: 130, y: 0, width: 150, height: 40),
            Rect(x: 130, y: 150, width: 150, height: 140),
        ]
        func scene(_ opacity: Double, _ fills: [Rect], _ more: [SceneItem] = []) -> Scene {
            Self.scene(
                [Self.item(zoom: 1.2, Point(x: 205.3, y: 141.2))]
                    + fills.map { .fill(FillItem(rect: $0, color: .gray(0, opacity))) } + more
                    + [Self.item(zoom: 0.5, upper.center, opacity: opacity)])
        }
        for opacity in [0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.9] {
            let frame = scene(opacity, margins)
            let apart = scene(opacity, margins, [Self.separator])
            #expect(
                Self.areAlike(
                    frame.painted(with: bitmap, by: painter),
                    apart.painted(with: bitmap, kernel: kernel)))
        }
        let copies = painter.frame(
            of: scene(0.5, margins), on: Self.scene([]).pixelSize, sharp: nil
        ) {
            _ in bitmap
        }.fadeCopies(from: 0)
        #expect(try #require(copies).hasStrip(5))
        let covered = scene(0.5, [Rect(x: 100, y: 100, width: 60, height: 20)])
        #expect(
            Self.areAlike(
                covered.painted(with: bitmap, by: painter),
                covered.painted(with: bitmap, kernel: kernel)))
    }

    /// From the second frame on, each frame copies some rows, until there are all.
    @Test func allRowsAreCopiedWithinAFewFrames() throws {
        let bitmap = Self.bitmap(isPlanar: true)
        let (lower, upper) = Self.places[0]
        let scene = Self.scene([lower, upper])
        let painter = Painter()
        func copies() -> FadeCopies? {
            painter.frame(of: scene, on: scene.pixelSize, sharp: nil) { _ in bitmap }
                .fadeCopies(from: 0)
        }
        #expect(copies() == nil)
        let first = try #require(copies())
        for _ in 0..<8 {
            #expect((2..<16).contains { !first.hasStrip($0) })
            _ = scene.painted(with: bitmap, by: painter)
        }
        #expect((2..<16).allSatisfy { first.hasStrip($0) })
        #expect(copies() === first)
    }

    /// A part of a frame uses the copies that are there, and makes none of its own if it has only a part of
    /// each row.
    @Test func copiesServeDamage() throws {
        let bitmap = Self.bitmap(isPlanar: true)
        let (lower, upper) = Self.places[0]
        let scene = Self.scene([lower, upper])
        let painter = Painter()
        let damage = PixelRect(x: 61, y: 37, width: 211, height: 149)
        let part = scene.painted(with: bitmap, damage: [damage])
        for round in 0..<16 {
            let isWhole = (4..<12).contains(round)
            let frame = scene.painted(
                with: bitmap, damage: isWhole ? nil : [damage], by: painter)
            if !isWhole { #expect(Self.areAlike(frame, part)) }
            guard round == 3 || round == 15 else { continue }
            let copies = painter.frame(of: scene, on: scene.pixelSize, sharp: nil) { _ in bitmap }
                .fadeCopies(from: 0)
            let found = try #require(copies)
            #expect((2..<16).allSatisfy { found.hasStrip($0) == (round == 15) })
        }
    }

    /// A picture that moves, or another one in its place, is not painted from the copies of the one before.
    @Test func movingPicturesHaveNoCopies() {
        let bitmaps = [Self.bitmap(isPlanar: true), Self.bitmap(isPlanar: false)]
        let painter = Painter()
        for round in 0..<36 {
            let bitmap = bitmaps[round / 12 % 2]
            let center = Point(x: 210 + Double(round / 18) * 3.3, y: 140.4)
            let scene = Self.scene([
                Self.item(zoom: 0.9, center), Self.item(zoom: 2.2, center, opacity: 0.6),
            ])
            #expect(
                Self.areAlike(scene.painted(with: bitmap, by: painter), scene.painted(with: bitmap))
            )
        }
    }
}
