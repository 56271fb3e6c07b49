import Geometry
import Glibc
import ImageTypes

/// A band of luma and chroma samples, and its reductions, in memory of its own.
///
/// The memory is small enough to stay in the processor's cache until the band is written to a store.
final class PlanarBand {
    /// A level's planes, with their offsets in a store.
    ///
    /// The chroma plane is nil where that of the finer level serves.
    private struct Level {
        var luma: SamplePlane
        var lumaOffset: Int
        /// Picture rows per row of each plane, as powers of two.
        var lumaShift: Int
        var chroma: SamplePlane?
        var chromaOffset = 0
        var chromaShift = 0
    }

    private var levels: [Level]
    private let format: ChromaFormat
    private let height: Int
    private var rows = 0..<0

    /// Memory for the stored rows of a picture; for those of all levels that a band can be reduced to if
    /// they are upright.
    init(_ size: PixelSize, _ format: ChromaFormat, _ stored: [Bitmap.Level], isUpright: Bool) {
        (self.format, height) = (format, size.height)
        levels =
            isUpright
            ? stored.prefix(Reduction.fineLevels + 1).map { level in
                var own = Level(
                    luma: Self.plane(level.size, level.stride, 1, level.mipLevel),
                    lumaOffset: level.offset, lumaShift: level.mipLevel)
                let isShared =
                    level.mipLevel > 0 && level.chroma == stored[level.mipLevel - 1].chroma
                if let chroma = level.chroma, !isShared {
                    own.chromaShift = format.shifts(at: level.mipLevel).row
                    own.chroma = Self.plane(chroma.size, chroma.stride, 2, own.chromaShift)
                    own.chromaOffset = chroma.offset
                }
                return own
            } : [Self.finestLevel(of: size, format)]
    }

    deinit {
        for level in levels {
            level.luma.base.deallocate()
            level.chroma?.base.deallocate()
        }
    }

    /// The level of rows that are written to other places of a store.
    private static func finestLevel(of size: PixelSize, _ format: ChromaFormat) -> Level {
        let chroma = format.samples(of: size, at: 0)
        func stride(_ width: Int, _ bytes: Int) -> Int {
            Bitmap.Level.stride(ofWidth: width, bytesPerPixel: bytes)
        }
        return Level(
            luma: plane(size, stride(size.width, 1), 1, 0), lumaOffset: 0, lumaShift: 0,
            chroma: plane(chroma, stride(chroma.width, 2), 2, format.rowShift),
            chromaShift: format.rowShift)
    }

    /// Allocates the rows of a band in a plane with one row for 2^`shift` picture rows.
    private static func plane(
        _ size: PixelSize, _ stride: Int, _ sampleBytes: Int, _ shift: Int
    ) -> SamplePlane {
        // One row more, for a band that begins within a sample.
        let count = stride * (max(1, OrientedWriter.rowsPerBand >> shift) + 1)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
        // The padding between rows is written to the store too.
        memset(memory, 0, count)
        return SamplePlane(
            base: memory.assumingMemoryBound(to: UInt8.self), stride: stride, size: size,
            sampleBytes: sampleBytes)
    }

    /// The rows of a plane with one row for 2^`shift` picture rows that are made of the band's rows.
    private func part(_ shift: Int, of plane: SamplePlane) -> Range<Int> {
        let start = rows.lowerBound >> shift
        return start..<(rows.upperBound == height ? plane.size.height : rows.upperBound >> shift)
    }

    /// Starts a band; the caller fills the returned rows.
    func begin(_ rows: Range<Int>) -> (
        luma: [UnsafeMutablePointer<UInt8>], chroma: [UnsafeMutablePointer<UInt8>]
    ) {
        self.rows = rows
        for index in levels.indices {
            let (lumaShift, chromaShift) = (levels[index].lumaShift, levels[index].chromaShift)
            levels[index].luma.top = rows.lowerBound >> lumaShift
            levels[index].chroma?.top = rows.lowerBound >> chromaShift
        }
        let finest = levels[0]
        return (
            rows.map { finest.luma.row($0) },
            finest.chroma.map { plane in part(finest.chromaShift, of: plane).map { plane.row($0) } }
                ?? []
        )
    }

    /// Makes the rows from number `count` of the band on black.
    func clear(from count: Int) {
        guard count < rows.count else { return }
        let finest = levels[0]
        for row in rows.dropFirst(count) {
            memset(finest.luma.row(row), format.isFullRange ? 0 : 16, finest.luma.size.width)
        }
        guard let chroma = finest.chroma else { return }
        let half = (1 << finest.chromaShift) - 1
        for row in part(finest.chromaShift, of: chroma).dropFirst(
            (count + half) >> finest.chromaShift)
        {
            memset(chroma.row(row), 128, chroma.size.width * 2)
        }
    }

    /// Reduces the filled band.
    func reduce() {
        for index in levels.indices.dropFirst() {
            let level = levels[index]
            level.luma.reduce(part(level.lumaShift, of: level.luma), from: levels[index - 1].luma)
            guard let chroma = level.chroma,
                let fine = levels[..<index].last(where: { $0.chroma != nil })?.chroma
            else { continue }
            chroma.reduce(part(level.chromaShift, of: chroma), from: fine)
        }
    }

    /// Writes a reduced band to a store, which has the same levels.
    func write(to store: PixelStore) {
        func write(_ plane: SamplePlane, _ shift: Int, at offset: Int) {
            let rows = part(shift, of: plane)
            store.write(
                rows.count * plane.stride, at: offset + rows.lowerBound * plane.stride,
                plane.row(rows.lowerBound))
        }
        for level in levels {
            write(level.luma, level.lumaShift, at: level.lumaOffset)
            if let chroma = level.chroma {
                write(chroma, level.chromaShift, at: level.chromaOffset)
            }
        }
    }
}
