import Localization

extension String {
    /// The most scalars of a displayed text; more fit on no surface, and Pango needs time for each.
    private static let longest = 4096

    /// The text for display: U+FFFD replaces characters that control a terminal or reverse the text
    /// beside them, and a text of more than 4096 scalars loses its middle.
    ///
    /// A file name may contain any character.
    package var display: String {
        var scalars = unicodeScalars.map { $0.isControl || $0.isEmbedding ? "\u{FFFD}" : $0 }
        let isCut = scalars.count > Self.longest
        if isCut {
            let half = Self.longest / 2
            scalars = scalars.prefix(half) + ["…"] + scalars.suffix(half)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return isCut ? String(text).withWholeIsolates : String(text)
    }

    /// The text with a capital letter at its start, as a sentence begins.
    ///
    /// A message of the command line begins with a small letter; one that begins with the name of a file, which other
    /// characters than letters end, stays.
    package var asSentence: String {
        guard let first, first.isLowercase else { return self }
        let word = prefix { !$0.isWhitespace }
        let isWord = word.allSatisfy { $0.isLetter || $0 == "'" || $0 == "’" || $0 == "," }
        return isWord ? first.uppercased() + dropFirst() : self
    }

    /// The text for the inside of a sentence: no direction that the text begins or ends can reach
    /// what stands beside it.
    ///
    /// Source: Unicode Standard Annex 9, sections 2.4.2 and 5.2: an isolate ends at its U+2069, which
    /// also ends the embeddings and overrides inside.
    ///
    /// A text of ASCII characters is returned unchanged for a sentence that is written from left to
    /// right, because its parts keep their order there.
    package var isolated: String { isolated(fromRightToLeft: Translation.isRightToLeft) }

    /// The text for the inside of a sentence that is written in this direction.
    func isolated(fromRightToLeft: Bool) -> String {
        guard fromRightToLeft || !utf8.allSatisfy({ $0 < 0x80 }), !isEmpty else { return self }
        return "\u{2068}" + withWholeIsolates + "\u{2069}"
    }
}

extension Unicode.Scalar {
    /// Whether the scalar controls a terminal or breaks a line.
    private static let breaks: Set<Unicode.Scalar> = ["\u{2028}", "\u{2029}"]

    package var isControl: Bool {
        properties.generalCategory == .control || Self.breaks.contains(self)
    }

    /// Whether the scalar begins or ends an embedding or an override of the direction.
    ///
    /// With those a name ends in letters that look like another extension. Isolates, which sentences
    /// need, cannot do that to letters of one direction.
    fileprivate var isEmbedding: Bool { ("\u{202A}"..."\u{202E}").contains(self) }
}
