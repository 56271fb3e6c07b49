package import Geometry
import SceneModel

/// A canvas divided into square blocks of equal pixels, from the upper left corner on.
package struct PixelBlocks: Hashable, Sendable {
    /// The side of a block, in canvas pixels; at least 1.
    package let side: Int
    /// The size of the canvas, in pixels.
    let canvas: PixelSize

    package init(side: Int, of canvas: PixelSize) {
        precondition(side > 0, "a block needs at least one pixel")
        self.side = side
        self.canvas = canvas
    }

    /// The number of blocks in each direction; the last ones at the right and at the bottom may be
    /// cut off.
    var size: PixelSize {
        PixelSize(
            width: (canvas.width + side - 1) / side, height: (canvas.height + side - 1) / side)
    }

    /// The blocks that `rect` (canvas pixels) touches, in units of blocks.
    func blocks(touching rect: PixelRect) -> PixelRect {
        let region = rect.intersection(PixelRect(canvas))
        let (left, top) = (region.x / side, region.y / side)
        guard !region.isEmpty else { return PixelRect(x: left, y: top, width: 0, height: 0) }
        return PixelRect(
            x: left, y: top, width: (region.maxX + side - 1) / side - left,
            height: (region.maxY + side - 1) / side - top)
    }

    /// The canvas pixels of `blocks` (units of blocks).
    func pixels(of blocks: PixelRect) -> PixelRect {
        PixelRect(
            x: blocks.x * side, y: blocks.y * side, width: blocks.width * side,
            height: blocks.height * side
        ).intersection(PixelRect(canvas))
    }

    /// The canvas pixels of all blocks that `rects` (canvas pixels) touch, as disjoint rectangles.
    package func covering(_ rects: [PixelRect]) -> [PixelRect] {
        PixelRect.merged(rects.map { pixels(of: blocks(touching: $0)) })
    }
}
