import CCairo
import SeededRandom
import Geometry
import Painting
import ImageTypes
import SceneModel
import Testing

/// Pictures compared with cairo's output, and with themselves in the other pixel format.
extension ResamplingTests {
    /// An unrotated picture, painted by cairo in one call, with its edge pixels repeated.
    private func paintedByCairo(_ test: Case) -> [UInt32] {
        let canvas = Self.canvas
        var pixels = [UInt32](repeating: Scene.untouched, count: canvas.width * canvas.height)
        pixels.withUnsafeMutableBytes { memory in
            let target = surface(over: memory.baseAddress, canvas)
            // cairo only reads from a source; its signature has no const.
            let source = surface(
                over: UnsafeMutableRawPointer(mutating: test.bitmap.memory.bytes.baseAddress),
                test.bitmap.size)
            let pattern = cairo_pattern_create_for_surface(source)
            let (center, zoom) = (test.item.placement.center, test.item.placement.zoom)
            var matrix = cairo_matrix_t()
            cairo_matrix_init_translate(
                &matrix, Double(test.item.size.width) / 2, Double(test.item.size.height) / 2)
            cairo_matrix_scale(&matrix, 1 / zoom, 1 / zoom)
            cairo_matrix_translate(&matrix, -center.x, -center.y)
            cairo_pattern_set_matrix(pattern, &matrix)
            cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
            cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
            let context = cairo_create(target)
            cairo_set_source(context, pattern)
            cairo_paint(context)
            #expect(cairo_status(context) == CAIRO_STATUS_SUCCESS)
            cairo_destroy(context)
            cairo_pattern_destroy(pattern)
            cairo_surface_destroy(source)
            cairo_surface_finish(target)
            cairo_surface_destroy(target)
        }
        return pixels
    }

    private func surface(over memory: UnsafeMutableRawPointer?, _ size: PixelSize) -> OpaquePointer?
    {
        cairo_image_surface_create_for_data(
            memory?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(size.width),
            Int32(size.height), Int32(size.width * 4))
    }

    @Test func gradientsMatchCairo() {
        var random = SeededGenerator(seed: 2)
        var count = 0
        for _ in 0..<100 {
            let test = randomCase(&random, zoom: -0.9...4) { x, y, _ in
                UInt32(min(x * 5, 2000 - x * 5) & 1023) % 256 / 2 << 8 | UInt32(y * 3 % 512) / 2
            }
            let own = test.scene.painted(with: test.bitmap)
            let cairo = paintedByCairo(test)
            let inside = interior(test.item)
            // A histogram of channel differences.
            var differences = [Int](repeating: 0, count: 256)
            for y in inside.y..<inside.maxY {
                for x in inside.x..<inside.maxX {
                    let (a, b) = (own[y * Self.canvas.width + x], cairo[y * Self.canvas.width + x])
                    for shift: UInt32 in [0, 8] {
                        differences[abs(Int(a >> shift & 255) - Int(b >> shift & 255))] += 1
                    }
                }
            }
            // Differences are large where the sawtooth drops: cairo rounds positions down to
            // 1/128.
            let all = differences.reduce(0, +)
            let far = differences[3...].reduce(0, +)
            #expect(far * 20 <= all, "\(test.item) \(differences)")
            count += all
        }
        #expect(count > 200_000)
    }

    /// Opaque pixels give the same result with and without an alpha channel.
    @Test(arguments: PaintingKernel.allCases, [false, true])
    func opaquePixelsAreTheSameInBothFormats(kernel: PaintingKernel, isRotated: Bool) {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<30 {
            var test = randomCase(&random) { _, _, random in
                UInt32.random(in: 0...0xFF_FFFF, using: &random)
            }
            if isRotated { test.item.placement.rotation = .random(in: -3...3, using: &random) }
            test.item.opacity = [1, 1, 0.5].randomElement(using: &random) ?? 1
            test.scene.items = [.picture(test.item)]
            let other = Bitmap(
                size: test.bitmap.size, format: .argb32, levels: test.bitmap.levels,
                memory: test.bitmap.memory)
            let pixels = test.scene.painted(with: test.bitmap, kernel: kernel)
            #expect(
                pixels == test.scene.painted(with: other, kernel: kernel), "\(test.item)")
        }
    }
}
