package import Geometry
package import Pictures

/// Bands of a picture that touch or overlap, as one.
package struct PictureMosaic: Sendable {
    /// One part, and where its upper left pixel lies.
    package struct Piece: Sendable {
        package var x: Int
        package var y: Int
        package var bitmap: Bitmap

        package init(x: Int, y: Int, bitmap: Bitmap) {
            self.x = x
            self.y = y
            self.bitmap = bitmap
        }
    }

    /// Of all of it, in pixels.
    package let size: PixelSize
    private let pieces: [Piece]

    /// Nil where pixels let something through, and where some are in no piece.
    ///
    /// What of a piece lies outside is left out.
    package init?(size: PixelSize, _ pieces: [Piece]) {
        self.size = size
        self.pieces = pieces.sorted { $0.y < $1.y }
        var covered = 0
        for piece in self.pieces {
            let level = piece.bitmap.levels[0].size
            guard piece.bitmap.format == .rgb24, piece.x <= 0, piece.y <= covered,
                piece.x + level.width >= size.width
            else { return nil }
            covered = max(covered, piece.y + level.height)
        }
        guard !size.isEmpty, covered >= size.height else { return nil }
    }

    /// Lays the pieces side by side; nil when that was cancelled, or there is no memory for it.
    func joined(until cancellation: PaintingCancellation) -> Bitmap? {
        guard let memory = OwnPixels(size: size) else { return nil }
        let target = memory.canvas
        for piece in pieces {
            let level = piece.bitmap.levels[0]
            let place = PixelRect(
                x: piece.x, y: piece.y, width: level.size.width, height: level.size.height)
            let part = place.intersection(PixelRect(size))
            guard !part.isEmpty, let base = piece.bitmap.memory.bytes.baseAddress else { continue }
            for y in part.y..<part.maxY {
                if cancellation.isCancelled { return nil }
                let row = base + level.offset + (y - piece.y) * level.stride
                (target.row(y) + part.x * 4).copyMemory(
                    from: row + (part.x - piece.x) * 4, byteCount: part.width * 4)
            }
        }
        return memory.bitmap
    }
}
