import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// The directory of an icon.
package enum ICODirectory {
    /// Limit for the number of pictures, which no real icon exceeds.
    static let mostPictures = 256
    private static let (headerLength, entryLength) = (6, 16)

    /// The offset of the entry at an index.
    static func entry(_ index: Int) -> Int { headerLength + entryLength * index }

    /// The number of pictures whose data lie in the file.
    package static func count(_ bytes: UnsafeRawBufferPointer) -> Int {
        let file = FileBytes(bytes)
        return (0..<min(file.little16(4), mostPictures)).reduce(0) { count, index in
            guard file.has(entryLength, at: entry(index)) else { return count }
            let (length, start) = (
                file.little32(entry(index) + 8), file.little32(entry(index) + 12)
            )
            return length > 0 && file.has(length, at: start) ? count + 1 : count
        }
    }
}

/// ICO and CUR: the largest picture of the file, and of several the one with most bits per pixel.
///
/// Source: Microsoft, "Icons" (1995) for the directory and the masks; PNGs are allowed since
/// Windows Vista.
struct ICOCodec: StillCodec {
    static let format = PictureFormat.ico
    let size: PixelSize
    private let content: Content

    private enum Content {
        case png(PNGCodec)
        case bitmap(BMPHeader, FileBytes)
    }

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        let file = FileBytes(bytes)
        let candidates = (0..<min(file.little16(4), ICODirectory.mostPictures)).compactMap {
            index -> (Content, PixelSize, Int)? in
            let entry = ICODirectory.entry(index)
            guard file.has(16, at: entry) else { return nil }
            let data = file.part(file.little32(entry + 12), file.little32(entry + 8))
            if data.raw.starts(with: Self.pngSignature) {
                guard let png = try? PNGCodec(data.raw) else { return nil }
                return (.png(png), png.size, 32)
            }
            guard var header = try? BMPHeader(data, at: 0), header.size.height > 1 else {
                return nil
            }
            // The height includes the mask, which is as high as the picture.
            header.size.height /= 2
            return (.bitmap(header, data), header.size, header.bits)
        }
        let best = candidates.max { first, second in
            let (area, other) = (
                first.1.width.multipliedReportingOverflow(by: first.1.height).partialValue,
                second.1.width.multipliedReportingOverflow(by: second.1.height).partialValue
            )
            return (area, first.2) < (other, second.2)
        }
        guard let best else {
            throw .damaged(reason: localized("the icon has no readable picture"))
        }
        (content, size) = (best.0, best.1)
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        switch content {
        case .png(let png): try png.rows()
        case .bitmap(let header, let bytes): DecodedRows(ICODecoder(header, bytes))
        }
    }
}

/// Decodes a bitmap, and the mask that follows the bitmap.
private struct ICODecoder: RowDecoder {
    let size: PixelSize
    let layout = SampleLayout.rgba8
    private var colors: BMPDecoder
    private let bytes: FileBytes
    private let maskStart: Int
    private let maskStride: Int
    /// Whether the fourth sample of a pixel is alpha; otherwise the mask decides.
    private let hasAlpha: Bool
    private let alphaStart: Int
    private let isTopDown: Bool
    private var samples: [UInt8]
    private var y = 0

    init(_ header: BMPHeader, _ bytes: FileBytes) {
        size = header.size
        self.bytes = bytes
        isTopDown = header.isTopDown
        colors = BMPDecoder(header, bytes, at: header.end)
        let stride = BMPDecoder.stride(header)
        alphaStart = header.end
        maskStart = header.end + stride * size.height
        maskStride = (size.width + 31) / 32 * 4
        hasAlpha =
            header.bits == 32
            && (0..<min(size.width * size.height, bytes.count / 4)).contains {
                bytes[header.end + 4 * $0 + 3] != 0
            }
        // Icons have 8 bits per sample: of deeper samples only the high byte is used.
        samples = [UInt8](repeating: 0, count: size.width * colors.layout.bytesPerPixel)
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        let isComplete = colors.decode(&samples)
        let stored = isTopDown ? y : size.height - 1 - y
        y += 1
        let pixel = colors.layout.bytesPerPixel
        for x in 0..<size.width {
            for sample in 0..<3 {
                row[4 * x + sample] = samples[x * pixel + (pixel == 4 ? sample : 2 * sample + 1)]
            }
            if hasAlpha {
                row[4 * x + 3] = bytes[alphaStart + 4 * (stored * size.width + x) + 3]
            } else {
                let byte = bytes[maskStart + stored * maskStride + x / 8]
                row[4 * x + 3] = byte >> (7 - x % 8) & 1 == 0 ? 255 : 0
            }
        }
        return isComplete
    }
}
