/// Letters with accents or strokes, and the letters without.
enum LetterFolding {
    /// The text for a letter, by the letter's value.
    static let bases: [UInt32: String] = {
        var result = special
        for block in blocks {
            // The name of a letter with an accent begins with the name of the letter.
            var letters: [String: Unicode.Scalar] = [:]
            for value in block.all {
                guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else {
                    continue
                }
                letters[name] = scalar
            }
            for (name, scalar) in letters {
                guard let end = name.firstRange(of: " WITH ") else { continue }
                let small = String(name[..<end.lowerBound]).replacingCapital()
                guard let base = letters[small], result[scalar.value] == nil else { continue }
                result[scalar.value] = special[base.value] ?? String(base)
            }
        }
        return result
    }()

    /// Letters of one script, with the letters that they are based on.
    private struct Block {
        var ranges: [ClosedRange<UInt32>]
        var all: some Sequence<UInt32> { ranges.joined() }
    }

    private static let blocks = [
        Block(ranges: [0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF]),
        Block(ranges: [0x386...0x3CE, 0x1F00...0x1FFE]),
        Block(ranges: [0x430...0x45F, 0x400...0x42F]),
        Block(ranges: [0x621...0x64A]),
    ]

    /// Letters whose names do not tell.
    private static let special: [UInt32: String] = {
        let pairs: [(Unicode.Scalar, String)] = [
            ("ß", "ss"), ("ẞ", "ss"), ("æ", "ae"), ("Æ", "ae"), ("œ", "oe"), ("Œ", "oe"),
            ("þ", "th"), ("Þ", "th"), ("ð", "d"), ("Ð", "d"), ("ı", "i"), ("İ", "i"),
            ("ς", "σ"), ("ё", "е"), ("Ё", "е"), ("й", "и"), ("Й", "и"), ("ї", "і"), ("Ї", "і"),
            ("ў", "у"), ("Ў", "у"), ("ѓ", "г"), ("Ѓ", "г"), ("ќ", "к"), ("Ќ", "к"),
            ("\u{2019}", "'"), ("\u{2018}", "'"), ("\u{2010}", "-"), ("\u{2013}", "-"),
        ]
        return Dictionary(pairs.map { ($0.0.value, $0.1) }) { first, _ in first }
    }()
}

extension String {
    /// The name of a small letter for that of a capital one.
    fileprivate func replacingCapital() -> String {
        guard let range = firstRange(of: " CAPITAL ") else { return self }
        return self[..<range.lowerBound] + " SMALL " + self[range.upperBound...]
    }

    /// The first place of a text of ASCII.
    fileprivate func firstRange(of part: String) -> Range<Index>? {
        let (units, wanted) = (utf8, Array(part.utf8))
        var start = units.startIndex
        while start < units.endIndex {
            if units[start...].starts(with: wanted) {
                return start..<units.index(start, offsetBy: wanted.count)
            }
            start = units.index(after: start)
        }
        return nil
    }
}

/// Hiragana and katakana, whose voiced letters may be written as letter and mark.
enum KanaFolding {
    /// The letter that a mark makes of the letter before; nil where `mark` is no such mark.
    static func voiced(_ letter: Unicode.Scalar?, by mark: Unicode.Scalar) -> Unicode.Scalar? {
        guard let letter, mark.value == 0x3099 || mark.value == 0x309A else { return nil }
        switch hiragana(letter).value {
        case 0x3046 where mark.value == 0x3099: return "\u{3094}"
        case let value: return Unicode.Scalar(value + (mark.value - 0x3098))
        }
    }

    /// The hiragana for a katakana; other scalars are returned as they are.
    static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard 0x30A1...0x30F6 ~= scalar.value else { return scalar }
        return Unicode.Scalar(scalar.value - 0x60) ?? scalar
    }
}

/// Syllables of Korean, which some systems write letter by letter.
enum HangulFolding {
    /// The letters of a syllable, by the arithmetic of the Unicode standard, chapter 3.12; nil for all
    /// other scalars.
    static func jamo(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        guard 0xAC00...0xD7A3 ~= scalar.value else { return nil }
        let place = scalar.value - 0xAC00
        let values = [0x1100 + place / 588, 0x1161 + place % 588 / 28, 0x11A7 + place % 28]
        return values.filter { $0 != 0x11A7 }.compactMap(Unicode.Scalar.init)
    }
}
