import Geometry
import ImageTypes
import Localization
import RasterPipeline
import Threads

/// The rows of a grid; memory holds one row of tiles at a time.
final class HEIFGridRows: RowSource {
    var size: PixelSize { grid.size }
    let layout: SampleLayout
    let color: ColorSource
    private(set) var isComplete = true
    private let grid: HEIFGrid
    private let tile: PixelSize
    /// The pixels of one row of tiles, and the number of that row.
    private let tileRow: ScratchMemory
    private var current = -1
    private var y = 0

    init(_ bytes: UnsafeRawBufferPointer, _ grid: HEIFGrid) throws(DecodeFailure) {
        self.grid = grid
        // If the grid has no colour space, the first tile's is used.
        let gridColor = try HEIFPicture(header: bytes).source
        let first = try grid.file(ofTile: 0).withUnsafeBytes { bytes in
            Result { () throws(DecodeFailure) in
                let picture = try HEIFPicture(header: bytes)
                try picture.decode()
                return (size: picture.size, bits: picture.bits, source: picture.source)
            }
        }.get()
        tile = first.size
        guard Self.covers(grid, tile) else {
            throw .damaged(reason: localized("the size of the tiles does not match the grid"))
        }
        color = gridColor == .standard ? first.source : gridColor
        layout = SampleLayout(bits: first.bits, hasAlpha: false, color)
        tileRow = try ScratchMemory(
            bytes: grid.columns * tile.width * tile.height * layout.bytesPerPixel)
    }

    /// The largest memory in bytes that decoding such a grid takes.
    ///
    /// This is a row of tiles with samples of 16 bits, and the memory of libheif for each tile that
    /// is being decoded.
    static func held(_ grid: HEIFGrid, _ tile: PixelSize) -> Int {
        let pixels = tile.width * tile.height
        return pixels * 8 * (grid.columns + 2 * min(grid.columns, SerialDecode.workers.width))
    }

    /// Whether tiles of that size cover the picture, and each of them is at least partly inside.
    static func covers(_ grid: HEIFGrid, _ tile: PixelSize) -> Bool {
        tile.width > 0 && tile.height > 0 && !tile.isLarger(than: PictureLimits.pixels)
            && grid.columns * tile.width >= grid.size.width
            && grid.rows * tile.height >= grid.size.height
            && (grid.columns - 1) * tile.width < grid.size.width
            && (grid.rows - 1) * tile.height < grid.size.height
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        let length = size.width * layout.bytesPerPixel
        for row in rows {
            if y / tile.height != current { decode(y / tile.height) }
            row.copyMemory(from: start(of: y % tile.height), byteCount: length)
            y += 1
        }
        return rows.count
    }

    private func start(of row: Int) -> UnsafeMutableRawPointer {
        tileRow.base + row * grid.columns * tile.width * layout.bytesPerPixel
    }

    /// Decodes a row of tiles; missing tiles become black.
    private func decode(_ row: Int) {
        current = row
        let job = Job(rows: self, row: row, found: .allocate(capacity: grid.columns))
        defer { job.found.deallocate() }
        SerialDecode.workers.run(grid.columns) { job.run($0) }
        for column in 0..<grid.columns where !job.found[column] { isComplete = false }
    }

    /// Decodes the tiles of a row in parallel.
    ///
    /// `@unchecked Sendable`: each thread decodes columns of its own, whose memory in `tileRow` and
    /// `found` does not overlap. Everything else is only read, and all threads are done before
    /// `decode` returns.
    private struct Job: @unchecked Sendable {
        let rows: HEIFGridRows
        let row: Int
        let found: UnsafeMutablePointer<Bool>

        func run(_ column: Int) {
            (found + column).initialize(to: rows.decode(column, row))
        }
    }

    /// Decodes a tile into `tileRow`; returns whether the tile was complete.
    private func decode(_ column: Int, _ row: Int) -> Bool {
        let offset = column * tile.width * layout.bytesPerPixel
        let isWholeTile = grid.file(ofTile: row * grid.columns + column).withUnsafeBytes { bytes in
            guard let picture = try? HEIFPicture(header: bytes), picture.size == tile,
                !picture.hasAlpha, (try? picture.decode()) != nil
            else { return Bool?.none }
            for y in 0..<tile.height {
                picture.readRow(y, as: layout, to: start(of: y) + offset)
            }
            return picture.isComplete
        }
        if isWholeTile == nil { blacken(offset) }
        return isWholeTile ?? false
    }

    private func blacken(_ offset: Int) {
        for y in 0..<tile.height {
            let place = start(of: y) + offset
            if layout == .bgrx8 {
                place.assumingMemoryBound(to: UInt32.self)
                    .update(repeating: 0xFF00_0000, count: tile.width)
            } else {
                place.initializeMemory(
                    as: UInt8.self, repeating: 0, count: tile.width * layout.bytesPerPixel)
            }
        }
    }
}
