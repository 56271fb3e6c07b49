import Containers

/// Reads IPTC-IIM records.
///
/// Source: IPTC-NAA Information Interchange Model 4.2, 1.5 and chapters 5 and 6.
enum IPTCReader {
    /// A field of the application record.
    enum Field: Int {
        case title = 5
        case keyword = 25
        case creator = 80
        case city = 90
        case state = 95
        case country = 101
        case headline = 105
        case copyright = 116
        case caption = 120
    }

    private static let marker = 0x1C
    /// Limit for the number of fields, repeated fields included.
    private static let mostFields = 256
    /// The bit that marks an extended data set: the other bits are the size of its length field.
    private static let extended = 0x8000

    /// The values of each field, in file order.
    static func read(_ bytes: UnsafeRawBufferPointer) -> [Field: [String]] {
        var reader = BigEndianReader(bytes)
        var fields: [Field: [String]] = [:]
        var isUTF8 = false
        for _ in 0..<mostFields {
            guard reader.number(1) == marker, let record = reader.number(1),
                let number = reader.number(1), let length = reader.number(2), length < extended,
                let data = reader.consume(length)
            else { break }
            // The coded character set: the ISO 2022 escape sequence for UTF-8.
            if record == 1, number == 90 { isUTF8 = data.elementsEqual([0x1B, 0x25, 0x47]) }
            guard record == 2, let field = Field(rawValue: number) else { continue }
            fields[field, default: []].append(text(data, isUTF8: isUTF8))
        }
        return fields
    }

    /// Decodes a text; without a declared character set as UTF-8 if valid, otherwise as Latin-1.
    private static func text(_ bytes: UnsafeRawBufferPointer, isUTF8: Bool) -> String {
        if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
