package import Geometry
package import ImageTypes

/// Tiles of one level of a picture, one below the other, as a single picture.
package struct TiledPicture: Sendable {
    /// The columns that all tiles have in common, and the rows of all tiles together, in level
    /// pixels.
    package let rect: PixelRect
    private let tiles: [(rect: PixelRect, bitmap: Bitmap)]

    /// Nil if a bitmap is not opaque or not as large as its tile, or if there is a gap between
    /// tiles.
    package init?(_ tiles: [(rect: PixelRect, bitmap: Bitmap)]) {
        self.tiles = tiles.sorted { $0.rect.y < $1.rect.y }
        guard let first = self.tiles.first?.rect else { return nil }
        var (left, right, bottom) = (first.x, first.maxX, first.y)
        for (rect, bitmap) in self.tiles {
            guard bitmap.format == .rgb24, bitmap.levels[0].size == rect.size, rect.y <= bottom
            else { return nil }
            (left, right) = (max(left, rect.x), min(right, rect.maxX))
            bottom = max(bottom, rect.maxY)
        }
        rect = PixelRect(x: left, y: first.y, width: right - left, height: bottom - first.y)
        guard !rect.isEmpty else { return nil }
    }

    /// Copies the tiles into one bitmap; nil if cancelled or out of memory.
    func joined(until cancellation: PaintingCancellation) -> Bitmap? {
        guard let memory = OwnedPixels(size: rect.size) else { return nil }
        let target = memory.canvas
        for (tile, bitmap) in tiles {
            guard let base = bitmap.memory.bytes.baseAddress else { return nil }
            let level = bitmap.levels[0]
            for y in 0..<tile.height {
                if cancellation.isCancelled { return nil }
                let row = base + level.offset + y * level.stride
                target.row(tile.y + y - rect.y).copyMemory(
                    from: row + (rect.x - tile.x) * 4, byteCount: rect.width * 4)
            }
        }
        return memory.bitmap
    }
}
