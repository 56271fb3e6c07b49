import CZlib
package import Geometry
import ImageTypes

/// A PNG as a list of chunks, as far as the cache has to read and write PNGs.
///
/// The bytes that are read are untrusted. Pixels are never decoded here.
package struct PNGFile {
    /// The bytes are not a PNG.
    struct Malformed: Error {}

    private struct Chunk {
        var kind: ArraySlice<UInt8>
        var content: ArraySlice<UInt8>
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Maximum number of chunks to read; no thumbnail has more.
    private static let maximumChunks = 4096

    private var chunks: [Chunk] = []

    /// Reads the chunks in `bytes`, which may be cut off.
    ///
    /// Throws if the signature of a PNG is missing.
    init(_ bytes: [UInt8]) throws(Malformed) {
        guard bytes.starts(with: Self.signature) else { throw Malformed() }
        var remaining = bytes[Self.signature.count...]
        while remaining.count >= 12, chunks.count < Self.maximumChunks {
            let length = remaining.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= remaining.count - 12 else { return }
            let start = remaining.startIndex
            let kind = remaining[(start + 4)..<(start + 8)]
            chunks.append(Chunk(kind: kind, content: remaining[(start + 8)..<(start + 8 + length)]))
            remaining = remaining[(start + 12 + length)...]
            if kind.elementsEqual("IEND".utf8) { return }
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

    /// The finest level of a bitmap as a PNG with texts, which come first so that readers find them
    /// without reading the rest.
    static func picture(
        _ bitmap: Bitmap, _ texts: [(keyword: String, text: [UInt8])]
    ) -> [UInt8] {
        let (size, pixels) = (bitmap.levels[0].size, PNGPixels(bitmap))
        let colorType: UInt8 = pixels.channels == 3 ? 2 : 6
        return file(size, colorType, texts, pixels: pixels.compressed())
    }

    /// A PNG of absolute light: 16 bits each of red, green and blue, in the primaries of ITU-R BT.2020 with the
    /// transfer function of SMPTE ST 2084.
    ///
    /// Each of the `rows` begins with the byte of its filter.
    package static func light(_ size: PixelSize, _ rows: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(rows.count))
        var compressed = [UInt8](repeating: 0, count: Int(length))
        compress2(&compressed, &length, rows, uLong(rows.count), Z_BEST_SPEED)
        let header = number(size.width) + number(size.height) + [16, 2, 0, 0, 0]
        // Code points of ITU-T H.273: primaries, transfer function, no matrix, full range.
        return signature + chunk("IHDR", header) + chunk("cICP", [9, 16, 0, 1])
            + chunk("IDAT", Array(compressed.prefix(Int(length)))) + chunk("IEND", [])
    }

    /// A PNG with one transparent pixel and with texts, which records a failure.
    static func blank(_ texts: [(keyword: String, text: [UInt8])]) -> [UInt8] {
        // One row of a filter byte and four samples, in a stored block (RFC 1950 and 1951).
        let row: [UInt8] = [
            0x78, 0x01, 0x01, 0x05, 0x00, 0xFA, 0xFF, 0, 0, 0, 0, 0, 0x00, 0x05, 0x00, 0x01,
        ]
        return file(PixelSize(width: 1, height: 1), 6, texts, pixels: row)
    }

    private static func file(
        _ size: PixelSize, _ colorType: UInt8, _ texts: [(keyword: String, text: [UInt8])],
        pixels: [UInt8]
    ) -> [UInt8] {
        let header = number(size.width) + number(size.height) + [8, colorType, 0, 0, 0]
        let added = texts.flatMap { chunk("tEXt", Array($0.keyword.utf8) + [0] + $0.text) }
        return signature + chunk("IHDR", header) + added + chunk("IDAT", pixels) + chunk("IEND", [])
    }

    private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(kind.utf8) + content
        return number(content.count) + body + number(Int(checksum(body)))
    }

    /// Four bytes, big-endian.
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The CRC of a chunk (PNG, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        UInt32(crc32(0, bytes, uInt(bytes.count)))
    }
}
