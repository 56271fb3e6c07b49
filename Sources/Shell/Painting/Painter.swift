package import Geometry
package import ImageTypes
package import SceneModel

/// Paints scenes into memory.
///
/// Pictures and fills are painted in horizontal bands that may run on several threads at once: the
/// pictures by `Resampling` and `TurnedResampling`, the rest by cairo, on a surface over the band's own
/// rows; text comes after, on the caller's thread.
package struct Painter: Sendable {
    /// How the bands of one paint are run: calls `band` once for each number below `count`,
    /// possibly at the same time, and returns when all are done.
    package typealias Concurrency = (_ count: Int, _ band: @Sendable (Int) -> Void) -> Void

    /// Bands begin at whole multiples of this many rows, whatever is damaged and however many
    /// threads there are: a pixel comes out the same on every machine and in every repaint.
    private static let bandHeight = 64

    private let kernel: PaintingKernel

    package init(kernel: PaintingKernel = .best) {
        self.kernel = kernel
    }

    /// Paints what `scene` shows inside `damage`, and nothing outside it.
    ///
    /// `bitmap` gives the pixels of a picture, or none where they are not there (any more); such a
    /// picture is left out. The rectangles of `damage` do not overlap.
    ///
    /// With a `blockSide` above 1 only one pixel is painted of each square block of so many device
    /// pixels a side, what lies in its middle, and the block filled with it; panels alone are as fine as
    /// ever. `damage` is then what `PixelBlocks` make of it.
    package func paint(
        _ scene: Scene, into canvas: Canvas, blockSide: Int = 1, damage: [PixelRect],
        bitmap: (PictureItem.Source) -> Bitmap?, concurrently: Concurrency
    ) {
        if blockSide > 1 {
            paint(
                scene, into: canvas, as: PixelBlocks(side: blockSide, of: canvas.size),
                damage: damage, bitmap: bitmap, concurrently: concurrently)
        } else {
            paint(
                frame(of: scene, on: canvas.size, sharp: nil, bitmap: bitmap), of: scene,
                into: canvas, damage: damage, concurrently: concurrently, until: nil)
        }
    }

    /// What is painted in bands of a canvas of that size; `sharp` for a frame that stays.
    ///
    /// A pixel of the canvas is as large as a block of so many device pixels a side.
    func frame(
        of scene: Scene, on canvas: PixelSize, blockSide: Int = 1,
        sharp: (FilterSpace, PaintingCancellation)?, bitmap: (PictureItem.Source) -> Bitmap?
    ) -> PaintedFrame {
        let scale = scene.scale / Double(blockSide)
        let layers: [PaintedLayer] = scene.items.compactMap { item in
            switch item {
            case .picture(let picture):
                bitmap(picture.source).flatMap {
                    PaintedPicture(
                        picture, $0, scale: scale, screenScale: scene.scale, canvas: canvas,
                        kernel: kernel, sharp: sharp)
                }.map { .picture($0) }
            case .fill(let fill): .fill(PaintedFill(fill, scale: scale))
            case .panel: nil
            }
        }
        return PaintedFrame(backdrop: scene.backdrop, layers, width: canvas.width)
    }

    /// Paints the layers and then the panels, unless it is cancelled meanwhile.
    func paint(
        _ frame: PaintedFrame, of scene: Scene, into canvas: Canvas, damage: [PixelRect],
        concurrently: Concurrency, until cancellation: PaintingCancellation?
    ) {
        for rect in damage {
            let part = rect.intersection(PixelRect(canvas.size))
            guard !part.isEmpty else { continue }
            let first = part.y / Self.bandHeight
            let count = (part.maxY - 1) / Self.bandHeight - first + 1
            let rows = BandRows(part: part, canvas: canvas, height: Self.bandHeight)
            concurrently(count) { number in
                if cancellation?.isCancelled ?? false { return }
                let isPainted = rows.withBand(first + number) { band in
                    band.paint(frame)
                }
                if !isPainted { cancellation?.lackMemory() }
            }
        }
        if cancellation?.isCancelled ?? false { return }
        paintPanels(scene, into: canvas, damage: damage)
    }

    /// Panels are painted over what lies under them, by the caller's thread alone.
    func paintPanels(_ scene: Scene, into canvas: Canvas, damage: [PixelRect]) {
        for case .panel(let panel) in scene.items {
            let touched = PixelRect(
                touching: panel.bounds * scene.scale, in: PixelRect(canvas.size))
            let parts = damage.map { $0.intersection(touched) }.filter { !$0.isEmpty }
            guard !parts.isEmpty else { continue }
            PanelPainting.paint(panel, scale: scene.scale, into: canvas, clip: parts)
        }
    }
}

/// The rows of a damaged part, cut into bands.
///
/// `@unchecked Sendable`: the pointer is the only member that is not; bands are disjoint rows of
/// memory that the caller lends until all of them are done, so no byte is shared.
private struct BandRows: @unchecked Sendable {
    let part: PixelRect
    let canvas: Canvas
    let height: Int

    /// Lends a band; false where there is no memory for it.
    func withBand(_ number: Int, _ body: (borrowing Band) -> Void) -> Bool {
        let rows = PixelRect(
            x: 0, y: number * height, width: canvas.size.width, height: height
        ).intersection(PixelRect(canvas.size))
        let rect = part.intersection(rows)
        guard !rect.isEmpty else { return true }
        guard let band = try? Band(rows, painting: rect, of: canvas) else { return false }
        body(band)
        return true
    }
}
