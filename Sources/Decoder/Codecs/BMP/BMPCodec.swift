import Geometry
import ImageTypes
import RasterPipeline

/// BMP with all versions of the header.
struct BMPCodec: RowByRowCodec {
    static let format = PictureFormat.bmp
    var size: PixelSize { header.size }
    var streaming: RowStreaming? { header.packing == .runs ? nil : .rowByRow }
    private let header: BMPHeader
    private let bytes: FileBytes
    /// The offset of the pixels in the file.
    private let start: Int

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = FileBytes(bytes)
        guard self.bytes.has(26, at: 0) else { throw .cutShort }
        let declared = self.bytes.little32(10)
        // Some programs leave the offset out: then the pixels follow the header and the palette.
        let isMissing = declared < 14 + self.bytes.little32(14)
        header = try BMPHeader(self.bytes, at: 14, paletteEnd: isMissing ? .max : declared)
        start = isMissing ? header.end : declared
        guard self.bytes.count > start else { throw .cutShort }
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        DecodedRows(BMPDecoder(header, bytes, at: start))
    }
}

/// Decodes the pixels of a bitmap in a BMP or ICO file.
struct BMPDecoder: RowDecoder {
    let size: PixelSize
    let layout: SampleLayout
    let color: ColorSource
    private let header: BMPHeader
    private let bytes: FileBytes
    private let start: Int
    private let stride: Int
    private let fields: [BMPField]
    private let isDeep: Bool
    /// All palette indices of a run-length encoded picture, the lowest row first.
    private let indices: BMPRunLengthIndices?
    private var y = 0

    init(_ header: BMPHeader, _ bytes: FileBytes, at start: Int) {
        (self.header, self.bytes, self.start) = (header, bytes, start)
        size = header.size
        stride = Self.stride(header)
        fields = header.masks.map(BMPField.init)
        isDeep = header.bits > 8 && fields.contains { $0.width > 8 }
        let hasAlpha = Self.hasVisiblePixel(header, bytes, at: start)
        layout =
            isDeep ? (hasAlpha ? .rgba16 : .rgbx16) : (hasAlpha ? .rgba8 : .rgbx8)
        color = header.profile.map(ColorSource.profile) ?? .standard
        indices = header.packing == .runs ? BMPRunLengthIndices(header, bytes, at: start) : nil
    }

    /// Whether the pixels have alpha, and not all of them are transparent.
    ///
    /// Programs that do not know alpha may declare it, and store zeros.
    private static func hasVisiblePixel(
        _ header: BMPHeader, _ bytes: FileBytes, at start: Int
    ) -> Bool {
        guard header.bits > 8, header.masks[3] != 0 else { return false }
        let (stride, pixel) = (Self.stride(header), header.bits / 8)
        let rows = min(header.size.height, max(0, bytes.count - start) / stride + 1)
        return (0..<rows).contains { y in
            let row = start + y * stride
            let columns = min(header.size.width, max(0, bytes.count - row) / pixel)
            return (0..<columns).contains { x in
                // Of 16 bits, the higher half belongs to the next pixel.
                let word = UInt32(bytes.little32(row + x * pixel))
                return word & header.masks[3] & (pixel == 2 ? 0xFFFF : .max) != 0
            }
        }
    }

    /// Bytes per row, padded to a multiple of four.
    static func stride(_ header: BMPHeader) -> Int {
        (header.size.width * header.bits + 31) / 32 * 4
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        let stored = header.isTopDown ? y : size.height - 1 - y
        y += 1
        if let indices {
            for x in 0..<size.width {
                put(header.palette, Int(indices[x, stored]), x, &row)
            }
            return indices.isComplete
        }
        let offset = start + stored * stride
        switch header.bits {
        case 1, 2, 4, 8: unpack(offset, &row)
        case 24:
            for x in 0..<size.width {
                for sample in 0..<3 { row[4 * x + sample] = bytes[offset + 3 * x + 2 - sample] }
                row[4 * x + 3] = 255
            }
        default: unpackFields(offset, &row)
        }
        return bytes.has((size.width * header.bits + 7) / 8, at: offset)
    }

