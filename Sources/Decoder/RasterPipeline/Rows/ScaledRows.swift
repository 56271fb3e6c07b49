package import Geometry
package import ImageTypes

extension RowStream {
    /// Passes all rows, scaled down to `target`, to `receive`; returns whether the rows were complete.
    ///
    /// `target` must not be larger than `size`. If the rows end early the rest is black, or
    /// transparent. Throws `.cutShort` if there are no rows at all. `advance` is called regularly.
    package func scale(
        to target: PixelSize, advance: () -> Void = {},
        _ receive: (UnsafeBufferPointer<UInt32>) -> Void
    ) throws(DecodeFailure) -> Bool {
        let blank: UInt32 = format == .rgb24 ? 0xFF00_0000 : 0
        let row = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: size.width)
        defer { row.deallocate() }
        guard let start = row.baseAddress else { throw .cutShort }
        var scaling = AreaScaling(from: size, to: target, format: format)
        var hasRows = true
        for y in 0..<size.height {
            if y.isMultiple(of: OrientedWriter.rowsPerBand) { advance() }
            hasRows = hasRows && read(start)
            if !hasRows {
                if y == 0 { throw .cutShort }
                row.update(repeating: blank)
            }
            scaling.add(UnsafeBufferPointer(row), receive)
        }
        return hasRows && isComplete
    }
}

/// The rows of an opaque picture, scaled down.
package final class ScaledRows: RowSource {
    package let size: PixelSize
    package let layout = SampleLayout.bgrx8
    package let color = ColorSource.standard
    package let isComplete: Bool
    private let pixels: [UInt32]
    private var y = 0

    /// Reads all of `rows`; `size` must not be larger than theirs.
    package init(_ rows: RowStream, to size: PixelSize) throws(DecodeFailure) {
        self.size = size
        var pixels: [UInt32] = []
        pixels.reserveCapacity(size.width * size.height)
        isComplete = try rows.scale(to: size) { pixels.append(contentsOf: $0) }
        self.pixels = pixels
    }

    package func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            let target = row.assumingMemoryBound(to: UInt32.self)
            for x in 0..<size.width { target[x] = pixels[y * size.width + x] }
            y += 1
        }
        return rows.count
    }
}
