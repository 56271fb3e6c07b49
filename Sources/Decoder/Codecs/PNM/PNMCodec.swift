import Geometry
import ImageTypes
import Localization
import RasterPipeline

/// PBM, PGM, PPM and PAM, plain and raw.
///
/// Source: the Netpbm project's pages pbm(5), pgm(5), ppm(5) and pam(5).
struct PNMCodec: RowByRowCodec {
    static let format = PictureFormat.pnm
    let size: PixelSize
    private let header: PNMHeader
    private let bytes: FileBytes

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = FileBytes(bytes)
        header = try PNMHeader(self.bytes)
        size = header.size
        guard self.bytes.count > header.dataOffset else { throw .cutShort }
    }

    func rows() throws(DecodeFailure) -> any RowSource {
        DecodedRows(PNMDecoder(header, bytes))
    }
}

/// Splits the textual part of a Netpbm or PFM file into tokens.
struct PNMText {
    private(set) var offset: Int
    private let bytes: FileBytes

    init(_ bytes: FileBytes, at offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private var isAtComment: Bool { bytes[offset] == UInt8(ascii: "#") }

    /// Skips a comment up to the end of its line.
    private mutating func skipComment() {
        while offset < bytes.count, bytes[offset] != 10, bytes[offset] != 13 { offset += 1 }
    }

    /// The next token, without comments; nil at the end of the file.
    ///
    /// A comment may touch the token before it. A token is cut after 32 bytes, more than any valid
    /// token has.
    mutating func word() -> String? {
        while offset < bytes.count {
            if isAtComment {
                skipComment()
            } else if Self.isSpace(bytes[offset]) {
                offset += 1
            } else {
                break
            }
        }
        var word: [UInt8] = []
        while offset < bytes.count, !Self.isSpace(bytes[offset]), !isAtComment, word.count < 32 {
            word.append(bytes[offset])
            offset += 1
        }
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    mutating func number() -> Int? { word().flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil } }

    /// The next bit of a plain PBM, whose digits need no separators.
    ///
    /// Nil at the end of the file or at an invalid character.
    mutating func bit() -> Int? {
        while offset < bytes.count {
            if isAtComment { skipComment() }
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") {
                return Int(byte & 1)
            } else if !Self.isSpace(byte) {
                return nil
            }
        }
        return nil
    }

    /// Skips the single white-space byte between the header and the pixels, and a comment that touches
    /// the header.
    mutating func skipSpace() {
        if isAtComment { skipComment() }
        offset += 1
    }
}

struct PNMHeader {
    enum Packing { case text, bits, bytes }

    let size: PixelSize
    let packing: Packing
    /// Samples per pixel: grey, grey and alpha, R G B, or R G B and alpha.
    let samples: Int
    /// The largest value of a sample.
    let maxValue: Int
    /// Whether 0 is white.
    let isInverted: Bool
    /// Offset of the pixels in the file.
    let dataOffset: Int

    init(_ bytes: FileBytes) throws(DecodeFailure) {
        let kind = Int(bytes[1]) - 48
        var text = PNMText(bytes, at: 2)
        var (width, height, depth, maxValue): (Int?, Int?, Int?, Int?)
        if kind == 7 {
            while let key = text.word(), key != "ENDHDR" {
                switch key {
                case "WIDTH": width = text.number()
                case "HEIGHT": height = text.number()
                case "DEPTH": depth = text.number()
                case "MAXVAL": maxValue = text.number()
                // TUPLTYPE is ignored: DEPTH determines the samples.
                default: _ = text.word()
                }
            }
        } else {
            (width, height) = (text.number(), text.number())
            depth = kind == 3 || kind == 6 ? 3 : 1
            maxValue = kind == 1 || kind == 4 ? 1 : text.number()
        }
        text.skipSpace()
        guard let width, let height, let depth, let maxValue else { throw .cutShort }
        guard (1...4).contains(depth), (1...65535).contains(maxValue),
            width <= Int(Int32.max), height <= Int(Int32.max)
        else { throw .damaged(reason: localized("a value in the header is out of range")) }
        size = PixelSize(width: width, height: height)
        (samples, self.maxValue, dataOffset) = (depth, maxValue, text.offset)
        packing = kind <= 3 ? .text : kind == 4 ? .bits : .bytes
        isInverted = kind == 1 || kind == 4
    }
}

private struct PNMDecoder: RowDecoder {
    let size: PixelSize
    let layout: SampleLayout
    private let header: PNMHeader
    private let bytes: FileBytes
    private var text: PNMText
    private var offset: Int
    private var isAtEnd = false

    init(_ header: PNMHeader, _ bytes: FileBytes) {
        (self.header, self.bytes, size) = (header, bytes, header.size)
        let isDeep = header.maxValue > 255
        layout =
            switch header.samples {
            case 1: isDeep ? .gray16 : .gray8
            case 3: isDeep ? .rgb16 : .rgb8
            default: isDeep ? .rgba16 : .rgba8
            }
        text = PNMText(bytes, at: header.dataOffset)
        offset = header.dataOffset
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        for x in 0..<size.width {
            for sample in 0..<header.samples {
                guard !isAtEnd, let value = next(x) else {
                    isAtEnd = true
                    return false
                }
                put(header.isInverted ? header.maxValue - value : value, x, sample, &row)
            }
        }
        if header.packing == .bits { offset += (size.width + 7) / 8 }
        return true
    }

    private mutating func next(_ x: Int) -> Int? {
        let value: Int
        switch header.packing {
        case .text:
            guard let number = header.isInverted ? text.bit() : text.number() else { return nil }
            value = number
        case .bits:
            guard bytes.has(1, at: offset + x / 8) else { return nil }
            value = Int(bytes[offset + x / 8] >> (7 - x % 8) & 1)
        case .bytes:
            let length = header.maxValue > 255 ? 2 : 1
            guard bytes.has(length, at: offset) else { return nil }
            value = length == 2 ? bytes.big16(offset) : Int(bytes[offset])
            offset += length
        }
        return min(value, header.maxValue)
    }

    private func put(_ value: Int, _ x: Int, _ sample: Int, _ row: inout [UInt8]) {
        let isDeep = header.maxValue > 255
        let scaled = (value * (isDeep ? 65535 : 255) + header.maxValue / 2) / header.maxValue
        func store(_ index: Int) {
            if isDeep {
                row.put(UInt16(scaled), at: index)
            } else {
                row[index] = UInt8(scaled)
            }
        }
        switch (header.samples, sample) {
        case (2, 0): for color in 0..<3 { store(4 * x + color) }
        case (2, _): store(4 * x + 3)
        default: store(header.samples * x + sample)
        }
    }
}
