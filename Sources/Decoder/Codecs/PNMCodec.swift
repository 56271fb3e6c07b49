import Geometry
import ImageTypes

/// PBM, PGM, PPM and PAM, plain and raw.
///
/// Source: the Netpbm project's pages pbm(5), pgm(5), ppm(5) and pam(5).
struct PNMCodec: StillCodec {
    static let format = PictureFormat.pnm
    var streaming: RowStreaming? { .rowByRow }
    let size: PixelSize
    private let header: PNMHeader
    private let bytes: FileBytes

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) {
        self.bytes = FileBytes(bytes)
        header = try PNMHeader(self.bytes)
        size = header.size
        guard self.bytes.count > header.pixels else { throw .cutShort }
    }

    func rows(reducedBy exponent: Int) throws(DecodeFailure) -> any RowSource {
        DecodedRows(PNMDecoder(header, bytes))
    }
}

/// Numbers and words of a file that is text so far.
struct PNMText {
    private(set) var offset: Int
    private let bytes: FileBytes

    init(_ bytes: FileBytes, at offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    /// The next word, comments left out; nil where the file ends, or where there is a longer one than
    /// any file has.
    mutating func word() -> String? {
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "#") {
                while offset < bytes.count, bytes[offset] != 10, bytes[offset] != 13 { offset += 1 }
            } else if Self.isSpace(bytes[offset]) {
                offset += 1
            } else {
                break
            }
        }
        var word: [UInt8] = []
        while offset < bytes.count, !Self.isSpace(bytes[offset]), word.count < 32 {
            word.append(bytes[offset])
            offset += 1
        }
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    mutating func number() -> Int? { word().flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil } }

    /// The next digit of a plain PBM, which need not be set apart.
    mutating func bit() -> Int? {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "#") {
                while offset < bytes.count, bytes[offset] != 10 { offset += 1 }
            } else if byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") {
                return Int(byte & 1)
            } else if !Self.isSpace(byte) {
                return nil
            }
        }
        return nil
    }

    /// Past the one space between a header and the pixels.
    mutating func skipSpace() { offset += 1 }
}

struct PNMHeader {
    enum Packing { case text, bits, bytes }

    let size: PixelSize
    let packing: Packing
    /// Of a pixel: grey, grey and alpha, R G B, or R G B and alpha.
    let samples: Int
    let most: Int
    /// Whether 0 is white.
    let isInverted: Bool
    let pixels: Int

    init(_ bytes: FileBytes) throws(DecodeFailure) {
        let kind = Int(bytes[1]) - 48
        var text = PNMText(bytes, at: 2)
        var (width, height, depth, most): (Int?, Int?, Int?, Int?)
        if kind == 7 {
            while let key = text.word(), key != "ENDHDR" {
                switch key {
                case "WIDTH": width = text.number()
                case "HEIGHT": height = text.number()
                case "DEPTH": depth = text.number()
                case "MAXVAL": most = text.number()
                // What it is called changes nothing about what it is.
                default: _ = text.word()
                }
            }
        } else {
            (width, height) = (text.number(), text.number())
            depth = kind == 3 || kind == 6 ? 3 : 1
            most = kind == 1 || kind == 4 ? 1 : text.number()
        }
        text.skipSpace()
        guard let width, let height, let depth, let most else { throw .cutShort }
        guard (1...4).contains(depth), (1...65535).contains(most),
            width <= Int(Int32.max), height <= Int(Int32.max)
        else { throw .damaged(reason: "its header makes no sense") }
        size = PixelSize(width: width, height: height)
        (samples, self.most, pixels) = (depth, most, text.offset)
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
    private var isOver = false

    init(_ header: PNMHeader, _ bytes: FileBytes) {
        (self.header, self.bytes, size) = (header, bytes, header.size)
        let isDeep = header.most > 255
        layout =
            switch header.samples {
            case 1: isDeep ? .gray16 : .gray8
            case 3: isDeep ? .rgb16 : .rgb8
            default: isDeep ? .rgba16 : .rgba8
            }
        text = PNMText(bytes, at: header.pixels)
        offset = header.pixels
    }

    mutating func decode(_ row: inout [UInt8]) -> Bool {
        for x in 0..<size.width {
            for sample in 0..<header.samples {
                guard !isOver, let value = next(x) else {
                    isOver = true
                    return false
                }
                put(header.isInverted ? header.most - value : value, x, sample, &row)
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
            let length = header.most > 255 ? 2 : 1
            guard bytes.has(length, at: offset) else { return nil }
            value = length == 2 ? bytes.big16(offset) : Int(bytes[offset])
            offset += length
        }
        return min(value, header.most)
    }

    private func put(_ value: Int, _ x: Int, _ sample: Int, _ row: inout [UInt8]) {
        let isDeep = header.most > 255
        let scaled = (value * (isDeep ? 65535 : 255) + header.most / 2) / header.most
        func store(_ place: Int) {
            if isDeep {
                row.put(UInt16(scaled), at: place)
            } else {
                row[place] = UInt8(scaled)
            }
        }
        switch (header.samples, sample) {
        case (2, 0): for color in 0..<3 { store(4 * x + color) }
        case (2, _): store(4 * x + 3)
        default: store(header.samples * x + sample)
        }
    }
}
