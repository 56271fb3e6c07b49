import CPainting
import Geometry
import ImageTypes
import Synchronization
import Threads

/// The pixels of two opaque pictures that fade into each other at rest, at the size of the screen.
///
/// A fade has tens of frames, in which only the opacity changes. Blending the copies takes half as long as
/// interpolating both pictures in each frame. A few rows are copied in each frame, so no frame is late.
///
/// `@unchecked Sendable`: each strip of rows is copied by the thread that paints its band, in one frame. In that
/// frame the same thread reads the strip, and in later ones, which begin when all threads have ended, any thread.
/// `isMade` is locked.
final class FadeCopies: @unchecked Sendable {
    private let below: OwnedPixels
    private let above: OwnedPixels
    /// The size of the canvas in pixels.
    private let size: PixelSize
    private let kernel: PaintingKernel
    private let isMade: Mutex<[Bool]>
    /// Counts the frames, so that each of them copies other strips.
    private let frame = Atomic(0)

    /// Rows of a strip: 240 KiB of a frame of 3840 columns.
    static let stripHeight = 16
    /// All strips are copied within this many frames.
    private static let frames = 8

    /// Nil without memory.
    init?(of size: PixelSize, _ kernel: PaintingKernel) {
        guard let below = OwnedPixels(size: size), let above = OwnedPixels(size: size) else {
            return nil
        }
        (self.below, self.above) = (below, above)
        (self.size, self.kernel) = (size, kernel)
        isMade = Mutex(Array(repeating: false, count: Self.stripCount(of: size)))
    }

    private static func stripCount(of size: PixelSize) -> Int {
        (size.height + stripHeight - 1) / stripHeight
    }

    func beginFrame() { frame.add(1, ordering: .relaxed) }

    /// The rows of a strip.
    func rows(of number: Int) -> PixelRect {
        PixelRect(
            x: 0, y: number * Self.stripHeight, width: size.width, height: Self.stripHeight
        ).intersection(PixelRect(size))
    }

    /// Whether the pixels of a strip are there.
    func hasStrip(_ number: Int) -> Bool { isMade.withLock { $0[number] } }

    /// Whether the current frame is to copy a strip.
    ///
    /// The strips of a frame lie one below the other: their memory is in few large pages, and a page costs the time
    /// to clear it.
    func isTurn(of number: Int) -> Bool {
        number * Self.frames / Self.stripCount(of: size)
            == frame.load(ordering: .relaxed) % Self.frames
    }

    /// The memory that a strip is copied into.
    var canvases: (below: Canvas, above: Canvas) { (below.canvas, above.canvas) }

    /// Notes that all pixels of a strip that both pictures cover are copied.
    func finishStrip(_ number: Int) { isMade.withLock { $0[number] = true } }

    /// Blends copied pixels of the upper picture over those of the lower one.
    func blend(_ region: PixelRect, into canvas: Canvas, opacity: Double) {
        let (below, above) = canvases
        func pixel(_ y: Int, of canvas: Canvas) -> UnsafeMutablePointer<UInt8> {
            (canvas.row(y) + region.x * 4).assumingMemoryBound(to: UInt8.self)
        }
        for y in region.y..<region.maxY {
            cpainting_over(
                pixel(y, of: canvas), pixel(y, of: below), pixel(y, of: above), region.width,
                opacity.opacityByte, 1, kernel.choice)
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
        let found = layers.indices.lazy.compactMap { index in
            PaintedFade(startOf: layers[index...], in: PixelRect(canvas)).flatMap { fade in
                fade.above.bitmap.format.isOpaque
                    ? (index, Fade(below: fade.below, above: fade.above, canvas: canvas)) : nil
            }
        }.first
        return fade.withLock { fade in
            if let (index, new) = found, let old = fade, old.isSame(as: new) {
                let copies = old.copies ?? FadeCopies(of: canvas, kernel)
                fade?.copies = copies
                copies?.beginFrame()
                return copies.map { (index, $0) }
            }
            Self.release(&fade)
            fade = found?.1
            return nil
        }
    }

    /// Releases the copies, which are made again if the fade goes on.
    func release() { fade.withLock { Self.release(&$0) } }

    private static func release(_ fade: inout Fade?) {
        if let unused = fade?.copies {
            // Tens of megabytes take milliseconds to unmap; without a thread this one does that.
            _ = Thread.start { withExtendedLifetime(unused) {} }
        }
        fade = nil
    }
}
