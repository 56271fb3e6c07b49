import SeededRandom
import Geometry
import Painting
import ImageTypes
import SceneModel
import Testing

/// Rotated and transparent pictures.
extension ResamplingTests {
    /// A random case, rotated or not, in either format (premultiplied) and at some opacity.
    func transparentCase(_ random: inout SeededGenerator, isRotated: Bool) -> Case {
        let isClear = Bool.random(using: &random)
        var test = randomCase(&random, format: isClear ? .argb32 : .rgb24) { _, _, random in
            UInt32.random(in: 0...0xFF_FFFF, using: &random)
        }
        if isClear {
            let pixels = test.bitmap.memory.bytes.bindMemory(to: UInt32.self).map(Self.fading)
            test.bitmap = Bitmap(
                test.bitmap.size, format: .argb32, words: pixels, at: .random(using: &random))
        }
        if isRotated {
            test.item.placement.rotation =
                [.pi / 2, .pi, -.pi / 2, Double.random(in: -3...3, using: &random)]
                .randomElement(using: &random) ?? 1
        }
        test.item.opacity = [1, 0.5, 0.03].randomElement(using: &random) ?? 1
        test.scene.items = [.picture(test.item)]
        return test
    }

    /// A premultiplied pixel with an alpha that follows from the colour.
    private static func fading(_ word: UInt32) -> UInt32 {
        let alpha = word &* 7 % 256
        return [0, 8, 16].reduce(alpha << 24) { (result: UInt32, shift: UInt32) in
            let channel = word >> shift & 255
            return result | (channel * alpha / 255) << shift
        }
    }

    /// The largest difference from the exact values, over black, inside `part`.
    private func error(
        _ test: Case, _ pixels: [UInt32], in part: PixelRect, repeatsEdges: Bool
    ) -> Double {
        var largest = 0.0
        // A sample of the pixels: all of them would take minutes.
        for y in stride(from: part.y, to: part.maxY, by: 3) {
            for x in stride(from: part.x + y % 5, to: part.maxX, by: 5) {
                for shift: UInt32 in [0, 8, 16] {
                    let value = Double(pixels[y * Self.canvas.width + x] >> shift & 255)
                    let wanted =
                        exact(test, x, y, shift: shift, repeatsEdges: repeatsEdges)
                        * test.item.opacity
                    largest = max(largest, abs(value - wanted))
                }
                if pixels[y * Self.canvas.width + x] >> 24 != 255 { largest = 255 }
            }
        }
        return largest
    }

    @Test func rotatedPicturesAreInterpolatedUpToTheirEdges() {
        var random = SeededGenerator(seed: 11)
        var count = 0
        for _ in 0..<30 {
            let test = transparentCase(&random, isRotated: true)
            let pixels = test.scene.painted(with: test.bitmap)
            #expect(pixels == test.scene.painted(with: test.bitmap, kernel: .portable))
            #expect(pixels == test.scene.painted(with: test.bitmap, isAligned: false))
            // Inside the bounding rectangle; nothing is painted beyond.
            let bounds = test.item.placement.boundingRect(of: test.item.size.size)
            let inside = PixelRect(
                touching: Rect(
                    x: bounds.x + 1, y: bounds.y + 1, width: max(0, bounds.width - 2),
                    height: max(0, bounds.height - 2)), in: PixelRect(Self.canvas))
            #expect(
                error(test, pixels, in: inside, repeatsEdges: false) <= 2.6,
                "\(test.item) \(test.bitmap.format)")
            count += pixels.count { $0 != 0xFF00_0000 }
        }
        #expect(count > 120_000)
    }

    @Test func unrotatedPicturesBlendWithTheBackdrop() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<30 {
            let test = transparentCase(&random, isRotated: false)
            let pixels = test.scene.painted(with: test.bitmap)
            #expect(pixels == test.scene.painted(with: test.bitmap, kernel: .portable))
            #expect(pixels == test.scene.painted(with: test.bitmap, isAligned: false))
            let inside = interior(test.item)
            guard !inside.isEmpty else { continue }
            #expect(
                error(test, pixels, in: inside, repeatsEdges: true) <= 2.6,
                "\(test.item) \(test.bitmap.format)")
        }
    }

    /// A half transparent picture over white is half white.
    @Test(arguments: [0, 0.4, Double.pi / 2])
    func transparentPicturesBlendWithItemsBelow(rotation: Double) throws {
        let size = PixelSize(width: 300, height: 300)
        let bitmap = Bitmap(size, format: .argb32) { _, _ in 0x8040_0000 }
        let item = PictureItem(
            source: .init(picture: 0, revision: 1), size: size,
            placement: Placement(center: Point(x: 20, y: 20), zoom: 0.7, rotation: rotation))
        let white = FillItem(
            rect: Rect(x: 0, y: 0, width: 40, height: 40),
            color: .init(red: 1, green: 1, blue: 1, alpha: 1))
        let scene = Scene(
            size: Size(width: 40, height: 40), scale: 1, backdrop: 1,
            items: [.fill(white), .picture(item)])
        for kernel in PaintingKernel.allCases {
            let pixels = scene.painted(with: bitmap, kernel: kernel)
            #expect(pixels.allSatisfy { $0 == 0xFFBF_7F7F }, "\(String(pixels[0], radix: 16))")
        }
    }

    /// A quarter turn at zoom 1 moves pixels and changes none.
    @Test(arguments: [0.5, 1, -0.5])
    func quarterTurnsKeepPixels(turn: Double) {
        var random = SeededGenerator(seed: 13)
        let size = PixelSize(width: 100, height: 80)
        let words = (0..<8000).map { _ in
            0xFF00_0000 | UInt32.random(in: 0...0xFF_FFFF, using: &random)
        }
        let bitmap = Bitmap(size, words: words, at: .first)
        let item = PictureItem(
            source: .init(picture: 0, revision: 1), size: size,
            placement: Placement(
                center: Point(x: 60, y: 60), zoom: 1, rotation: turn * .pi))
        let scene = Scene(
            size: Size(width: 120, height: 120), scale: 1, backdrop: 1, items: [.picture(item)])
        let pixels = scene.painted(with: bitmap)
        let shown = pixels.filter { $0 != 0xFF00_0000 }
        #expect(shown.sorted() == words.filter { $0 != 0xFF00_0000 }.sorted())
    }

    @Test(arguments: PaintingKernel.allCases)
    func nothingOutsideARotatedLevelIsRead(kernel: PaintingKernel) {
        var random = SeededGenerator(seed: 14)
        for _ in 0..<100 {
            var test = transparentCase(&random, isRotated: true)
            test.distort(using: &random) { $0.placement.rotation = $1 }
            let pixels = test.scene.painted(with: test.bitmap, kernel: kernel)
            #expect(pixels.allSatisfy { $0 >> 24 == 255 }, "\(test.item)")
        }
    }

    @Test func partialRepaintsOfSuchPicturesEqualTheWhole() {
        var random = SeededGenerator(seed: 15)
        for number in 0..<30 {
            let test = transparentCase(&random, isRotated: number % 2 == 0)
            let whole = test.scene.painted(with: test.bitmap)
            #expect(whole == test.scene.painted(with: test.bitmap, reversed: true))
            let part = randomPart(&random)
            let pixels = test.scene.painted(with: test.bitmap, damage: [part])
            // cairo paints the edges of unrotated pictures; these may differ by 1.
            #expect(
                difference(pixels, whole, in: part) <= (number % 2 == 0 ? 0 : 1),
                "\(test.item) \(part)")
        }
    }
}
