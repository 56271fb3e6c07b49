import Geometry
import Pictures

/// Decodes a picture strip by strip into a store, upright, with its reductions.
enum StripDecoding {
    /// Decodes rows from `y` on into `rows`; how many came, 0 when there are no more.
    typealias Reader = (_ rows: [UnsafeMutablePointer<UInt32>], _ count: Int, _ y: Int) -> Int

    /// Fills the finest level through `read` and builds the others.
    ///
    /// Where the rows end early the rest stays black (or clear).
    static func run(
        _ store: PixelStore, _ orientation: Orientation, _ sink: some DecodeSink, _ read: Reader
    ) throws(Stopped) {
        let level = store.levels[0]
        let stored = orientation.upright(level.size)
        let writer = UprightWriter(store, orientation: orientation)
        let pyramid = Pyramid(store)
        let scratch = ScratchRows(writer.isDirect ? 0 : stored.width)
        var y = 0
        while y < stored.height {
            guard sink.shouldContinue() else {
                pyramid.abandon()
                throw Stopped()
            }
            let wanted = min(UprightWriter.stripHeight, stored.height - y)
            let count: Int
            if writer.isDirect {
                count = read((0..<wanted).map { store.row(y + $0, of: level) }, wanted, y)
            } else {
                count = read(scratch.rows, wanted, y)
                writer.write(scratch.rows, count: count, from: y)
            }
            if count == 0 { break }
            y += count
            if writer.isTopDown { pyramid.complete(rows: y) }
        }
        if store.format == .rgb24 { blacken(from: y, store, writer, stored) }
        pyramid.complete(rows: level.size.height)
        pyramid.finish()
    }

    /// Rows that never came are opaque black.
    private static func blacken(
        from first: Int, _ store: PixelStore, _ writer: UprightWriter, _ stored: PixelSize
    ) {
        guard first < stored.height else { return }
        let scratch = ScratchRows(stored.width)
        for row in scratch.rows { row.update(repeating: 0xFF00_0000, count: stored.width) }
        var y = first
        while y < stored.height {
            let count = min(UprightWriter.stripHeight, stored.height - y)
            writer.write(scratch.rows, count: count, from: y)
            y += count
        }
    }
}

/// A strip's worth of rows in ordinary memory.
private final class ScratchRows {
    let rows: [UnsafeMutablePointer<UInt32>]

    init(_ width: Int) {
        rows =
            width == 0
            ? [] : (0..<UprightWriter.stripHeight).map { _ in .allocate(capacity: width) }
    }

    deinit {
        for row in rows { row.deallocate() }
    }
}
