/// Texts as words of scripts: bytes of UTF-8, as `%XX` where they are not printable ASCII.
enum ScriptText {
    /// The word that stands for an empty text.
    private static let empty = "\"\""

    /// The word for a text.
    static func word(for text: String) -> String {
        guard !text.isEmpty else { return empty }
        var word = ""
        for byte in text.utf8 {
            if isPlain(byte) {
                word.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                word += (digits.utf8.count < 2 ? "%0" : "%") + digits
            }
        }
        return word
    }

    /// The text that a word stands for; nil if a code is wrong, or if the bytes are not UTF-8.
    static func text(of word: String) -> String? {
        guard word != empty else { return "" }
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether a byte of a text stands for itself in a word.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"#%\"".utf8.contains(byte)
    }

    /// The value of a hexadecimal digit.
    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
