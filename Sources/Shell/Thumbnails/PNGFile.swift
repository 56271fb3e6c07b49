import Geometry

/// A PNG as a list of chunks, as far as the cache has to read and write PNGs.
///
/// The bytes are untrusted. Pixels are never decoded here.
struct PNGFile {
    /// The bytes are not a PNG.
    struct Malformed: Error {}

    private struct Chunk {
        var kind: ArraySlice<UInt8>
        var content: ArraySlice<UInt8>
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Maximum number of chunks to read; no thumbnail has more.
    private static let maximumChunks = 4096

    let bytes: [UInt8]
    private var chunks: [Chunk] = []
    /// Whether the bytes end with an IEND chunk.
    private(set) var isWhole = false

    /// Reads the chunks in `bytes`, which may be cut off.
    ///
    /// Throws if the signature of a PNG is missing.
    init(_ bytes: [UInt8]) throws(Malformed) {
        self.bytes = bytes
        guard bytes.starts(with: Self.signature) else { throw Malformed() }
        var remaining = bytes[Self.signature.count...]
        while remaining.count >= 12, chunks.count < Self.maximumChunks {
            let length = remaining.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= remaining.count - 12 else { return }
            let start = remaining.startIndex
            let kind = remaining[(start + 4)..<(start + 8)]
            chunks.append(Chunk(kind: kind, content: remaining[(start + 8)..<(start + 8 + length)]))
            remaining = remaining[(start + 12 + length)...]
            if kind.elementsEqual("IEND".utf8) {
                isWhole = remaining.isEmpty
                return
            }
        }
    }

    /// The first plain text (tEXt chunk) with this keyword (PNG 11.3.4.3).
    func text(_ keyword: String) -> [UInt8]? {
        for chunk in chunks where chunk.kind.elementsEqual("tEXt".utf8) {
            guard let end = chunk.content.firstIndex(of: 0),
                chunk.content[..<end].elementsEqual(keyword.utf8)
            else { continue }
            return Array(chunk.content[(end + 1)...])
        }
        return nil
    }

    /// Whether this is a complete picture of `size` with 8 bits per sample and nothing but pixels.
    ///
    /// A decoder is not allowed to add other chunks.
    func isBarePicture(of size: PixelSize) -> Bool {
        guard isWhole, let header = chunks.first, header.kind.elementsEqual("IHDR".utf8),
            header.content.count == 13, chunks.count >= 3
        else { return false }
        let sides = Self.number(size.width) + Self.number(size.height)
        let isKnown = [2, 6].contains { type in
            header.content.elementsEqual(sides + [8, type, 0, 0, 0])
        }
        let pixels = chunks.dropFirst().dropLast()
        return isKnown && pixels.allSatisfy { $0.kind.elementsEqual("IDAT".utf8) }
            && chunks.last?.content.isEmpty == true
    }

    /// The file with texts after its header, so that readers find them without reading the rest.
    func inserting(_ texts: [(keyword: String, text: [UInt8])]) -> [UInt8] {
        guard let header = chunks.first else { return bytes }
        let end = header.content.endIndex + 4
        let added = texts.flatMap { Self.chunk("tEXt", Array($0.keyword.utf8) + [0] + $0.text) }
        return Array(bytes[..<end]) + added + bytes[end...]
    }

    /// A PNG with one transparent pixel and with texts, which records a failure.
    static func blank(_ texts: [(keyword: String, text: [UInt8])]) -> [UInt8] {
        // One row of a filter byte and four samples, in a stored block (RFC 1950 and 1951).
        let row: [UInt8] = [
            0x78, 0x01, 0x01, 0x05, 0x00, 0xFA, 0xFF, 0, 0, 0, 0, 0, 0x00, 0x05, 0x00, 0x01,
        ]
        let header = chunk("IHDR", number(1) + number(1) + [8, 6, 0, 0, 0])
        let added = texts.flatMap { chunk("tEXt", Array($0.keyword.utf8) + [0] + $0.text) }
        return signature + header + added + chunk("IDAT", row) + chunk("IEND", [])
    }

    private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(kind.utf8) + content
        return number(content.count) + body + number(Int(checksum(body)))
    }

    /// Four bytes, big-endian.
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The CRC of a chunk (PNG, annex D): polynomial 0xEDB88320, inverted before and after.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
                crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xEDB8_8320)
            }
        }
    }
}
