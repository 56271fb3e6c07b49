package import Geometry
package import ImageTypes
package import SceneModel
package import Text

/// Paints scenes into memory.
///
/// Pictures and fills are painted in horizontal bands, which may run on several threads at once.
/// `Resampling` and `RotatedResampling` paint the pictures; cairo paints the rest, on a surface over
/// the band's rows. Layers of the interface are painted on the caller's thread when they are new, and
/// copied in the bands.
package struct Painter: Sendable {
    /// Runs the bands of one paint.
    ///
    /// Calls `band` once for each number below `count`, possibly concurrently, and returns when all
    /// calls have returned.
    package typealias Concurrency = (
        _ count: Int, _ band: @escaping @Sendable (Int) -> Void
    ) -> Void

    /// Bands begin at multiples of this many rows, whatever the damage and the number of threads
    /// are.
    ///
    /// So a pixel has the same value on every machine and in every repaint.
    private static let bandHeight = 64

    let kernel: PaintingKernel
    private let text: TextEngine
    private let layers = LayerCache()
    private let copies = PixelCopyCache()
    private let fadeCopies: FadeCopyCache

    package init(kernel: PaintingKernel = .best, text: TextEngine = TextEngine()) {
        self.kernel = kernel
        self.text = text
        fadeCopies = FadeCopyCache(kernel)
    }

    /// Paints the scene inside `damage`, and nothing outside.
    ///
    /// `bitmap` returns the pixels of a picture, or nil if there are none (any more); such a
    /// picture is not painted. The rectangles of `damage` are in device pixels and do not overlap.
    ///
    /// With a `blockSide` above 1, each square block of `blockSide` device pixels a side is filled
    /// with one sample, taken at the middle of the block. The interface is still painted at full
    /// resolution. `damage` must then consist of whole blocks, see `PixelBlocks.covering`.
    package func paint(
        _ scene: Scene, into canvas: Canvas, blockSide: Int = 1, damage: [PixelRect],
        bitmap: (PictureItem.Source) -> Bitmap?, concurrently: Concurrency
    ) {
        if let headroom = canvas.headroom {
            paintDeep(
                scene, into: canvas, headroom, damage: damage, bitmap: bitmap,
                concurrently: concurrently)
        } else if blockSide > 1 {
            paint(
                scene, into: canvas, as: PixelBlocks(side: blockSide, of: canvas.size),
                damage: damage, bitmap: bitmap, concurrently: concurrently)
        } else {
            paint(
                frame(of: scene, on: canvas.size, sharp: nil, bitmap: bitmap), of: scene,
                into: canvas, damage: damage, concurrently: concurrently, until: nil)
        }
    }

    /// Prepares the layers of a scene for painting in bands of a canvas of size `canvas`.
    ///
    /// A canvas pixel is a block of `blockSide` device pixels a side. `sharp` is set for a frame at
    /// rest.
    func frame(
        of scene: Scene, on canvas: PixelSize, blockSide: Int = 1,
        sharp: (FilterSpace, PaintingCancellation)?, bitmap: (PictureItem.Source) -> Bitmap?
    ) -> PaintedFrame {
        let layers: [PaintedLayer] = preparing {
            self.layers(of: scene, on: canvas, blockSide: blockSide, sharp: sharp, bitmap: bitmap)
                .map(\.layer)
        }
        return PaintedFrame(
            backdrop: scene.backdropColor.faded(scene.backdrop), layers, width: canvas.width,
            fade: sharp == nil ? fadeCopies.copies(for: layers, on: canvas) : nil)
    }

    /// Calls `body`, which prepares all pictures of a frame; copies of rotated pictures that it does not use are
    /// dropped.
    func preparing<Result>(_ body: () -> Result) -> Result {
        copies.begin()
        defer { copies.end() }
        return body()
    }

    /// The layers of a scene, each with its item; see `frame`.
    func layers(
        of scene: Scene, on canvas: PixelSize, blockSide: Int = 1,
        sharp: (FilterSpace, PaintingCancellation)? = nil,
        bitmap: (PictureItem.Source) -> Bitmap?
    ) -> [(item: SceneItem, layer: PaintedLayer)] {
        let scale = scene.scale / Double(blockSide)
        return scene.items.compactMap { item in
            let layer: PaintedLayer? =
                switch item {
                case .picture(let picture):
                    bitmap(picture.source).flatMap {
                        painted(picture, $0, scale, scene.scale, on: canvas, sharp: sharp)
                    }.map { .picture($0) }
                case .fill(let fill): .fill(PaintedFill(fill, scale: scale))
                case .layer: nil
                }
            return layer.map { (item, $0) }
        }
    }

    /// A picture of a scene, prepared for painting; see `PaintedPicture`.
    func painted(
        _ item: PictureItem, _ bitmap: Bitmap, _ scale: Double, _ screenScale: Double,
        on canvas: PixelSize, sharp: (FilterSpace, PaintingCancellation)? = nil
    ) -> PaintedPicture? {
        PaintedPicture(
            item, bitmap, scale: scale, screenScale: screenScale, canvas: canvas, kernel: kernel,
            copies: copies, sharp: sharp)
    }

    /// Paints the pictures and fills, then the interface; returns early if cancelled.
    func paint(
        _ frame: PaintedFrame, of scene: Scene, into canvas: Canvas, damage: [PixelRect],
        concurrently: Concurrency, until cancellation: PaintingCancellation?
    ) {
        let interface = interface(of: scene, on: canvas, damage: damage)
        for rect in damage {
            let region = rect.intersection(PixelRect(canvas.size))
            guard !region.isEmpty else { continue }
            let first = region.y / Self.bandHeight
            let count = (region.maxY - 1) / Self.bandHeight - first + 1
            let rows = BandRows(region: region, canvas: canvas, height: Self.bandHeight)
            concurrently(count) { number in
                if cancellation?.isCancelled ?? false { return }
                let isPainted = rows.withBand(first + number) { band, rect in
                    band.paint(frame)
                    band.finish()
                    interface.paint(rect, of: rows.canvas)
                }
                if !isPainted { cancellation?.reportOutOfMemory() }
            }
        }
        if cancellation?.isCancelled ?? false { return }
        clearCorners(of: scene, on: canvas, damage: damage)
    }

    /// Releases the painted layers of the interface that no frame has shown since the last call, and the copies
    /// of a cross-fade.
    package func releaseUnusedLayers() {
        layers.releaseUnused()
        fadeCopies.release()
        ScratchCanvas.releaseUnused()
    }

    func interface(of scene: Scene, on canvas: Canvas, damage: [PixelRect]) -> PaintedInterface {
        PaintedInterface(of: scene, on: canvas.size, damage: damage, layers, text)
    }
}

/// The rows of a damaged region, divided into bands.
///
/// `@unchecked Sendable`: only the pointer of the canvas is not Sendable. Bands are disjoint rows
/// of memory that the caller lends until all bands are painted, so threads share no byte.
private struct BandRows: @unchecked Sendable {
    let region: PixelRect
    let canvas: Canvas
    let height: Int

    /// Calls `body` with a band and its part of the region; returns false if there is no memory for
    /// the band.
    func withBand(_ number: Int, _ body: (borrowing Band, PixelRect) -> Void) -> Bool {
        let rows = PixelRect(
            x: 0, y: number * height, width: canvas.size.width, height: height
        ).intersection(PixelRect(canvas.size))
        let rect = region.intersection(rows)
        guard !rect.isEmpty else { return true }
        guard let band = try? Band(rows, painting: rect, of: canvas) else { return false }
        body(band, rect)
        return true
    }
}
