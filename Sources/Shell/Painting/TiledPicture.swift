package import Geometry
package import ImageTypes

/// Bands of one level of a picture that touch or overlap, as one.
package struct TiledPicture: Sendable {
    /// The columns that all bands have, and the rows of any, in pixels of the level.
    package let rect: PixelRect
    private let bands: [(rect: PixelRect, bitmap: Bitmap)]

    /// Nil where pixels let something through, where a bitmap is not as large as its band, and where
    /// there is a gap between two.
    package init?(_ bands: [(rect: PixelRect, bitmap: Bitmap)]) {
        self.bands = bands.sorted { $0.rect.y < $1.rect.y }
        guard let first = self.bands.first?.rect else { return nil }
        var (left, right, bottom) = (first.x, first.maxX, first.y)
        for (rect, bitmap) in self.bands {
            guard bitmap.format == .rgb24, bitmap.levels[0].size == rect.size, rect.y <= bottom
            else { return nil }
            (left, right) = (max(left, rect.x), min(right, rect.maxX))
            bottom = max(bottom, rect.maxY)
        }
        rect = PixelRect(x: left, y: first.y, width: right - left, height: bottom - first.y)
        guard !rect.isEmpty else { return nil }
    }

    /// Lays the bands one below the other; nil when that was cancelled, or there is no memory for it.
    func joined(until cancellation: PaintingCancellation) -> Bitmap? {
        guard let memory = OwnedPixels(size: rect.size) else { return nil }
        let target = memory.canvas
        for (place, bitmap) in bands {
            guard let base = bitmap.memory.bytes.baseAddress else { return nil }
            let level = bitmap.levels[0]
            for y in 0..<place.height {
                if cancellation.isCancelled { return nil }
                let row = base + level.offset + y * level.stride
                target.row(place.y + y - rect.y).copyMemory(
                    from: row + (rect.x - place.x) * 4, byteCount: rect.width * 4)
            }
        }
        return memory.bitmap
    }
}
