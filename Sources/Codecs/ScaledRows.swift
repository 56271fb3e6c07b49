import Geometry
import Pictures

/// The rows of an opaque picture, made smaller.
final class ScaledRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.opaqueWords
    let color = ColorSource.standard
    let isComplete: Bool
    private let pixels: [UInt32]
    private var y = 0

    /// Takes all that `rows` have; `size` must not be larger.
    init(_ rows: RowStream, to size: PixelSize) {
        self.size = size
        var scaling = AreaScaling(from: rows.size, to: size, format: .rgb24)
        var row = [UInt32](repeating: 0xFF00_0000, count: rows.size.width)
        for _ in 0..<rows.size.height {
            row.withUnsafeMutableBufferPointer { buffer in
                if let base = buffer.baseAddress { _ = rows.read(base) }
                scaling.add(UnsafeBufferPointer(buffer))
            }
        }
        (pixels, isComplete) = (scaling.pixels, rows.isComplete)
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for row in rows {
            let target = row.assumingMemoryBound(to: UInt32.self)
            for x in 0..<size.width { target[x] = pixels[y * size.width + x] }
            y += 1
        }
        return rows.count
    }
}
