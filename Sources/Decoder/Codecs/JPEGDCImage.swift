import Geometry

/// What a JPEG's picture is at an eighth: the mean of each block of 8 × 8 samples.
struct JPEGDCImage {
    /// A component's blocks.
    struct Plane {
        /// Of an MCU, in blocks.
        let columns: Int
        let rows: Int
        /// Of blocks in memory, in which MCUs are whole.
        let stride: Int
        /// The mean of each block.
        var means: [UInt8]

        /// Grey; so many MCUs of so many blocks each.
        init(columns: Int, rows: Int, mcus: PixelSize) {
            (self.columns, self.rows) = (columns, rows)
            stride = mcus.width * columns
            means = [UInt8](repeating: 128, count: stride * mcus.height * rows)
        }
    }

    /// In pixels.
    let size: PixelSize
    /// Luma, or luma and two differences.
    var planes: [Plane]
    /// Blocks of an MCU, of the component that has the most.
    let mostColumns: Int
    let mostRows: Int

    /// Of MCUs of so many blocks by component; grey as yet.
    init(_ size: PixelSize, _ blocks: [(columns: Int, rows: Int)]) {
        self.size = size
        (mostColumns, mostRows) = (
            blocks.map(\.columns).max() ?? 1, blocks.map(\.rows).max() ?? 1
        )
        planes = []
        let mcus = mcus
        planes = blocks.map { Plane(columns: $0.columns, rows: $0.rows, mcus: mcus) }
    }

    var mcus: PixelSize {
        PixelSize(
            width: Self.ceiling(size.width, mostColumns * 8),
            height: Self.ceiling(size.height, mostRows * 8))
    }

    /// Blocks of a plane that bear something of the picture.
    func blocks(_ plane: Plane) -> PixelSize {
        PixelSize(
            width: Self.ceiling(size.width * plane.columns, mostColumns * 8),
            height: Self.ceiling(size.height * plane.rows, mostRows * 8))
    }

    private static func ceiling(_ number: Int, _ unit: Int) -> Int { (number + unit - 1) / unit }
}
