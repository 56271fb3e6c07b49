import Geometry

/// An opaque picture and a translucent one above it, as in a cross-fade, in the rows of a band.
///
/// Where both cover whole pixels, some rows of the lower picture are painted into memory that stays in a
/// core's cache, and the upper picture is blended over those rows into the frame. Otherwise the frame would
/// be written twice and read once, and it is larger than the caches.
struct PaintedFade {
    let below: PaintedPicture
    let above: PaintedPicture
    private let belowResampling: Resampling
    private let aboveResampling: Resampling
    /// The whole pixels that the pictures cover.
    let belowInterior: PixelRect
    let aboveInterior: PixelRect
    /// The whole pixels that both pictures cover, in the band.
    let both: PixelRect
    private let rect: PixelRect

    /// Rows that are painted at once: 240 KiB of a frame of 3840 columns.
    private static let rowsAtOnce = 16

    /// Nil for other pictures, and for those that have no pixels in common inside `rect`.
    init?(_ above: PaintedPicture, over below: PaintedPicture, in rect: PixelRect) {
        guard below.isOpaque, !above.isOpaque, below.sharpResampling == nil,
            above.checkerboard == nil, let belowInterior = below.interior,
            let aboveInterior = above.interior, let belowResampling = below.resampling,
            let aboveResampling = above.resampling
        else { return nil }
        both = belowInterior.intersection(aboveInterior).intersection(rect)
        guard !both.isEmpty else { return nil }
        (self.below, self.above, self.rect) = (below, above, rect)
        (self.belowInterior, self.aboveInterior) = (belowInterior, aboveInterior)
        (self.belowResampling, self.aboveResampling) = (belowResampling, aboveResampling)
    }

    /// The whole pixels that only one of the pictures covers.
    var belowAlone: [PixelRect] { belowInterior.intersection(rect).parts(around: both) }
    var aboveAlone: [PixelRect] { aboveInterior.intersection(rect).parts(around: both) }

    /// Paints the pixels that both pictures cover; returns false without memory, and some rows may then be
    /// missing.
    func paintBoth(into canvas: Canvas) -> Bool {
        guard let scratch = ScratchCanvas(rows: Self.rowsAtOnce, of: canvas.size) else {
            return false
        }
        for y in stride(from: both.y, to: both.maxY, by: Self.rowsAtOnce) {
            let part = PixelRect(
                x: both.x, y: y, width: both.width, height: min(Self.rowsAtOnce, both.maxY - y))
            let rows = scratch.canvas(from: y)
            guard belowResampling.paint(part, into: rows, isReadSoon: true),
                aboveResampling.paint(part, over: canvas, opacity: above.opacity, on: rows)
            else { return false }
        }
        return true
    }
}

extension PixelRect {
    /// The parts of the rectangle outside of `inner`, which lies inside: above, below, left and right.
    func parts(around inner: PixelRect) -> [PixelRect] {
        [
            PixelRect(x: x, y: y, width: width, height: inner.y - y),
            PixelRect(x: x, y: inner.maxY, width: width, height: maxY - inner.maxY),
            PixelRect(x: x, y: inner.y, width: inner.x - x, height: inner.height),
            PixelRect(
                x: inner.maxX, y: inner.y, width: maxX - inner.maxX, height: inner.height),
        ].filter { !$0.isEmpty }
    }
}
