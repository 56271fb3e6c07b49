import Geometry

/// A JPEG at 1/8 of its size, made of its DC coefficients: one sample for a block of 8 × 8.
struct JPEGDCImage {
    /// The blocks of one component.
    struct Plane {
        /// Blocks per MCU, horizontally and vertically.
        let columns: Int
        let rows: Int
        /// Blocks per row in memory; rows are padded to whole MCUs.
        let stride: Int
        /// The mean of each block, which is its DC coefficient as a sample, row by row.
        var means: [UInt8]

        /// Mid-grey blocks; `mcus` is the number of MCUs in each direction.
        init(columns: Int, rows: Int, mcus: PixelSize) {
            (self.columns, self.rows) = (columns, rows)
            stride = mcus.width * columns
            means = [UInt8](repeating: 128, count: stride * mcus.height * rows)
        }
    }

    /// The size of the full picture in pixels.
    let size: PixelSize
    /// Y, or Y, Cb and Cr.
    var planes: [Plane]
    /// The largest `columns` and `rows` of all components.
    let mostColumns: Int
    let mostRows: Int

    /// Mid-grey planes; `blocks` are the blocks per MCU of each component.
    init(_ size: PixelSize, _ blocks: [(columns: Int, rows: Int)]) {
        self.size = size
        (mostColumns, mostRows) = (
            blocks.map(\.columns).max() ?? 1, blocks.map(\.rows).max() ?? 1
        )
        planes = []
        let mcus = mcus
        planes = blocks.map { Plane(columns: $0.columns, rows: $0.rows, mcus: mcus) }
    }

    /// The number of MCUs in each direction.
    var mcus: PixelSize {
        PixelSize(
            width: Self.ceiling(size.width, mostColumns * 8),
            height: Self.ceiling(size.height, mostRows * 8))
    }

    /// The number of blocks in each direction, without the padding to whole MCUs.
    func blocks(_ plane: Plane) -> PixelSize {
        PixelSize(
            width: Self.ceiling(size.width * plane.columns, mostColumns * 8),
            height: Self.ceiling(size.height * plane.rows, mostRows * 8))
    }

    private static func ceiling(_ number: Int, _ unit: Int) -> Int { (number + unit - 1) / unit }
}
