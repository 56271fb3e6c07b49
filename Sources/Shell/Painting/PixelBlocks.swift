package import Geometry
import SceneModel

/// A canvas as square blocks of pixels that are alike, from its upper left corner on.
package struct PixelBlocks: Hashable, Sendable {
    /// Pixels of the canvas along each side of a block; at least 1.
    package let side: Int
    /// In pixels.
    let canvas: PixelSize

    package init(side: Int, of canvas: PixelSize) {
        precondition(side > 0, "blocks of no pixels")
        self.side = side
        self.canvas = canvas
    }

    /// How many blocks there are; those at the right and at the bottom may be cut off.
    var size: PixelSize {
        PixelSize(
            width: (canvas.width + side - 1) / side, height: (canvas.height + side - 1) / side)
    }

    /// The blocks that `rect`, pixels of the canvas, touches, counted from the first.
    func blocks(touching rect: PixelRect) -> PixelRect {
        let part = rect.intersection(PixelRect(canvas))
        let (left, top) = (part.x / side, part.y / side)
        guard !part.isEmpty else { return PixelRect(x: left, y: top, width: 0, height: 0) }
        return PixelRect(
            x: left, y: top, width: (part.maxX + side - 1) / side - left,
            height: (part.maxY + side - 1) / side - top)
    }

    /// The pixels of those blocks.
    func pixels(of blocks: PixelRect) -> PixelRect {
        PixelRect(
            x: blocks.x * side, y: blocks.y * side, width: blocks.width * side,
            height: blocks.height * side
        ).intersection(PixelRect(canvas))
    }

    /// The pixels of all blocks that `rects`, pixels of the canvas, touch, as disjoint rectangles.
    package func covering(_ rects: [PixelRect]) -> [PixelRect] {
        PixelRect.merged(rects.map { pixels(of: blocks(touching: $0)) })
    }
}
