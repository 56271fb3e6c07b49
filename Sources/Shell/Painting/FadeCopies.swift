import CPainting
import Geometry
import ImageTypes
import Synchronization
import Threads

/// The pixels of two pictures that fade into each other at rest, at the size of the screen.
///
/// A fade has tens of frames, in which only the opacity changes. Blending the copies takes half as long as
/// interpolating both pictures in each frame. A few rows are copied in each frame, so no frame is late.
///
/// `@unchecked Sendable`: each block of rows is copied by the thread that paints its band, in one frame, and
/// is read in later frames, which begin when all threads have ended. `isMade` is locked.
final class FadeCopies: @unchecked Sendable {
    private let below: OwnedPixels
    private let above: OwnedPixels
    /// The size of the canvas in pixels.
    private let size: PixelSize
    private let kernel: PaintingKernel
    private let isMade: Mutex<[Bool]>
    /// Counts the frames, so that each of them copies other blocks.
    private let frame = Atomic(0)

    /// Rows of a block: 240 KiB of a frame of 3840 columns.
    static let blockHeight = 16
    /// Adjacent blocks are painted by the same thread, and copied in the same frame.
    private static let group = 4
    /// All blocks are copied within this many frames.
    private static let frames = 4

    /// Nil without memory.
    init?(of size: PixelSize, _ kernel: PaintingKernel) {
        guard let below = OwnedPixels(size: size), let above = OwnedPixels(size: size) else {
            return nil
        }
        (self.below, self.above) = (below, above)
        (self.size, self.kernel) = (size, kernel)
        let count = (size.height + Self.blockHeight - 1) / Self.blockHeight
        isMade = Mutex(Array(repeating: false, count: count))
    }

    func beginFrame() { frame.add(1, ordering: .relaxed) }

    /// The rows of a block.
    func rows(of number: Int) -> PixelRect {
        PixelRect(
            x: 0, y: number * Self.blockHeight, width: size.width, height: Self.blockHeight
        ).intersection(PixelRect(size))
    }

    /// Whether the pixels of a block are there.
    func hasBlock(_ number: Int) -> Bool { isMade.withLock { $0[number] } }

    /// Whether the current frame is to copy a block.
    func isTurn(of number: Int) -> Bool {
        number / Self.group % Self.frames == frame.load(ordering: .relaxed) % Self.frames
    }

    /// The memory that a block is copied into.
    var canvases: (below: Canvas, above: Canvas) { (below.canvas, above.canvas) }

    /// Notes that all pixels of a block that both pictures cover are copied.
    func finishBlock(_ number: Int) { isMade.withLock { $0[number] = true } }

    /// Blends copied pixels of the upper picture over those of the lower one.
    func blend(_ region: PixelRect, into canvas: Canvas, opacity: Double, isOpaque: Bool) {
        let (below, above) = canvases
        func pixel(_ y: Int, of canvas: Canvas) -> UnsafeMutablePointer<UInt8> {
            (canvas.row(y) + region.x * 4).assumingMemoryBound(to: UInt8.self)
        }
        for y in region.y..<region.maxY {
            cpainting_over(
                pixel(y, of: canvas), pixel(y, of: below), pixel(y, of: above), region.width,
                opacity.opacityByte, isOpaque ? 1 : 0, kernel.choice)
        }
    }
}

/// The copies of a cross-fade, from its second frame at rest to its end.
///
/// Any thread may use a cache.
final class FadeCopyCache: Sendable {
    private struct Fade {
        let below: PaintedPicture
        let above: PaintedPicture
        let canvas: PixelSize
        var copies: FadeCopies?

        func isSame(as other: Fade) -> Bool {
            canvas == other.canvas && below.looksSame(as: other.below)
                && above.looksSame(as: other.above)
        }
    }

    private let fade = Mutex<Fade?>(nil)
    private let kernel: PaintingKernel

    init(_ kernel: PaintingKernel) { self.kernel = kernel }

    /// The copies for the first cross-fade of a frame, with the index of its lower picture in `layers`.
    ///
    /// Nil if there is no cross-fade, if a picture moves, and without memory.
    func copies(
        for layers: [PaintedLayer], on canvas: PixelSize
    ) -> (index: Int, copies: FadeCopies)? {
        let pairs = zip(layers.indices, zip(layers, layers.dropFirst()))
        let found = pairs.lazy.compactMap { index, pair -> (Int, Fade)? in
            guard case .picture(let below) = pair.0, case .picture(let above) = pair.1,
                PaintedFade(above, over: below, in: PixelRect(canvas)) != nil
            else { return nil }
            return (index, Fade(below: below, above: above, canvas: canvas))
        }.first
        return fade.withLock { fade in
            if let (index, new) = found, let old = fade, old.isSame(as: new) {
                let copies = old.copies ?? FadeCopies(of: canvas, kernel)
                fade?.copies = copies
                copies?.beginFrame()
                return copies.map { (index, $0) }
            }
            if let unused = fade?.copies {
                // Tens of megabytes take milliseconds to unmap; without a thread this one does that.
                _ = Thread.start { withExtendedLifetime(unused) {} }
            }
            fade = found?.1
            return nil
        }
    }
}
