import Geometry
import Glibc
import ImageTypes

/// Puts decoded rows where they belong once the picture is upright.
struct OrientedWriter {
    private let store: PixelStore
    private let level: Bitmap.Level
    private let orientation: Orientation
    /// The finest level's size as stored in the file.
    private let stored: PixelSize

    /// How many rows are best handed over at once: as many pixels as a cache line holds, so that
    /// turned pictures fill whole lines.
    static let stripHeight = 16

    init(_ store: PixelStore, orientation: Orientation) {
        self.store = store
        level = store.levels[0]
        self.orientation = orientation
        stored = orientation.upright(level.size)
    }

    /// Whether decoded rows are rows of the store, so that they can be decoded in place.
    var isDirect: Bool { orientation == .upright }

    /// Whether rows come out from the top down, so that reducing can follow.
    var isTopDown: Bool { orientation == .upright || orientation == .mirrored }

    /// Writes `count` rows from row `y` of the file on.
    func write(_ rows: [UnsafeMutablePointer<UInt32>], count: Int, from y: Int) {
        switch orientation {
        case .upright, .mirrored, .upsideDown, .mirroredUpsideDown:
            for index in 0..<count { writeRow(rows[index], y + index) }
        case .transposed, .turnedLeft, .transversed, .turnedRight:
            writeColumns(rows, count, y)
        }
    }

    /// Makes all rows from row `first` of the file on opaque black.
    func blacken(from first: Int) {
        guard first < stored.height else { return }
        let scratch = ScratchRows(stored.width * 4, count: Self.stripHeight)
        let rows = scratch.rows.map { $0.assumingMemoryBound(to: UInt32.self) }
        for row in rows { row.update(repeating: 0xFF00_0000, count: stored.width) }
        var y = first
        while y < stored.height {
            let count = min(Self.stripHeight, stored.height - y)
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
        let fromRight = orientation == .turnedLeft || orientation == .transversed
        let fromBottom = orientation == .transversed || orientation == .turnedRight
        for x in 0..<stored.width {
            let target = store.row(fromBottom ? stored.width - 1 - x : x, of: level)
            for index in 0..<count {
                let column = fromRight ? stored.height - 1 - (y + index) : y + index
                target[column] = rows[index][x]
            }
        }
    }
}
