import Geometry
import ImageTypes

/// PFM: light in floats, from the bottom up.
///
/// Source: P. Debevec, "PFM Portable FloatMap Image Format".
struct PFMCodec: StillCodec {
    static let format = PictureFormat.pfm
    let size: PixelSize
    var streaming: RowStreaming? { .rowByRow }
    private let bytes: FileBytes
    private let pixels: Int
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
            throw .damaged(reason: "its header makes no sense")
        }
        text.skipSpace()
        (size, pixels) = (PixelSize(width: width, height: height), text.offset)
        // The sign is the byte order; how bright the numbers are nobody agrees on.
        isLittle = scale < 0
        guard self.bytes.count > pixels else { throw .cutShort }
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        DecodedRows(
            PFMDecoder(
                size: size, bytes: bytes, pixels: pixels, samples: isGray ? 1 : 3,
                isLittle: isLittle))
    }
}

private struct PFMDecoder: RowDecoder {
    let size: PixelSize
    let layout = SampleLayout.rgbFloat
    let peak: Float
    private let bytes: FileBytes
    private let pixels: Int
    private let samples: Int
    private let isLittle: Bool
    private var y = 0

    init(size: PixelSize, bytes: FileBytes, pixels: Int, samples: Int, isLittle: Bool) {
        (self.size, self.bytes, self.pixels) = (size, bytes, pixels)
        (self.samples, self.isLittle) = (samples, isLittle)
        var peak = LightPeak()
        let there = min((bytes.count - pixels) / (4 * samples), size.width * size.height)
        for pixel in 0..<there {
            let start = pixels + 4 * samples * pixel
            let lights = (0..<samples).lazy.map { Self.light(bytes, start + 4 * $0, isLittle) }
            peak.add(lights.reduce(0, max))
        }
        self.peak = peak.value
    }

    private static func light(_ bytes: FileBytes, _ place: Int, _ isLittle: Bool) -> Float {
        Float(
            bitPattern: UInt32(
                truncatingIfNeeded: isLittle ? bytes.little32(place) : bytes.big32(place)))
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        let length = size.width * samples * 4
        let start = pixels + (size.height - 1 - y) * length
        y += 1
        for x in 0..<size.width {
            for color in 0..<3 {
                let place = start + 4 * (x * samples + (samples == 1 ? 0 : color))
                row.put(Self.light(bytes, place, isLittle), at: 3 * x + color)
            }
        }
        return bytes.has(length, at: start)
    }
}
