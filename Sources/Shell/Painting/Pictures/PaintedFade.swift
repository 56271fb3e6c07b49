import Geometry
import ImageTypes

/// An opaque picture and a translucent one above it, as in a cross-fade, in the rows of a band; between them
/// may be fills beside what both cover, such as the margins of the upper one.
///
/// Where both cover whole pixels, they are interpolated and blended in the caches of a core, and written once;
/// the frame is larger than the caches. Luma and chroma of photographs are blended before they become pixels,
/// which takes a quarter less time. Of other pictures, some rows of the lower one are painted into scratch
/// memory, and the upper one is blended over those rows into the frame.
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

    /// The fills between the pictures.
    let fills: [PaintedFill]

    /// The first picture of `layers` and the next one; nil if they do not fade, or have no pixels in common
    /// inside `rect`.
    init?(startOf layers: ArraySlice<PaintedLayer>, in rect: PixelRect) {
        guard case .picture(let below)? = layers.first, below.isOpaque else { return nil }
        var fills: [PaintedFill] = []
        for layer in layers.dropFirst() {
            switch layer {
            case .fill(let fill): fills.append(fill)
            case .picture(let above):
                self.init(above, over: below, fills, in: rect)
                return
            }
        }
        return nil
    }

    private init?(
        _ above: PaintedPicture, over below: PaintedPicture, _ fills: [PaintedFill],
        in rect: PixelRect
    ) {
        guard below.isOpaque, !above.isOpaque, below.sharpResampling == nil,
            above.checkerboard == nil, let belowInterior = below.interior,
            let aboveInterior = above.interior, let belowResampling = below.resampling,
            let aboveResampling = above.resampling
        else { return nil }
        both = belowInterior.intersection(aboveInterior).intersection(rect)
        guard !both.isEmpty else { return nil }
        guard fills.allSatisfy({ [both] in $0.rect.intersection(both).isEmpty }) else { return nil }
        (self.below, self.above, self.rect, self.fills) = (below, above, rect, fills)
        (self.belowInterior, self.aboveInterior) = (belowInterior, aboveInterior)
        (self.belowResampling, self.aboveResampling) = (belowResampling, aboveResampling)
    }

    /// The whole pixels that only one of the pictures covers.
    var belowAlone: [PixelRect] { belowInterior.intersection(rect).parts(around: both) }
    var aboveAlone: [PixelRect] { aboveInterior.intersection(rect).parts(around: both) }

    /// Paints the pixels that both pictures cover; returns false without memory, and some rows may then be
    /// missing.
    func paintBoth(into canvas: Canvas, _ copies: FadeCopies?) -> Bool {
        // Beside rows from copies, which have pixels, all rows are blended as pixels.
        if copies == nil, let isPainted = paintPlanes(into: canvas) { return isPainted }
        let rows = FadeCopies.stripHeight
        guard let scratch = ScratchCanvas(rows: rows, of: canvas.size) else { return false }
        for strip in both.y / rows...(both.maxY - 1) / rows {
            let whole = PixelRect(
                x: both.x, y: strip * rows, width: both.width, height: rows)
            let part = both.intersection(whole)
            guard let copies, copies.hasStrip(strip) || copy(strip, to: copies) else {
                let rows = scratch.canvas(from: part.y)
                guard belowResampling.paint(part, into: rows, isReadSoon: true),
                    aboveResampling.paint(part, over: canvas, opacity: above.opacity, on: rows)
                else { return false }
                continue
            }
            copies.blend(part, into: canvas, opacity: above.opacity)
        }
        return true
    }

    /// Blends planes; nil if the pictures have none that can be blended, and false without memory.
    private func paintPlanes(into canvas: Canvas) -> Bool? {
        let opacity = above.opacity.opacityByte
        guard opacity < 255, let planar = aboveResampling.planarFade(over: belowResampling) else {
            return nil
        }
        return planar.upper.paint(both, over: planar.lower, opacity: opacity, into: canvas)
    }

    /// Copies the pixels of a strip if its turn has come and all of them are to be painted; returns whether
    /// they are there.
    private func copy(_ strip: Int, to copies: FadeCopies) -> Bool {
        let whole = belowInterior.intersection(aboveInterior).intersection(copies.rows(of: strip))
        guard copies.isTurn(of: strip), whole.intersection(rect) == whole else { return false }
        let (lower, upper) = copies.canvases
        guard belowResampling.paint(whole, into: lower, isReadSoon: true),
            aboveResampling.paint(whole, into: upper, isReadSoon: true)
        else { return false }
        copies.finishStrip(strip)
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