    private func unpack(_ offset: Int, _ row: inout [UInt8]) {
        let bits = header.bits
        for x in 0..<size.width {
            let bit = x * bits
            let byte = Int(bytes[offset + bit >> 3])
            let index = byte >> (8 - bits - bit & 7) & ((1 << bits) - 1)
            put(header.palette, index, x, &row)
        }
    }

    private func unpackFields(_ offset: Int, _ row: inout [UInt8]) {
        for x in 0..<size.width {
            let pixel = UInt32(
                header.bits == 16
                    ? bytes.little16(offset + 2 * x) : bytes.little32(offset + 4 * x))
            for (sample, field) in fields.enumerated() {
                if isDeep {
                    row.put(UInt16(field.value(pixel, most: 65535)), at: 4 * x + sample)
                } else {
                    row[4 * x + sample] = UInt8(field.value(pixel, most: 255))
                }
            }
        }
    }

    /// Writes a palette colour to pixel `x`; black if the palette has no such index.
    private func put(_ palette: [UInt32], _ index: Int, _ x: Int, _ row: inout [UInt8]) {
        let color = index < palette.count ? palette[index] : 0
        row[4 * x] = UInt8(color >> 16 & 255)
        row[4 * x + 1] = UInt8(color >> 8 & 255)
        row[4 * x + 2] = UInt8(color & 255)
        row[4 * x + 3] = 255
    }
}

/// The bits of a pixel that hold one sample.
private struct BMPField {
    let width: Int
    private let mask: UInt32
    private let shift: Int

    init(_ mask: UInt32) {
        self.mask = mask
        shift = mask == 0 ? 0 : mask.trailingZeroBitCount
        // No program writes masks with gaps: the number of set bits is the width.
        width = (mask >> shift).nonzeroBitCount
    }

    func value(_ pixel: UInt32, most: UInt64) -> UInt64 {
        guard mask != 0 else { return 0 }
        let limit = UInt64(mask >> shift)
        return (UInt64((pixel & mask) >> shift) * most + limit / 2) / limit
    }
}

/// The palette indices of a run-length encoded picture (RLE4, RLE8).
///
/// Source: Microsoft, "Bitmap Compression".
struct BMPRunLengthIndices {
    private(set) var isComplete = false
    private let width: Int
    private var indices: [UInt8]

    init(_ header: BMPHeader, _ bytes: FileBytes, at start: Int) {
        let (width, height) = (header.size.width, header.size.height)
        self.width = width
        indices = [UInt8](repeating: 0, count: width * height)
        let isRLE4 = header.bits == 4
        var (x, y, offset) = (0, 0, start)
        while offset + 1 < bytes.count, y < height {
            let (count, value) = (Int(bytes[offset]), bytes[offset + 1])
            offset += 2
            switch (count, value) {
            case (0, 0): (x, y) = (0, y + 1)
            case (0, 1):
                isComplete = true
                return
            case (0, 2):
                x += Int(bytes[offset])
                y += Int(bytes[offset + 1])
                offset += 2
            case (0, _):
                for index in 0..<Int(value) {
                    let byte = bytes[offset + (isRLE4 ? index / 2 : index)]
                    put(isRLE4 ? byte >> (index.isMultiple(of: 2) ? 4 : 0) & 15 : byte, x, y)
                    x += 1
                }
                // The indices are padded to 16 bits.
                let length = isRLE4 ? (Int(value) + 1) / 2 : Int(value)
                offset += (length + 1) / 2 * 2
            default:
                for index in 0..<count {
                    put(isRLE4 ? value >> (index.isMultiple(of: 2) ? 4 : 0) & 15 : value, x, y)
                    x += 1
                }
            }
        }
        // Some files have no end-of-bitmap marker.
        isComplete = y >= height || (y == height - 1 && x >= width)
    }

    subscript(x: Int, y: Int) -> UInt8 { indices[y * width + x] }

    private mutating func put(_ index: UInt8, _ x: Int, _ y: Int) {
        guard x < width, y * width + x < indices.count else { return }
        indices[y * width + x] = index
    }
}
