/// A text in which letters that differ only in case, accents or width are the same, in UTF-8.
///
/// Two texts that a person would call the same have the same bytes, so that a search compares bytes. Marks
/// that change the letter in the opinion of most readers stay: those of Indic scripts and of Thai.
package struct FoldedText: Hashable, Sendable {
    package private(set) var bytes: [UInt8]

    package init(_ text: String) {
        bytes = []
        bytes.reserveCapacity(text.utf8.count)
        Self.append(Array(text.utf8), to: &bytes)
    }

    package var isEmpty: Bool { bytes.isEmpty }

    /// Appends the folded text of UTF-8, such as the name of a file; wrong bytes become U+FFFD.
    package static func append(_ source: [UInt8], to bytes: inout [UInt8]) {
        // Most names are ASCII.
        guard source.contains(where: { $0 >= 0x80 }) else {
            bytes.append(contentsOf: source.lazy.map { $0.foldedASCII })
            return
        }
        var last: Unicode.Scalar?
        for scalar in String(decoding: source, as: UTF8.self).unicodeScalars {
            last = append(scalar, after: last, to: &bytes)
        }
    }

    /// Appends a letter; returns the letter that a mark after it belongs to.
    private static func append(
        _ scalar: Unicode.Scalar, after last: Unicode.Scalar?, to bytes: inout [UInt8]
    ) -> Unicode.Scalar? {
        if scalar.value < 0x80 {
            bytes.append(UInt8(scalar.value).foldedASCII)
            return nil
        }
        if isIgnored(scalar) { return last }
        if let voiced = KanaFolding.voiced(last, by: scalar) {
            bytes.removeLast(Unicode.UTF8.width(KanaFolding.hiragana(last ?? voiced)))
            return append(voiced, after: nil, to: &bytes)
        }
        if let jamo = HangulFolding.jamo(of: scalar) {
            for part in jamo { add(part, to: &bytes) }
            return nil
        }
        let narrow = KanaFolding.hiragana(narrow(scalar))
        if let base = LetterFolding.bases[narrow.value] {
            bytes.append(contentsOf: base.utf8)
        } else {
            for lower in narrow.properties.lowercaseMapping.unicodeScalars where !isIgnored(lower) {
                let base = LetterFolding.bases[lower.value]
                if let base { bytes.append(contentsOf: base.utf8) } else { add(lower, to: &bytes) }
            }
        }
        return scalar
    }

    private static func add(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(scalar).utf8)
    }

    /// The ordinary letter or digit for one of full width, as East Asian keyboards type them.
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0x3000: " "
        default: scalar
        }
    }

    /// Whether a scalar is an accent, a vowel point of Hebrew or Arabic, or invisible.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7,
            0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF,
            0x20D0...0x20FF, 0xFE00...0xFE0F, 0x00AD, 0x200B...0x200F, 0x202A...0x202E,
            0x2060...0x2069, 0xFEFF:
            true
        default: false
        }
    }
}

extension UInt8 {
    /// The small letter of a capital one of ASCII.
    fileprivate var foldedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
