import Geometry
import ImageTypes
import RasterPipeline

/// Opaque rows whose pixels tell their position.
final class RowPattern: PlacedRows {
    let size: PixelSize
    let layout = SampleLayout.bgrx8
    let color = ColorSource.standard
    private(set) var isComplete = true
    /// The places that `begin` received.
    private(set) var places: [RowPlace?] = []
    private let available: Int
    private var y = 0

    /// Rows of a picture that ends after `available` rows.
    init(_ size: PixelSize, available: Int = .max) {
        self.size = size
        self.available = min(available, size.height)
    }

    static func pixel(_ x: Int, _ y: Int) -> UInt32 { 0xFF00_0000 | UInt32(y) << 12 | UInt32(x) }

    func begin(_ place: RowPlace?) { places.append(place) }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        let count = min(rows.count, available - y)
        for row in rows.prefix(count) {
            let target = row.assumingMemoryBound(to: UInt32.self)
            for x in 0..<size.width { target[x] = Self.pixel(x, y) }
            y += 1
        }
        if count < rows.count { isComplete = false }
        return count
    }
}
