import Geometry
import ImageTypes
import Threads

/// The rows of a grid, of which as many are held as one row of its tiles has.
final class HEIFGridRows: RowSource {
    var size: PixelSize { grid.size }
    let layout: SampleLayout
    let color: ColorSource
    private(set) var isComplete = true
    private let grid: HEIFGrid
    private let tile: PixelSize
    /// The rows of one row of tiles, and which of them it is.
    private let strip: ScratchMemory
    private var current = -1
    private var y = 0

    init(_ bytes: UnsafeRawBufferPointer, _ grid: HEIFGrid) throws(DecodeFailure) {
        self.grid = grid
        // What a tile says of its colours counts where the grid says nothing.
        let told = try HEIFPicture(header: bytes).source
        let first = try grid.file(ofTile: 0).withUnsafeBytes { bytes in
            Result { () throws(DecodeFailure) in
                let picture = try HEIFPicture(header: bytes)
                try picture.decode()
                return (size: picture.size, bits: picture.bits, source: picture.source)
            }
        }.get()
        tile = first.size
        guard Self.covers(grid, tile) else {
            throw .damaged(reason: "its tiles are not as large as it says")
        }
        color = told == .standard ? first.source : told
        layout = SampleLayout(bits: first.bits, hasAlpha: false, color)
        strip = try ScratchMemory(
            bytes: grid.columns * tile.width * tile.height * layout.bytesPerPixel)
    }

    /// Bytes that are held of such a grid, at most: samples of 16 bits, and what the library makes of
    /// each tile that is decoded.
    static func held(_ grid: HEIFGrid, _ tile: PixelSize) -> Int {
        let pixels = tile.width * tile.height
        return pixels * 8 * (grid.columns + 2 * min(grid.columns, SerialDecode.workers.width))
    }

    /// Whether tiles of that size make up the picture, and none of them for nothing.
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
        strip.base + row * grid.columns * tile.width * layout.bytesPerPixel
    }

    /// Decodes a row of tiles; those that are missing are black.
    private func decode(_ row: Int) {
        current = row
        let job = Job(rows: self, row: row, found: .allocate(capacity: grid.columns))
        defer { job.found.deallocate() }
        SerialDecode.workers.run(grid.columns) { job.run($0) }
        for column in 0..<grid.columns where !job.found[column] { isComplete = false }
    }

    /// `@unchecked Sendable`: each piece has a column of its own, whose places in the strip and in `found`
    /// do not overlap; the rest is only read, and all is over before `decode` returns.
    private struct Job: @unchecked Sendable {
        let rows: HEIFGridRows
        let row: Int
        let found: UnsafeMutablePointer<Bool>

        func run(_ column: Int) {
            (found + column).initialize(to: rows.decode(column, row))
        }
    }

    /// Decodes a tile to its place in the strip; whether all of it was there.
    private func decode(_ column: Int, _ row: Int) -> Bool {
        let offset = column * tile.width * layout.bytesPerPixel
        let isThere = grid.file(ofTile: row * grid.columns + column).withUnsafeBytes { bytes in
            guard let picture = try? HEIFPicture(header: bytes), picture.size == tile,
                !picture.hasAlpha, (try? picture.decode()) != nil
            else { return Bool?.none }
            for y in 0..<tile.height {
                picture.readRow(y, as: layout, to: start(of: y) + offset)
            }
            return picture.isComplete
        }
        if isThere == nil { blacken(offset) }
        return isThere ?? false
    }

    private func blacken(_ offset: Int) {
        for y in 0..<tile.height {
            let place = start(of: y) + offset
            if layout == .opaqueWords {
                place.assumingMemoryBound(to: UInt32.self)
                    .update(repeating: 0xFF00_0000, count: tile.width)
            } else {
                place.initializeMemory(
                    as: UInt8.self, repeating: 0, count: tile.width * layout.bytesPerPixel)
            }
        }
    }
}
