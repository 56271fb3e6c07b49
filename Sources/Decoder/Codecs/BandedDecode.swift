import Geometry
import ImageTypes
import Threads

/// Decodes rows of a picture into a store on the caller's thread, strip by strip, with what those are
/// reduced to; other threads may do so with other rows.
struct BandedDecode {
    let store: PixelStore
    let converter: RowConverter
    private let writer: OrientedWriter
    private let isTopDown: Bool

    init(_ store: PixelStore, _ converter: RowConverter, _ orientation: Orientation) {
        self.store = store
        self.converter = converter
        writer = OrientedWriter(store, orientation: orientation)
        isTopDown = writer.isTopDown
    }

    /// Decodes `rows` of the picture as stored, which begin where a strip does, from a source that has
    /// them next, for as long as a strip is wanted; the row up to which all are there.
    func decode(
        _ rows: Range<Int>, from source: any RowSource, while isWanted: (Range<Int>) -> Bool
    ) -> Int {
        let decoding = SerialDecode(source, converter, on: SerialDecode.alone)
        let height = OrientedWriter.stripHeight
        let width = source.size.width
        // Upright ones are handed over with their reductions, strip by strip.
        var strips = BandWriter(store, strips: writer.isDirect ? 2 : 0)
        let words = ScratchRows(writer.isDirect ? 0 : width * 4, count: height)
        let samples = ScratchRows(
            converter.isNeedless ? 0 : width * source.layout.bytesPerPixel, count: height)
        var y = rows.lowerBound
        while y < rows.upperBound {
            let strip = y..<min(y + height, rows.upperBound)
            guard isWanted(strip) else { break }
            let targets =
                writer.isDirect
                ? strips.begin(strip)
                : words.rows.prefix(strip.count).map { $0.assumingMemoryBound(to: UInt32.self) }
            let count = decoding.read(into: targets, samples, from: y)
            for row in targets.dropFirst(count) { row.update(repeating: 0, count: width) }
            if writer.isDirect {
                strips.end()
            } else {
                writer.write(targets, count: count, from: y)
                // While they are in the processor's cache.
                if isTopDown { Reduction.reduceStrips(strip, in: store) }
            }
            y += count
            guard count == strip.count else { break }
        }
        strips.finish()
        return y
    }

    /// Makes rows from `first` on, which never came, opaque black, unless there is alpha.
    func blacken(from first: Int) {
        if converter.format == .rgb24 { writer.blacken(from: first) }
        guard isTopDown else { return }
        let strip = OrientedWriter.stripHeight
        Reduction.reduceStrips(first / strip * strip..<store.levels[0].size.height, in: store)
    }

    /// Computes what `decode` leaves, once all rows are there.
    func finish(on workers: WorkerPool) {
        if !isTopDown {
            let bands = workers.width * 2
            workers.run(bands) { Reduction.reduceStrips(strips($0, of: bands), in: store) }
        }
        Reduction.reduceRest(of: store)
    }

    /// The rows of one of so many bands, which begin where strips do.
    private func strips(_ band: Int, of bands: Int) -> Range<Int> {
        let height = store.levels[0].size.height
        let strips = (height + OrientedWriter.stripHeight - 1) / OrientedWriter.stripHeight
        let start = strips * band / bands * OrientedWriter.stripHeight
        let end = strips * (band + 1) / bands * OrientedWriter.stripHeight
        return start..<max(start, min(end, height))
    }
}
