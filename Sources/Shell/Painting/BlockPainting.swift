import CPainting
import Geometry
import ImageTypes
import SceneModel

/// Frames of blocks, for machines that are too slow to sample a picture for every pixel.
///
/// A band is painted with one pixel a block into memory of its own, and enlarged from there into the
/// canvas, which takes less time than copying a frame.
extension Painter {
    /// Bands begin at whole multiples of this many rows of blocks, for the reason that those of whole
    /// pixels do; at 4K and two pixels a side, a band is a quarter of a megabyte.
    private static let blockBandHeight = 32

    func paint(
        _ scene: Scene, into canvas: Canvas, as blocks: PixelBlocks, damage: [PixelRect],
        bitmap: (PictureItem.Source) -> Bitmap?, concurrently: Concurrency
    ) {
        let frame = frame(
            of: scene, on: blocks.size, blockSide: blocks.side, sharp: nil, bitmap: bitmap)
        for rect in damage {
            let part = blocks.blocks(touching: rect)
            guard !part.isEmpty else { continue }
            let first = part.y / Self.blockBandHeight
            let count = (part.maxY - 1) / Self.blockBandHeight - first + 1
            let rows = BlockRows(
                part: part, blocks: blocks, canvas: canvas, height: Self.blockBandHeight)
            concurrently(count) { number in
                rows.paint(first + number, frame)
            }
        }
        paintPanels(scene, into: canvas, damage: damage)
    }
}

/// The rows of a damaged part, cut into bands.
///
/// `@unchecked Sendable`: the canvas's pointer is the only member that is not; bands are disjoint rows
/// of memory that the caller lends until all of them are done, so no byte is shared.
private struct BlockRows: @unchecked Sendable {
    /// In blocks.
    let part: PixelRect
    let blocks: PixelBlocks
    let canvas: Canvas
    /// In blocks.
    let height: Int

    /// Paints a band and enlarges it.
    ///
    /// Without a few hundred kilobytes of memory the frame lacks a part.
    func paint(_ number: Int, _ frame: PaintedFrame) {
        let size = blocks.size
        let rows = PixelRect(x: 0, y: number * height, width: size.width, height: height)
            .intersection(PixelRect(size))
        let rect = part.intersection(rows)
        guard !rect.isEmpty else { return }
        guard let scratch = ScratchCanvas(rows: rows.height, of: size) else { return }
        let coarse = scratch.canvas(from: rows.y)
        guard let band = try? Band(rows, painting: rect, of: coarse) else { return }
        band.paint(frame)
        band.finish()
        enlarge(rect, of: coarse)
    }

    private func enlarge(_ rect: PixelRect, of coarse: Canvas) {
        let target = blocks.pixels(of: rect)
        cpainting_enlarge(
            (coarse.row(rect.y) + rect.x * 4).assumingMemoryBound(to: UInt8.self), coarse.stride,
            (canvas.row(target.y) + target.x * 4).assumingMemoryBound(to: UInt8.self),
            canvas.stride, Int32(blocks.side), Int32(target.width), Int32(target.height))
    }
}
