import Containers

/// A text chunk of a PNG: tEXt, zTXt or iTXt.
///
/// Source: PNG, third edition (W3C), 11.3.3.
package struct PNGText {
    package let keyword: String
    /// Whether the text is UTF-8; else it is Latin-1.
    let isUTF8: Bool
    private let isCompressed: Bool
    private let data: UnsafeRawBufferPointer

    /// Whether the text is XMP data.
    package var isXMP: Bool { keyword == "XML:com.adobe.xmp" }

    /// Reads the data of a chunk; nil for other chunks, and for damaged ones.
    package init?(_ name: String, _ chunk: UnsafeRawBufferPointer) {
        guard let (keyword, length) = Self.keyword(of: chunk) else { return nil }
        self.keyword = keyword
        let rest = chunk.dropping(length + 1)
        isUTF8 = name == "iTXt"
        switch name {
        case "tEXt": (isCompressed, data) = (false, rest)
        case "zTXt":
            guard rest.first == 0 else { return nil }
            (isCompressed, data) = (true, rest.dropping(1))
        case "iTXt":
            // Flag and method of the compression, language, translated keyword.
            guard rest.count >= 2, rest[0] <= 1, rest[0] == 0 || rest[1] == 0,
                let language = rest.dropping(2).firstIndex(of: 0),
                let translated = rest.dropping(3 + language).firstIndex(of: 0)
            else { return nil }
            (isCompressed, data) = (rest[0] == 1, rest.dropping(4 + language + translated))
        default: return nil
        }
    }

    /// The keyword at the start of a chunk, and its length in bytes.
    ///
    /// A keyword has 1 to 79 bytes and is terminated by a zero.
    static func keyword(of data: UnsafeRawBufferPointer) -> (text: String, length: Int)? {
        guard let length = data.prefix(80).firstIndex(of: 0), length > 0 else { return nil }
        let scalars = data[..<length].map { Unicode.Scalar($0) }
        return (String(String.UnicodeScalarView(scalars)), length)
    }

    /// The text as a slice of the chunk; nil if the text is compressed.
    package var slice: UnsafeRawBufferPointer? { isCompressed ? nil : data }

    /// The whole text; nil if its compressed data are damaged or too long.
    package var bytes: [UInt8]? {
        isCompressed ? UnpackedBytes.inflated(data) : Array(data.prefix(UnpackedBytes.limit))
    }

    /// The first `limit` bytes of the text, for display.
    func beginning(_ limit: Int) -> [UInt8] {
        guard isCompressed else { return Array(data.prefix(limit)) }
        return UnpackedBytes.inflated(data, limit: limit, isCut: true) ?? []
    }
}
