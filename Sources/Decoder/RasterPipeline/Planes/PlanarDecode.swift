package import Geometry
package import ImageTypes
import Synchronization
package import Threads

/// Decodes planes and their reductions into a store, band by band.
package struct PlanarDecode: BandDecoding {
    private let store: PixelStore
    private let orientation: Orientation
    /// As stored.
    private let size: PixelSize
    private let format: ChromaFormat

    /// Allocates the store of a picture; `size` and `format` are those of the picture as stored.
    package init(
        _ size: PixelSize, _ format: ChromaFormat, _ orientation: Orientation
    ) throws(DecodeFailure) {
        (self.size, self.format, self.orientation) = (size, format, orientation)
        let upright = orientation.upright(size)
        store = try PixelStore(
            size: upright, from: 0, chroma: format.upright(orientation, upright))
    }

    /// Whether the rows of `source` have the sizes that memory is allocated for.
    package func fits(_ source: any PlaneSource) -> Bool {
        source.size.width == size.width && source.format == format
    }

    /// Decodes all planes of `source` into sealed memory, whose descriptor the caller owns.
    ///
    /// Nil if planes are missing, and once `isWanted` returns false.
    package static func memory(
        of source: any PlaneSource, _ orientation: Orientation, while isWanted: () -> Bool
    ) throws(DecodeFailure) -> Int32? {
        let decoding = try PlanarDecode(source.size, source.format, orientation)
        let rows = 0..<source.size.height
        let end = decoding.decode(rows, from: source) { _ in isWanted() }
        guard end == rows.upperBound, source.isComplete else { return nil }
        decoding.finish(on: SerialDecode.workers)
        return try decoding.seal()
    }

    package func decode(
        _ rows: Range<Int>, from source: any PlaneSource, while isWanted: (Range<Int>) -> Bool
    ) -> Int {
        let band = PlanarBand(size, format, store.levels, isUpright: orientation == .upright)
        var y = rows.lowerBound
        while y < rows.upperBound {
            let end = min(y + OrientedWriter.rowsPerBand, rows.upperBound)
            guard isWanted(y..<end) else { break }
            let (luma, chroma) = band.begin(y..<end)
            let count = source.read(luma: luma, chroma: chroma)
            guard count > 0 else { break }
            band.clear(from: count)
            if orientation == .upright {
                band.reduce()
                store.writing.withLock { _ in band.write(to: store) }
            } else {
                finest.luma.write(luma, count: count, from: y, orientation)
                let rows = (count + (1 << format.rowShift) - 1) >> format.rowShift
                finest.chroma.write(chroma, count: rows, from: y >> format.rowShift, orientation)
            }
            y += count
            guard y == end else { break }
        }
        return y
    }

    /// Luma and chroma of the finest level.
    private var finest: (luma: SamplePlane, chroma: SamplePlane) { planes(0) }

    private func planes(_ index: Int) -> (luma: SamplePlane, chroma: SamplePlane) {
        let level = store.levels[index]
        guard let chroma = level.chroma else { preconditionFailure("a level without chroma") }
        return (
            SamplePlane(
                base: store.samples(at: level.offset), stride: level.stride, size: level.size,
                sampleBytes: 1),
            SamplePlane(
                base: store.samples(at: chroma.offset), stride: chroma.stride, size: chroma.size,
                sampleBytes: 2)
        )
    }

    package func blacken(from first: Int) {
        let band = PlanarBand(size, format, store.levels, isUpright: false)
        var y = first
        while y < size.height {
            let end = min(y + OrientedWriter.rowsPerBand, size.height)
            let (luma, chroma) = band.begin(y..<end)
            band.clear(from: 0)
            finest.luma.write(luma, count: end - y, from: y, orientation)
            // The first chroma row may belong to the last luma row before.
            let half = (1 << format.rowShift) - 1
            let start = (y + half) >> format.rowShift
            let count = ((end + half) >> format.rowShift) - start
            finest.chroma.write(chroma, count: max(0, count), from: start, orientation)
            y = end
        }
        guard orientation == .upright, first < size.height else { return }
        reduce(first / OrientedWriter.rowsPerBand * OrientedWriter.rowsPerBand..<size.height)
    }

    /// Reduces rows of the finest level, from the first row of a band on, as far as bands are reduced on
    /// their own.
    private func reduce(_ rows: Range<Int>) {
        let isLast = rows.upperBound == store.levels[0].size.height
        for index in 1..<max(1, min(store.levels.count, Reduction.fineLevels + 1)) {
            reduce(index) { height, shift in
                (rows.lowerBound >> shift)..<(isLast ? height : rows.upperBound >> shift)
            }
        }
    }

    /// Computes rows of both planes of level `index`.
    ///
    /// `rows` gives those of a plane that has `height` rows, each for 2^`shift` picture rows.
    private func reduce(_ index: Int, _ rows: (_ height: Int, _ shift: Int) -> Range<Int>) {
        let (fine, coarse) = (planes(index - 1), planes(index))
        let level = store.levels[index]
        coarse.luma.reduce(rows(coarse.luma.size.height, level.mipLevel), from: fine.luma)
        guard let format = store.chroma, level.chroma != store.levels[index - 1].chroma else {
            return
        }
        coarse.chroma.reduce(
            rows(coarse.chroma.size.height, format.shifts(at: level.mipLevel).row),
            from: fine.chroma)
    }

    package func finish(on workers: WorkerPool) {
        let levels = store.levels
        if orientation != .upright {
            let height = levels[0].size.height
            let bands = (height + OrientedWriter.rowsPerBand - 1) / OrientedWriter.rowsPerBand
            let jobs = workers.width * 2
            workers.run(jobs) { job in
                let start = bands * job / jobs * OrientedWriter.rowsPerBand
                let end = bands * (job + 1) / jobs * OrientedWriter.rowsPerBand
                if start < end { reduce(start..<min(end, height)) }
            }
        }
        for index in Reduction.fineLevels + 1..<max(Reduction.fineLevels + 1, levels.count) {
            reduce(index) { height, _ in 0..<height }
        }
    }

    package func seal() throws(DecodeFailure) -> Int32 {
        try store.seal(as: .planes, orientation: orientation)
    }
}
