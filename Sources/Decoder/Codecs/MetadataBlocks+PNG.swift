extension MetadataBlocks {
    /// Texts longer than this are cut, in bytes.
    private static let longestText = 8192
    /// More texts than this nobody reads.
    private static let mostTexts = 32

    /// Reads the chunks; texts that are compressed are left alone.
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
                // Latin-1, of which each byte is the scalar's number.
                add(keyword, String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) })))
            case "iTXt": readText(data)
            default: break
            }
        }
    }

    /// An iTXt chunk: keyword, two bytes about compression, language, translated keyword, text.
    private mutating func readText(_ data: UnsafeRawBufferPointer) {
        guard let (keyword, length) = Self.keyword(of: data) else { return }
        var rest = data.dropFirst(length + 1)
        guard rest.count >= 2, rest[rest.startIndex] == 0 else { return }
        rest = rest.dropFirst(2)
        for _ in 0..<2 {
            guard let end = rest.firstIndex(of: 0) else { return }
            rest = rest[(end + 1)...]
        }
        if keyword == "XML:com.adobe.xmp" {
            xmp = UnsafeRawBufferPointer(rebasing: rest)
        } else {
            add(keyword, String(decoding: rest.prefix(Self.longestText), as: UTF8.self))
        }
    }

    private mutating func add(_ keyword: String, _ text: String) {
        if texts.count < Self.mostTexts { texts.append((keyword, text)) }
    }

    /// The keyword that a chunk begins with, 1 to 79 bytes and a zero, and how long it is.
    private static func keyword(
        of data: UnsafeRawBufferPointer
    ) -> (text: String, length: Int)? {
        guard let length = data.prefix(80).firstIndex(of: 0), length > 0 else { return nil }
        let scalars = data[..<length].map { Unicode.Scalar($0) }
        return (String(String.UnicodeScalarView(scalars)), length)
    }
}
