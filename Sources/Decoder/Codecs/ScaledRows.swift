import Geometry
import ImageTypes

extension RowStream {
    /// All rows at another size, which must not be larger, and whether nothing of them was missing.
    ///
    /// Where they end early the rest is black, or clear; throws where there are none at all. `advance`
    /// is called now and then.
    func scaled(
        to target: PixelSize, advance: () -> Void = {}
    ) throws(DecodeFailure) -> (pixels: [UInt32], isWhole: Bool) {
        let blank: UInt32 = format == .rgb24 ? 0xFF00_0000 : 0
        let row = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: size.width)
        defer { row.deallocate() }
        guard let start = row.baseAddress else { throw .cutShort }
        var scaling = AreaScaling(from: size, to: target, format: format)
        var isGoingOn = true
        for y in 0..<size.height {
            if y.isMultiple(of: OrientedWriter.stripHeight) { advance() }
            isGoingOn = isGoingOn && read(start)
            if !isGoingOn {
                if y == 0 { throw .cutShort }
                row.update(repeating: blank)
            }
            scaling.add(UnsafeBufferPointer(row))
        }
        return (scaling.pixels, isGoingOn && isComplete)
    }
}

/// The rows of an opaque picture, made smaller.
final class ScaledRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.opaqueWords
    let color = ColorSource.standard
    let isComplete: Bool
    private let pixels: [UInt32]
    private var y = 0

    /// Takes all that `rows` have; `size` must not be larger.
    init(_ rows: RowStream, to size: PixelSize) throws(DecodeFailure) {
        self.size = size
        (pixels, isComplete) = try rows.scaled(to: size)
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
