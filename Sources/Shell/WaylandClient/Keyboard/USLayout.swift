/// The US keyboard layout, for the keys of keymaps without a Latin layout.
enum USLayout {
    /// The Linux codes of the first keys of the rows, and the characters of each row without Shift and
    /// with it.
    private static let rows: [(first: UInt32, plain: [UInt8], shifted: [UInt8])] = [
        (2, Array("1234567890-=".utf8), Array("!@#$%^&*()_+".utf8)),
        (16, Array("qwertyuiop[]".utf8), Array("QWERTYUIOP{}".utf8)),
        (30, Array("asdfghjkl;'`".utf8), Array("ASDFGHJKL:\"~".utf8)),
        (43, Array("\\zxcvbnm,./".utf8), Array("|ZXCVBNM<>?".utf8)),
    ]

    /// The ASCII character of a key; nil for a key without one.
    static func character(of key: UInt32, isShifted: Bool) -> UInt8? {
        for row in rows where row.first <= key && key - row.first < UInt32(row.plain.count) {
            let place = Int(key - row.first)
            return isShifted ? row.shifted[place] : row.plain[place]
        }
        return nil
    }

    /// Whether a code point is a letter from a to z.
    static func isLetter(_ scalar: UInt32) -> Bool { (0x61...0x7A).contains(scalar | 0x20) }

    /// Whether a code point is punctuation of ASCII.
    static func isPunctuation(_ scalar: UInt32) -> Bool {
        (0x21...0x7E).contains(scalar) && !isLetter(scalar) && !(0x30...0x39).contains(scalar)
    }

    /// Whether a code point belongs to a script other than Latin: neither Latin letters nor
    /// punctuation, symbols and marks that all scripts share.
    static func isForeign(_ scalar: UInt32) -> Bool {
        switch scalar {
        case ..<0x370, 0x1E00...0x1EFF, 0x2000...0x2DDF, 0x2E00...0x2E7F, 0xA720...0xA7FF: false
        default: true
        }
    }
}
