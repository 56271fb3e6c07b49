import Geometry
import ImageTypes

/// TGA, of all types.
///
/// Source: Truevision, "TGA File Format Specification", version 2.0.
struct TGACodec: StillCodec {
    static let format = PictureFormat.tga
    let size: PixelSize
    /// Most are stored from the bottom up.
    let orientation: Orientation
    var streaming: RowStreaming? { .rowByRow }
    private let header: TGAHeader
    private let bytes: FileBytes

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = FileBytes(bytes)
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

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        DecodedRows(TGADecoder(header, bytes))
    }
}

/// What a TGA's header says, and its footer, if it has one.
struct TGAHeader {
    enum Kind { case palette, color, gray }
    enum Alpha { case none, straight, premultiplied }

    let size: PixelSize
    let kind: Kind
    let isPacked: Bool
    /// Of a pixel in the file, and of a palette's colour.
    let bits: Int
    let paletteBits: Int
    let paletteRange: Range<Int>
    let palette: Int
    let pixels: Int
    let isTopDown: Bool
    let isRightToLeft: Bool
    let alpha: Alpha

    init(_ bytes: FileBytes) {
        size = PixelSize(width: bytes.little16(12), height: bytes.little16(14))
        kind = [1: .palette, 3: .gray][bytes[2] & 7] ?? .color
        isPacked = bytes[2] & 8 != 0
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

    /// By the attribute bits, unless the extension area knows better.
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
    /// What is left of a packet, which may go on in the next row.
    private var left = 0
    private var isRun = false

    init(_ header: TGAHeader, _ bytes: FileBytes) {
        (self.header, self.bytes) = (header, bytes)
        size = header.size
        layout = header.alpha == .none ? .rgbx8 : .rgba8
        length = (header.bits + 7) / 8
        offset = header.pixels
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        for x in 0..<size.width {
            if header.isPacked, left == 0 {
                guard bytes.has(1, at: offset) else { return false }
                left = Int(bytes[offset] & 127) + 1
                isRun = bytes[offset] & 128 != 0
                offset += 1
            }
            guard bytes.has(length, at: offset) else { return false }
            put(x, &row)
            left -= 1
            if !header.isPacked || !isRun || left == 0 { offset += length }
        }
        return true
    }

    /// The pixel at `offset`.
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

    /// The colour at a place, of 15, 16, 24 or 32 bits.
    private func put(_ place: Int, _ bits: Int, _ x: Int, _ row: inout [UInt8]) {
        var alpha = 255
        if bits <= 16 {
            let word = bytes.little16(place)
            for sample in 0..<3 {
                let part = word >> (10 - 5 * sample) & 31
                row[4 * x + sample] = UInt8((part * 255 + 15) / 31)
            }
            if bits == 16, header.alpha != .none { alpha = word >> 15 * 255 }
        } else {
            for sample in 0..<3 { row[4 * x + sample] = bytes[place + 2 - sample] }
            if bits == 32, header.alpha != .none { alpha = Int(bytes[place + 3]) }
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
