import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// TGA, all image types.
///
/// Source: Truevision, "TGA File Format Specification", version 2.0.
struct TGACodec: OrientedCodec, RowByRowCodec {
    static let format = PictureFormat.tga
    let size: PixelSize
    /// Most files are stored from the bottom up.
    let orientation: Orientation
    private let header: TGAHeader
    private let bytes: FileBytes

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = FileBytes(bytes)
        guard PictureFormat.isSupportedTGA(Array(bytes.prefix(18))) else {
            throw .damaged(reason: localized("a value in the header is out of range"))
        }
        header = TGAHeader(self.bytes)
        size = header.size
        orientation =
            switch (header.isTopDown, header.isRightToLeft) {
            case (true, false): .upright
            case (true, true): .mirrored
            case (false, false): .mirroredUpsideDown
            case (false, true): .upsideDown
            }
        guard self.bytes.count > header.pixels else { throw .cutShort }
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        DecodedRows(TGADecoder(header, bytes))
    }
}

/// The header of a TGA file, and its footer, if there is one.
struct TGAHeader {
    enum Kind { case palette, color, gray }
    enum Alpha { case none, straight, premultiplied }

    let size: PixelSize
    let kind: Kind
    let isRLE: Bool
    /// Bits of a pixel in the file, and of a palette entry.
    let bits: Int
    let paletteBits: Int
    /// The indices that have a palette entry.
    let paletteRange: Range<Int>
    /// The offsets of the palette and of the pixels in the file.
    let palette: Int
    let pixels: Int
    let isTopDown: Bool
    let isRightToLeft: Bool
    var alpha: Alpha

    init(_ bytes: FileBytes) {
        size = PixelSize(width: bytes.little16(12), height: bytes.little16(14))
        kind = [1: .palette, 3: .gray][bytes[2] & 7] ?? .color
        isRLE = bytes[2] & 8 != 0
        bits = Int(bytes[16])
        palette = 18 + Int(bytes[0])
        paletteBits = Int(bytes[7])
        let count = bytes[1] == 1 ? bytes.little16(5) : 0
        paletteRange = bytes.little16(3)..<(bytes.little16(3) + count)
        pixels = palette + count * ((paletteBits + 7) / 8)
        isTopDown = bytes[17] & 0x20 != 0
        isRightToLeft = bytes[17] & 0x10 != 0
        alpha = Self.alpha(bytes, depth: kind == .palette ? paletteBits : bits)
    }

    /// The type of alpha: from the extension area if there is one, else from the attribute bits.
    private static func alpha(_ bytes: FileBytes, depth: Int) -> Alpha {
        guard bytes[17] & 15 != 0, depth == 32 || depth == 16 else { return .none }
        let footer = bytes.count - 26
        let area = bytes.little32(footer)
        if footer > 18, bytes.starts(with: "TRUEVISION-XFILE", at: footer + 8), area > 0,
            bytes.has(495, at: area), bytes.little16(area) >= 495
        {
            return [3: .straight, 4: .premultiplied][bytes[area + 494]] ?? .none
        }
        return .straight
    }
}

private struct TGADecoder: RowDecoder {
    let size: PixelSize
    let layout: SampleLayout
    private let header: TGAHeader
    private let bytes: FileBytes
    private let length: Int
    private var offset: Int
    /// Pixels that are left of a packet, which may go on in the next row.
    private var remaining = 0
    private var isRun = false

    /// Ignores alpha that is 0 everywhere, as programs store it that do not know alpha.
    init(_ header: TGAHeader, _ bytes: FileBytes) {
        var header = header
        let isInvisible =
            header.alpha != .none && !TGADecoder(declared: header, bytes).hasVisiblePixel
        if isInvisible { header.alpha = .none }
        self.init(declared: header, bytes)
    }

    private init(declared header: TGAHeader, _ bytes: FileBytes) {
        (self.header, self.bytes) = (header, bytes)
        size = header.size
        layout = header.alpha == .none ? .rgbx8 : .rgba8
        length = (header.bits + 7) / 8
        offset = header.pixels
    }

    /// Whether any pixel is not transparent.
    private var hasVisiblePixel: Bool {
        var decoder = self
        var row = [UInt8](repeating: 0, count: size.width * 4)
        for _ in 0..<size.height {
            let isWhole = decoder.decode(&row)
            if stride(from: 3, to: row.count, by: 4).contains(where: { row[$0] != 0 }) {
                return true
            }
            // Nothing follows the end of the file.
            if !isWhole { return false }
        }
        return false
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        for x in 0..<size.width {
            if header.isRLE, remaining == 0 {
                guard bytes.has(1, at: offset) else { return false }
                remaining = Int(bytes[offset] & 127) + 1
                isRun = bytes[offset] & 128 != 0
                offset += 1
            }
            guard bytes.has(length, at: offset) else { return false }
            put(x, &row)
            remaining -= 1
            if !header.isRLE || !isRun || remaining == 0 { offset += length }
        }
        return true
    }

    /// Writes the pixel at `offset` to column `x`.
    private func put(_ x: Int, _ row: inout [UInt8]) {
        switch header.kind {
        case .gray:
            for sample in 0..<3 { row[4 * x + sample] = bytes[offset] }
            row[4 * x + 3] = header.alpha == .none || length < 2 ? 255 : bytes[offset + 1]
        case .color: put(offset, header.bits, x, &row)
        case .palette:
            let index = length == 1 ? Int(bytes[offset]) : bytes.little16(offset)
            guard header.paletteRange.contains(index) else { return }
            let entry = (header.paletteBits + 7) / 8
            put(
                header.palette + (index - header.paletteRange.lowerBound) * entry,
                header.paletteBits, x, &row)
        }
    }

    /// Writes the colour of 15, 16, 24 or 32 bits at `position` in the file to column `x`.
    private func put(_ position: Int, _ bits: Int, _ x: Int, _ row: inout [UInt8]) {
        var alpha = 255
        if bits <= 16 {
            let color = bytes.little16(position)
            for sample in 0..<3 {
                let value = color >> (10 - 5 * sample) & 31
                row[4 * x + sample] = UInt8((value * 255 + 15) / 31)
            }
            if bits == 16, header.alpha != .none { alpha = color >> 15 * 255 }
        } else {
            for sample in 0..<3 { row[4 * x + sample] = bytes[position + 2 - sample] }
            if bits == 32, header.alpha != .none { alpha = Int(bytes[position + 3]) }
        }
        row[4 * x + 3] = UInt8(alpha)
        if header.alpha == .premultiplied, alpha > 0 {
            for sample in 0..<3 {
                let value = (Int(row[4 * x + sample]) * 255 + alpha / 2) / alpha
                row[4 * x + sample] = UInt8(min(value, 255))
            }
        }
    }
}
