import Geometry
import RasterPipeline

/// A decoder of this module, which makes rows of bytes from the top down.
protocol RowDecoder {
    /// The size in pixels, as stored (before orientation).
    var size: PixelSize { get }
    var layout: SampleLayout { get }
    var color: ColorSource { get }
    var peak: Float { get }
    /// Decodes the next row into `row`, which must be zeros; false if a part of it is missing.
    mutating func decode(_ row: inout [UInt8]) -> Bool
}

extension RowDecoder {
    var color: ColorSource { .standard }
    var peak: Float { 1 }
}

/// The rows of a `RowDecoder`.
final class DecodedRows<Decoder: RowDecoder>: RowSource {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    let peak: Float
    private(set) var isComplete = true
    private var decoder: Decoder
    private var row: [UInt8]

    init(_ decoder: Decoder) {
        self.decoder = decoder
        (size, layout) = (decoder.size, decoder.layout)
        (color, peak) = (decoder.color, decoder.peak)
        row = [UInt8](repeating: 0, count: size.width * layout.bytesPerPixel)
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for target in rows {
            for index in row.indices { row[index] = 0 }
            if !decoder.decode(&row) { isComplete = false }
            UnsafeMutableRawBufferPointer(start: target, count: row.count).copyBytes(from: row)
        }
        return rows.count
    }
}

extension [UInt8] {
    /// Stores a 16-bit sample; `index` counts such samples.
    mutating func put(_ sample: UInt16, at index: Int) {
        // Rows have samples in native byte order.
        let bytes = Swift.withUnsafeBytes(of: sample) { ($0[0], $0[1]) }
        (self[2 * index], self[2 * index + 1]) = bytes
    }

    /// Stores a float; `index` counts floats.
    mutating func put(_ sample: Float, at index: Int) {
        Swift.withUnsafeBytes(of: sample) { bytes in
            for place in 0..<4 { self[4 * index + place] = bytes[place] }
        }
    }
}
