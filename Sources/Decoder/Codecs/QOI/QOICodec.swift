import Geometry
import ImageTypes
import RasterPipeline

/// QOI.
///
/// Source: D. Szablewski, "The Quite OK Image Format", specification version 1.0.
struct QOICodec: RowByRowCodec {
    static let format = PictureFormat.qoi
    let size: PixelSize
    private let bytes: FileBytes

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = FileBytes(bytes)
        size = PixelSize(width: self.bytes.big32(4), height: self.bytes.big32(8))
        guard self.bytes.count > 14 else { throw .cutShort }
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        DecodedRows(QOIDecoder(size, bytes))
    }
}

private struct QOIDecoder: RowDecoder {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    private let bytes: FileBytes
    private var offset = 14
    private var run = 0
    /// R, G, B and A.
    private var pixel: SIMD4<UInt8> = [0, 0, 0, 255]
    /// The pixels seen before, at the hash of each.
    private var seen = [SIMD4<UInt8>](repeating: .zero, count: 64)

    init(_ size: PixelSize, _ bytes: FileBytes) {
        (self.size, self.bytes) = (size, bytes)
        layout = bytes[12] == 4 ? .rgba8 : .rgbx8
        color =
            bytes[13] == 1
            ? .encoded(ColorEncoding(primaries: .bt709, transfer: .linear)) : .standard
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        for x in 0..<size.width {
            if run > 0 {
                run -= 1
            } else {
                guard bytes.has(1, at: offset) else { return false }
                step()
            }
            for sample in 0..<4 { row[4 * x + sample] = pixel[sample] }
        }
        return true
    }

    private mutating func step() {
        let tag = bytes[offset]
        offset += 1
        switch (tag, tag >> 6) {
        case (0xFE, _), (0xFF, _):
            let count = tag == 0xFE ? 3 : 4
            for sample in 0..<count { pixel[sample] = bytes[offset + sample] }
            offset += count
        case (_, 0): pixel = seen[Int(tag)]
        case (_, 1):
            let change: SIMD4<UInt8> = [tag >> 4 & 3, tag >> 2 & 3, tag & 3, 2]
            pixel = pixel &+ change &- 2
        case (_, 2):
            let more = bytes[offset]
            offset += 1
            let green = (tag & 63) &- 32
            pixel =
                pixel &+ [green &+ (more >> 4) &- 8, green, green &+ (more & 15) &- 8, 0]
        default:
            run = Int(tag & 63)
            return
        }
        let sum =
            Int(pixel[0]) * 3 + Int(pixel[1]) * 5 + Int(pixel[2]) * 7 + Int(pixel[3]) * 11
        seen[sum % 64] = pixel
    }
}
