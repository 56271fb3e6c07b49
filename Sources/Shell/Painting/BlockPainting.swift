import CPainting
import Geometry
import ImageTypes
import SceneModel

/// Frames in square blocks, for machines that are too slow to sample a picture at every pixel.
///
/// A band is painted with one pixel per block into scratch memory, and enlarged from there into the
/// canvas. That takes less time than copying a frame.
extension Painter {
    /// Bands begin at multiples of this many rows of blocks, so that pixels do not depend on the
    /// damage or the number of threads.
    ///
    /// At 4K with blocks of two pixels a side, a band takes a quarter of a megabyte.
    private static let blockBandHeight = 32

    func paint(
        _ scene: Scene, into canvas: Canvas, as blocks: PixelBlocks, damage: [PixelRect],
        bitmap: (PictureItem.Source) -> Bitmap?, concurrently: Concurrency
    ) {
        let frame = frame(
            of: scene, on: blocks.size, blockSide: blocks.side, sharp: nil, bitmap: bitmap)
        let interface = interface(of: scene, on: canvas, damage: damage)
        for rect in damage {
            let region = blocks.blocks(touching: rect)
            guard !region.isEmpty else { continue }
            let first = region.y / Self.blockBandHeight
            let count = (region.maxY - 1) / Self.blockBandHeight - first + 1
            let rows = BlockRows(
                region: region, blocks: blocks, canvas: canvas, height: Self.blockBandHeight)
            concurrently(count) { number in
                rows.paint(first + number, frame, interface)
            }
        }
        clearCorners(of: scene, on: canvas, damage: damage)
    }
}

/// The rows of a damaged region, divided into bands.
///
/// `@unchecked Sendable`: only the pointer of the canvas is not Sendable. Bands are disjoint rows
/// of memory that the caller lends until all bands are painted, so threads share no byte.
private struct BlockRows: @unchecked Sendable {
    /// In blocks.
    let region: PixelRect
    let blocks: PixelBlocks
    let canvas: Canvas
    /// In blocks.
    let height: Int

    /// Paints a band, enlarges it, and copies the interface over it.
    ///
    /// If the scratch memory (a few hundred kilobytes) cannot be allocated, the band is not
    /// painted.
    func paint(_ number: Int, _ frame: PaintedFrame, _ interface: PaintedInterface) {
        let size = blocks.size
        let rows = PixelRect(x: 0, y: number * height, width: size.width, height: height)
            .intersection(PixelRect(size))
        let rect = region.intersection(rows)
        guard !rect.isEmpty else { return }
        guard let scratch = ScratchCanvas(rows: rows.height, of: size) else { return }
        let coarse = scratch.canvas(from: rows.y)
        guard let band = try? Band(rows, painting: rect, of: coarse) else { return }
        band.paint(frame)
        band.finish()
        enlarge(rect, of: coarse)
        interface.paint(blocks.pixels(of: rect), of: canvas)
    }

    private func enlarge(_ rect: PixelRect, of coarse: Canvas) {
        let target = blocks.pixels(of: rect)
        cpainting_enlarge(
            (coarse.row(rect.y) + rect.x * 4).assumingMemoryBound(to: UInt8.self), coarse.stride,
            (canvas.row(target.y) + target.x * 4).assumingMemoryBound(to: UInt8.self),
            canvas.stride, Int32(blocks.side), Int32(target.width), Int32(target.height))
    }
}
