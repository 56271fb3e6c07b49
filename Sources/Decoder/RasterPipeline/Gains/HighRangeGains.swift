package import Geometry
package import ImageTypes
import Glibc

/// The gains of a picture whose samples encode light brighter than white, read from a second decode.
///
/// The pixels that are shown are tone-mapped by one factor for red, green and blue, and the gain is its inverse. So
/// one plane of codes suffices, as luma; chroma is neutral.
package final class HighRangeGains: PlaneSource {
    package let range: GainRange
    package let size: PixelSize
    package let format = ChromaFormat.gray
    private let source: any RowSource
    private let converter: RowConverter
    private let samples: ScratchRows

    package var isComplete: Bool { source.isComplete }

    /// Starts `source`, whose rows were not read yet; nil for a picture that ends at white.
    package init?(_ source: any RowSource) throws(DecodeFailure) {
        guard let range = GainRange(of: source) else { return nil }
        try source.prepare(nil)
        self.source = source
        self.range = range
        size = source.size
        converter = RowConverter(source, screen: [])
        samples = ScratchRows(source.size.width * source.layout.bytesPerPixel, count: 1)
    }

    package func read(
        luma: [UnsafeMutablePointer<UInt8>], chroma: [UnsafeMutablePointer<UInt8>]
    ) -> Int {
        for row in chroma { row.update(repeating: 128, count: chromaBytes) }
        for (y, row) in luma.enumerated() {
            guard source.read(samples.rows) == 1 else { return y }
            converter.writeGains(samples.rows[0], to: row, size.width, range)
        }
        return luma.count
    }

    private var chromaBytes: Int { 2 * format.samples(of: size, at: 0).width }
}

extension GainRange {
    /// The gains of the picture of `source`; nil for a picture that ends at white.
    package init?(of source: any RowSource) {
        guard let mapping = source.mapping, mapping.peak > 1.05 else { return nil }
        self.init(
            minimum: Double(mapping.gains.lowerBound), maximum: Double(mapping.gains.upperBound),
            start: 0, full: Double(log2(mapping.peak)))
    }
}

extension RowSource {
    /// How the picture's light is mapped to what is shown; nil for samples that end at white.
    fileprivate var mapping: ToneMapping? { RowConverter.light(layout, color, peak: peak)?.mapping }
}

extension RowConverter {
    /// Writes the codes of the gains of a row of `width` pixels.
    func writeGains(
        _ source: UnsafeRawPointer, to codes: UnsafeMutablePointer<UInt8>, _ width: Int,
        _ range: GainRange
    ) {
        guard let mapping else { return codes.update(repeating: 0, count: width) }
        let least = Float(range.minimum)
        let codesPerStop = 255 / Float(range.maximum - range.minimum)
        @inline(__always)
        func code(_ pixel: SIMD4<Float>) -> UInt8 {
            let code = (mapping.gain(pixel) - least) * codesPerStop + 0.5
            return UInt8(min(max(code, 0), 255))
        }
        if let decoding {
            let step = layout.bytesPerPixel / 2
            let deep = source.assumingMemoryBound(to: UInt16.self)
            for x in 0..<width {
                let pixel = deep + x * step
                codes[x] = code(
                    SIMD4(
                        decoding.light(pixel[0]), decoding.light(pixel[1]),
                        decoding.light(pixel[2]), 0))
            }
        } else {
            let step = layout.hasAlpha ? 4 : 3
            let floats = source.assumingMemoryBound(to: Float.self)
            for x in 0..<width {
                let pixel = floats + x * step
                codes[x] = code(SIMD4(pixel[0], pixel[1], pixel[2], 0))
            }
        }
    }
}
