import Geometry
import ImageTypes
import RasterPipeline

/// Radiance RGBE: linear red, green and blue with a shared binary exponent.
///
/// Source: G. Ward, "Real Pixels", Graphics Gems II, 1991, and the file format's description in
/// Radiance's manual, "picture file format".
struct RadianceCodec: OrientedCodec, RowByRowCodec {
    static let format = PictureFormat.radiance
    let size: PixelSize
    let orientation: Orientation
    private let bytes: UnsafeRawBufferPointer
    private let header: RadianceHeader

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        header = try RadianceHeader(bytes)
        self.bytes = bytes
        (size, orientation) = (header.size, header.orientation)
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        try RadianceRows(bytes, header)
    }
}

/// The rows, whose peak is measured in a first pass over the file.
private final class RadianceRows: RowSource {
    let size: PixelSize
    let layout = SampleLayout.rgbFloat
    let color: ColorSource
    let peak: Float
    private(set) var isComplete = true
    private var pixels: RadiancePixels
    private let exposure: Float

    init(_ bytes: UnsafeRawBufferPointer, _ header: RadianceHeader) throws(DecodeFailure) {
        (size, color, exposure) = (header.size, header.color, header.exposure)
        pixels = RadiancePixels(bytes, from: header.end, width: size.width)
        var (scout, measured) = (pixels, LinearPeak())
        var row = [Float](repeating: 0, count: size.width * 3)
        var count = 0
        while count < size.height, scout.next() {
            scout.write(to: &row, exposure: exposure)
            measured.add(row, pixels: size.width, samples: 3)
            count += 1
        }
        guard count > 0 else { throw .cutShort }
        peak = measured.value
    }

    func read(_ rows: [UnsafeMutableRawPointer]) -> Int {
        for (index, row) in rows.enumerated() {
            guard pixels.next() else {
                isComplete = false
                return index
            }
            pixels.write(to: row.assumingMemoryBound(to: Float.self), exposure: exposure)
        }
        return rows.count
    }
}
