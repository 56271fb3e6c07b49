import Containers

extension MetadataBlocks {
    /// Maximum length of a text in bytes; longer texts are cut.
    private static let longestText = 8192
    /// Maximum number of texts; further texts are ignored.
    private static let mostTexts = 32

    /// Reads the metadata chunks; compressed texts are skipped.
    ///
    /// Sources: PNG, third edition (W3C), 11.3; XMP part 3, 1.1.5.
    mutating func readPNG(_ bytes: UnsafeRawBufferPointer) {
        for chunk in PNGChunks(bytes) {
            let data = UnsafeRawBufferPointer(rebasing: bytes[chunk.data])
            switch chunk.name {
            case "eXIf": exif = data
            case "iCCP": profileName = Self.keyword(of: data).map { $0.text }
            case "tEXt":
                guard let (keyword, length) = Self.keyword(of: data) else { continue }
                let text = data.dropFirst(length + 1).prefix(Self.longestText)
                // Latin-1: each byte is the value of a Unicode scalar.
                add(keyword, String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) })))
            case "iTXt": readText(data)
            default: break
            }
        }
    }

    /// Reads an iTXt chunk: keyword, two bytes for compression, language, translated keyword, text.
    private mutating func readText(_ data: UnsafeRawBufferPointer) {
        guard let (keyword, length) = Self.keyword(of: data) else { return }
        var remaining = data.dropFirst(length + 1)
        guard remaining.count >= 2, remaining[remaining.startIndex] == 0 else { return }
        remaining = remaining.dropFirst(2)
        for _ in 0..<2 {
            guard let end = remaining.firstIndex(of: 0) else { return }
            remaining = remaining[(end + 1)...]
        }
        if keyword == "XML:com.adobe.xmp" {
            xmp = UnsafeRawBufferPointer(rebasing: remaining)
        } else {
            add(keyword, String(decoding: remaining.prefix(Self.longestText), as: UTF8.self))
        }
    }

    private mutating func add(_ keyword: String, _ text: String) {
        if texts.count < Self.mostTexts { texts.append((keyword, text)) }
    }

    /// The keyword at the start of a chunk, and its length in bytes.
    ///
    /// A keyword has 1 to 79 bytes and is terminated by a zero.
    private static func keyword(
        of data: UnsafeRawBufferPointer
    ) -> (text: String, length: Int)? {
        guard let length = data.prefix(80).firstIndex(of: 0), length > 0 else { return nil }
        let scalars = data[..<length].map { Unicode.Scalar($0) }
        return (String(String.UnicodeScalarView(scalars)), length)
    }
}
