import Geometry
package import ImageTypes
package import Threads

/// Decodes rows of a picture and their reductions into a store, band by band.
///
/// The work is done on the caller's thread; other threads may decode other rows at the same time.
package struct BandedDecode: BandDecoding {
    private let store: PixelStore
    private let converter: RowConverter
    private let orientation: Orientation
    private let writer: OrientedWriter
    private let isTopDown: Bool

    init(_ store: PixelStore, _ converter: RowConverter, _ orientation: Orientation) {
        (self.store, self.converter, self.orientation) = (store, converter, orientation)
        writer = OrientedWriter(store, orientation: orientation)
        isTopDown = writer.isTopDown
    }

    /// The width of the finest level as stored, in pixels.
    var width: Int { orientation.upright(store.levels[0].size).width }

    package func decode(
        _ rows: Range<Int>, from source: any RowSource, while isWanted: (Range<Int>) -> Bool
    ) -> Int {
        let decoding = SerialDecode(source, converter, on: SerialDecode.alone)
        let height = OrientedWriter.rowsPerBand
        let width = source.size.width
        // Upright rows are written together with their reductions, band by band.
        var bandWriter = BandWriter(store, bands: writer.isDirect ? 2 : 0)
        let pixels = ScratchRows(writer.isDirect ? 0 : width * 4, count: height)
        let samples = ScratchRows(
            converter.isIdentity ? 0 : width * source.layout.bytesPerPixel, count: height)
        var y = rows.lowerBound
        while y < rows.upperBound {
            let band = y..<min(y + height, rows.upperBound)
            guard isWanted(band) else { break }
            let targets =
                writer.isDirect
                ? bandWriter.begin(band)
                : pixels.rows.prefix(band.count).map { $0.assumingMemoryBound(to: UInt32.self) }
            let count = decoding.read(into: targets, samples, from: y)
            for row in targets.dropFirst(count) { row.update(repeating: 0, count: width) }
            if writer.isDirect {
                bandWriter.end()
            } else {
                writer.write(targets, count: count, from: y)
                // The rows are still in the processor's cache.
                if isTopDown { Reduction.reduceFineLevels(band, in: store) }
            }
            y += count
            guard count == band.count else { break }
        }
        bandWriter.finish()
        return y
    }

    package func blacken(from first: Int) {
        if converter.format == .rgb24 { writer.blacken(from: first) }
        guard isTopDown else { return }
        let height = OrientedWriter.rowsPerBand
        Reduction.reduceFineLevels(first / height * height..<store.levels[0].size.height, in: store)
    }

    package func seal() throws(DecodeFailure) -> Int32 {
        try store.seal(as: converter.format, orientation: orientation)
    }

    package func finish(on workers: WorkerPool) {
        if !isTopDown {
            let jobs = workers.width * 2
            workers.run(jobs) { Reduction.reduceFineLevels(rows(ofJob: $0, of: jobs), in: store) }
        }
        Reduction.reduceCoarseLevels(of: store)
    }

    /// The rows that one of `jobs` jobs reduces, in whole bands.
    private func rows(ofJob job: Int, of jobs: Int) -> Range<Int> {
        let height = store.levels[0].size.height
        let bands = (height + OrientedWriter.rowsPerBand - 1) / OrientedWriter.rowsPerBand
        let start = bands * job / jobs * OrientedWriter.rowsPerBand
        let end = bands * (job + 1) / jobs * OrientedWriter.rowsPerBand
        return start..<max(start, min(end, height))
    }
}
