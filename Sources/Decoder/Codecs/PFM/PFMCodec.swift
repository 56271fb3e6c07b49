import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// PFM: linear light as floats, with the rows from the bottom up.
///
/// Source: P. Debevec, "PFM Portable FloatMap Image Format".
struct PFMCodec: RowByRowCodec {
    static let format = PictureFormat.pfm
    let size: PixelSize
    private let bytes: FileBytes
    /// Offset of the pixels in the file.
    private let dataOffset: Int
    private let isGray: Bool
    private let isLittle: Bool

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = FileBytes(bytes)
        isGray = self.bytes[1] == UInt8(ascii: "f")
        var text = PNMText(self.bytes, at: 2)
        guard let width = text.number(), let height = text.number(),
            let scale = text.word().flatMap(Double.init)
        else { throw .cutShort }
        guard width <= Int(Int32.max), height <= Int(Int32.max) else {
            throw .damaged(reason: localized("the size in the header is out of range"))
        }
        text.skipSpace()
        (size, dataOffset) = (PixelSize(width: width, height: height), text.offset)
        // The sign gives the byte order. The magnitude is ignored, as programs disagree on its
        // meaning.
        isLittle = scale < 0
        guard self.bytes.count > dataOffset else { throw .cutShort }
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        DecodedRows(
            PFMDecoder(
                size: size, bytes: bytes, dataOffset: dataOffset, samples: isGray ? 1 : 3,
                isLittle: isLittle))
    }
}

private struct PFMDecoder: RowDecoder {
    let size: PixelSize
    let layout = SampleLayout.rgbFloat
    let peak: Float
    private let bytes: FileBytes
    private let dataOffset: Int
    private let samples: Int
    private let isLittle: Bool
    private var y = 0

    init(size: PixelSize, bytes: FileBytes, dataOffset: Int, samples: Int, isLittle: Bool) {
        (self.size, self.bytes, self.dataOffset) = (size, bytes, dataOffset)
        (self.samples, self.isLittle) = (samples, isLittle)
        var peak = LinearPeak()
        let available = min((bytes.count - dataOffset) / (4 * samples), size.width * size.height)
        for pixel in 0..<available {
            let start = dataOffset + 4 * samples * pixel
            let values = (0..<samples).lazy.map { Self.sample(bytes, start + 4 * $0, isLittle) }
            peak.add(values.reduce(0, max))
        }
        self.peak = peak.value
    }

    private static func sample(_ bytes: FileBytes, _ offset: Int, _ isLittle: Bool) -> Float {
        Float(
            bitPattern: UInt32(
                truncatingIfNeeded: isLittle ? bytes.little32(offset) : bytes.big32(offset)))
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        let length = size.width * samples * 4
        let start = dataOffset + (size.height - 1 - y) * length
        y += 1
        for x in 0..<size.width {
            for color in 0..<3 {
                let offset = start + 4 * (x * samples + (samples == 1 ? 0 : color))
                row.put(Self.sample(bytes, offset, isLittle), at: 3 * x + color)
            }
        }
        return bytes.has(length, at: start)
    }
}
