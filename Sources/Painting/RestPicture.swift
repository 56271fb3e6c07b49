import Geometry
import Glibc
package import Pictures
package import SceneModel

/// What is seen of a picture that lies still, painted as well as can be into pixels of its own.
///
/// All it needs are values, so that it can be made on a thread that nobody waits for, with a pool of its
/// own; what comes of it is a picture just as large as the screen shows it, for as long as it lies so.
package struct RestPicture: Sendable {
    private let plan: RestPlan
    private let bitmap: Bitmap
    private let means: MeanOf
    /// The part as all that there is, not turned.
    private let scene: Scene

    /// Nil where nothing is gained by it, and where pixels let something through.
    package init?(_ plan: RestPlan, of bitmap: Bitmap, meansOf means: MeanOf) {
        self.plan = plan
        self.bitmap = bitmap
        self.means = means
        let zoom = Double(plan.size.width) / max(plan.part.width, 1e-9)
        let whole = plan.pictureSize
        let item = PictureItem(
            source: plan.source, size: whole,
            placement: Placement(
                center: Point(
                    x: (Double(whole.width) / 2 - plan.part.x) * zoom,
                    y: (Double(whole.height) / 2 - plan.part.y) * zoom), zoom: zoom))
        scene = Scene(size: plan.size.size, scale: 1, backdrop: 1, items: [.picture(item)])
        let level = bitmap.level(for: zoom)
        let steps = [
            plan.part.width / Double(plan.size.width), plan.part.height / Double(plan.size.height),
        ].map { $0 / Double(1 << level.exponent) }
        // Turned, a picture that is shown pixel by pixel is on the screen's own only here.
        let isExact = plan.quarterTurns != 0 && steps.allSatisfy { abs($0 - 1) < 1e-6 }
        guard bitmap.format == .rgb24, plan.part.width > 0, plan.part.height > 0,
            isExact || SharpResampling.gains(from: steps, isPlaced: true)
        else { return nil }
    }

    /// Paints it; nil when it was cancelled, or there is no memory for it.
    package func make(
        concurrently: Painter.Concurrency, until cancellation: PaintingCancellation
    ) -> Bitmap? {
        guard let memory = OwnPixels(size: plan.size) else { return nil }
        let isWhole = Painter().paintSharp(
            scene, into: memory.canvas, meansOf: means, bitmap: { _ in bitmap },
            concurrently: concurrently, until: cancellation)
        guard isWhole else { return nil }
        let turns = plan.quarterTurns
        return (turns == 0 ? memory : memory.turned(by: turns, until: cancellation))?.bitmap
    }
}

/// Memory of the program's own that pixels are painted into once, and shown from.
///
/// `@unchecked Sendable`: it is written only for who made it, before anyone else hears of it, by threads
/// of a pool that are done with it by then; afterwards it is only read, and it is freed with the last
/// reference.
private final class OwnPixels: PixelMemory, @unchecked Sendable {
    private let size: PixelSize
    private let base: UnsafeMutablePointer<UInt32>

    /// Nil where there is no memory for so many.
    init?(size: PixelSize) {
        guard let base = malloc(size.width * size.height * 4) else { return nil }
        self.size = size
        self.base = base.bindMemory(to: UInt32.self, capacity: size.width * size.height)
    }

    deinit { free(base) }

    private var length: Int { size.width * size.height * 4 }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: length) }

    var canvas: Canvas {
        Canvas(
            memory: UnsafeMutableRawBufferPointer(start: base, count: length), size: size,
            stride: size.width * 4)
    }

    var bitmap: Bitmap {
        let level = Bitmap.Level(exponent: 0, size: size, stride: size.width * 4, offset: 0)
        return Bitmap(size: size, format: .rgb24, levels: [level], memory: self)
    }

    /// The same turned clockwise by so many right angles, 1 to 3; nil when that was cancelled.
    func turned(by quarters: Int, until cancellation: PaintingCancellation) -> OwnPixels? {
        let (width, height) = (size.width, size.height)
        guard let result = OwnPixels(size: quarters == 2 ? size : size.transposed) else {
            return nil
        }
        // Where the upper left pixel comes to lie, and how far the next one of its row and of its column
        // are from there.
        let (start, across, down) =
            switch quarters {
            case 1: (height - 1, height, -1)
            case 2: (width * height - 1, -1, -width)
            default: ((width - 1) * height, -height, 1)
            }
        for y in 0..<height {
            if cancellation.isCancelled { return nil }
            var place = start + y * down
            for x in 0..<width {
                result.base[place] = base[y * width + x]
                place += across
            }
        }
        return result
    }
}
