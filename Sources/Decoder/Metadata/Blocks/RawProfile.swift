package import Containers

/// Metadata in hexadecimal digits in a text chunk of a PNG, as ImageMagick and exiv2 write them.
///
/// The text has a line with the kind of the data, a line with their number of bytes, and lines of
/// digits. Source: ImageMagick, coders/png.c, "Raw profile type".
package enum RawProfile: Hashable {
    /// A TIFF structure.
    case exif([UInt8])
    case xmp([UInt8])
    /// IPTC-IIM records, or Photoshop's resources with them.
    case iptc([UInt8])

    private static let keyword = "Raw profile type "
    private static let exifName = Array("Exif\0\0".utf8)
    private static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// The kind of the data that a keyword names; nil for keywords of other texts and profiles.
    private static func kind(_ keyword: String) -> String? {
        guard keyword.hasPrefix(Self.keyword) else { return nil }
        let kind = keyword.dropFirst(Self.keyword.count).lowercased()
        return ["exif", "app1", "xmp", "iptc", "8bim"].contains(kind) ? kind : nil
    }

    /// Whether a keyword is that of metadata.
    fileprivate static func isKeyword(_ keyword: String) -> Bool { kind(keyword) != nil }

    /// Maximum number of profiles of a file that are unpacked; further ones are ignored.
    private static let most = 16

    /// The chunks of a file that have raw profiles with metadata, with their texts.
    package static func texts(
        in chunks: some Sequence<PNGChunks.Chunk>, of file: UnsafeRawBufferPointer
    ) -> [(chunk: PNGChunks.Chunk, text: PNGText)] {
        let texts = chunks.lazy.compactMap { chunk in
            PNGText(chunk.name, UnsafeRawBufferPointer(rebasing: file[chunk.data]))
                .flatMap { $0.isRawProfile ? (chunk: chunk, text: $0) : nil }
        }
        return Array(texts.prefix(most))
    }

    /// Reads a text; nil if it is damaged, or if its keyword is not that of metadata.
    package init?(_ text: PNGText) {
        guard let kind = Self.kind(text.keyword), let data = text.bytes.flatMap(Self.data) else {
            return nil
        }
        if data.starts(with: Self.exifName) {
            self = .exif(Array(data.dropFirst(Self.exifName.count)))
        } else if data.starts(with: Self.xmpName) {
            self = .xmp(Array(data.dropFirst(Self.xmpName.count)))
        } else {
            switch kind {
            case "exif": self = .exif(data)
            case "xmp": self = .xmp(data)
            case "iptc", "8bim": self = .iptc(data)
            default: return nil
            }
        }
    }

    /// The data of a tEXt chunk with a profile.
    package static func chunk(_ keyword: String, kind: String, _ data: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var text = Array("\(keyword)\0\n\(kind)\n\(data.count)".utf8)
        for (index, byte) in data.enumerated() {
            if index % 36 == 0 { text.append(UInt8(ascii: "\n")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return text + [UInt8(ascii: "\n")]
    }

    /// The data of a text; nil if the digits are not as many as the text says.
    private static func data(_ text: [UInt8]) -> [UInt8]? {
        let lines = text.split(maxSplits: 2) { $0 == UInt8(ascii: "\n") }
        guard lines.count == 3,
            let count = Int(
                String(decoding: lines[1].filter { $0 != UInt8(ascii: " ") }, as: UTF8.self))
        else { return nil }
        var digits: [UInt8] = []
        digits.reserveCapacity(lines[2].count)
        for byte in lines[2] where !" \r\n\t\0".utf8.contains(byte) {
            guard let digit = digit(byte) else { return nil }
            digits.append(digit)
        }
        guard count > 0, digits.count.isMultiple(of: 2), digits.count / 2 == count else {
            return nil
        }
        return (0..<count).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension PNGText {
    /// Whether the text is a raw profile with metadata.
    package var isRawProfile: Bool { RawProfile.isKeyword(keyword) }
}
