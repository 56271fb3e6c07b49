import Geometry
import Glibc
import ImageTypes

/// Writes decoded rows to their upright positions in a level of a store.
struct OrientedWriter {
    private let store: PixelStore
    private let level: Bitmap.Level
    private let orientation: Orientation
    /// The level's size before orientation, in pixels.
    private let stored: PixelSize

    /// The best number of rows per write: as many as a cache line holds pixels.
    ///
    /// So the columns of a rotated picture fill whole cache lines.
    static let rowsPerBand = 16

    /// Writes to the finest level unless another one is given.
    init(_ store: PixelStore, _ level: Bitmap.Level? = nil, orientation: Orientation) {
        self.store = store
        let level = level ?? store.levels[0]
        self.level = level
        self.orientation = orientation
        stored = orientation.upright(level.size)
    }

    /// Whether decoded rows are rows of the store, so that they can be decoded directly into it.
    var isDirect: Bool { orientation == .upright }

    /// Whether the rows of the store are completed from the top down, so that reduction can follow.
    var isTopDown: Bool { orientation == .upright || orientation == .mirrored }

    /// Writes `count` rows, the first of which is row `y` of the file.
    func write(_ rows: [UnsafeMutablePointer<UInt32>], count: Int, from y: Int) {
        switch orientation {
        case .upright, .mirrored, .upsideDown, .mirroredUpsideDown:
            for index in 0..<count { writeRow(rows[index], y + index) }
        case .transposed, .rotatedLeft, .transversed, .rotatedRight:
            writeColumns(rows, count, y)
        }
    }

    /// Fills all rows from row `first` of the file on with opaque black.
    func blacken(from first: Int) {
        guard first < stored.height else { return }
        let scratch = ScratchRows(stored.width * 4, count: Self.rowsPerBand)
        let rows = scratch.rows.map { $0.assumingMemoryBound(to: UInt32.self) }
        for row in rows { row.update(repeating: 0xFF00_0000, count: stored.width) }
        var y = first
        while y < stored.height {
            let count = min(Self.rowsPerBand, stored.height - y)
            write(rows, count: count, from: y)
            y += count
        }
    }

    private func writeRow(_ source: UnsafeMutablePointer<UInt32>, _ y: Int) {
        let isFlipped = orientation == .upsideDown || orientation == .mirroredUpsideDown
        let target = store.row(isFlipped ? stored.height - 1 - y : y, of: level)
        let width = stored.width
        if orientation == .upright || orientation == .mirroredUpsideDown {
            target.update(from: source, count: width)
        } else {
            for x in 0..<width { target[width - 1 - x] = source[x] }
        }
    }

    private func writeColumns(_ rows: [UnsafeMutablePointer<UInt32>], _ count: Int, _ y: Int) {
        let fromRight = orientation == .rotatedLeft || orientation == .transversed
        let fromBottom = orientation == .transversed || orientation == .rotatedRight
        for x in 0..<stored.width {
            let target = store.row(fromBottom ? stored.width - 1 - x : x, of: level)
            for index in 0..<count {
                let column = fromRight ? stored.height - 1 - (y + index) : y + index
                target[column] = rows[index][x]
            }
        }
    }
}
