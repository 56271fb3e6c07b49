extension PictureFormat {
    package static let svg = PictureFormat(
        name: "SVG", mimeTypes: ["image/svg+xml", "image/svg+xml-compressed"],
        extensions: ["svg", "svgz"], canBeAnimated: false, signatures: [])

    /// The longest source of a drawing, in bytes.
    package static let longestDrawing = 64 << 20

    /// Whether a text begins an XML document whose root is an `svg` element, with any namespace prefix.
    ///
    /// `start` returns the text's first bytes, at most as many as asked for: more of them are needed
    /// only where comments and declarations precede the root.
    package static func isSVG(_ start: (_ length: Int) -> some Collection<UInt8>) -> Bool {
        var length = signatureLength
        while true {
            let text = start(length)
            var prolog = XMLProlog(text)
            if let isSVG = prolog.hasSVGRoot() { return isSVG }
            guard text.count == length, length < longestDrawing else { return false }
            length = min(length * 16, longestDrawing)
        }
    }
}

/// The first bytes of a text that may be an XML document.
///
/// Source: Extensible Markup Language 1.0 (W3C, fifth edition), 2.8.
private struct XMLProlog {
    private let text: [UInt8]
    private var place = 0

    init(_ bytes: some Collection<UInt8>) {
        // Without its zero bytes, UTF-16 reads like ASCII; a byte order mark is skipped.
        text = bytes.prefix(4).contains(0) ? bytes.filter { $0 != 0 } : Array(bytes)
        for mark: [UInt8] in [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        where text.starts(with: mark) { place = mark.count }
    }

    /// Whether the root is an `svg` element; nil if the bytes end before its name does.
    mutating func hasSVGRoot() -> Bool? {
        while true {
            skipSpace()
            if isAt("<?") {
                guard skip("<?", to: "?>") else { return nil }
            } else if isAt("<!--") {
                guard skip("<!--", to: "-->") else { return nil }
            } else if isAt("<!DOCTYPE") {
                // Some declarations have another name than the root.
                if nextIsSVG(after: "<!DOCTYPE") == true { return true }
                guard skipDeclaration() else { return nil }
            } else if "<!DOCTYPE".utf8.starts(with: text[place...])
                || "<!--".utf8.starts(with: text[place...])
            {
                return nil
            } else {
                return isAt("<") ? nextIsSVG(after: "<") : false
            }
        }
    }

    private func isAt(_ token: String) -> Bool { text[place...].starts(with: token.utf8) }

    private mutating func skipSpace() {
        while place < text.count, Self.isSpace(text[place]) { place += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    /// Skips `opening` and the bytes up to the end of the next `token`; false if there is none.
    private mutating func skip(_ opening: String, to token: String) -> Bool {
        place += opening.utf8.count
        let first = token.utf8.first
        while place < text.count {
            if text[place] == first, isAt(token) {
                place += token.utf8.count
                return true
            }
            place += 1
        }
        return false
    }

    /// Skips a declaration of the document's type, with all declarations inside of brackets.
    private mutating func skipDeclaration() -> Bool {
        var depth = 0
        while place < text.count {
            let byte = text[place]
            if byte == UInt8(ascii: "<"), isAt("<!--") {
                guard skip("<!--", to: "-->") else { return false }
                continue
            }
            place += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                while place < text.count, text[place] != byte { place += 1 }
                place += 1
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return true
            default: break
            }
        }
        return false
    }

    /// Whether the name after `token` is that of an `svg` element; nil if the bytes end before it does.
    private func nextIsSVG(after token: String) -> Bool? {
        let rest = text[place...].dropFirst(token.utf8.count).drop(while: Self.isSpace)
        let name = rest.prefix { $0 > 32 && !">/[".utf8.contains($0) }
        guard name.count < rest.count else { return nil }
        let local = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last
        return local.map { $0.elementsEqual("svg".utf8) } == true
    }
}
