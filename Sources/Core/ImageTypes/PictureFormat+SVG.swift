extension PictureFormat {
    package static let svg = PictureFormat(
        name: "SVG", mimeTypes: ["image/svg+xml", "image/svg+xml-compressed"],
        extensions: ["svg", "svgz"], isAnimated: false, signatures: [])

    /// Whether this is the beginning of XML whose root is an `svg` element, of any namespace's prefix.
    static func isSVG(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        // UTF-16 is text with zeros in between; a byte order mark is none of it.
        var rest = bytes.filter { $0 != 0 }[...]
        for mark: [UInt8] in [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        where rest.starts(with: mark) { rest.removeFirst(mark.count) }
        while true {
            rest = rest.drop { $0 == 32 || (9...13).contains($0) }
            if rest.starts(with: "<?".utf8) {
                guard skip(&rest, past: "?>") else { return false }
            } else if rest.starts(with: "<!--".utf8) {
                guard skip(&rest, past: "-->") else { return false }
            } else if rest.starts(with: "<!DOCTYPE".utf8) {
                // What it declares may be longer than what is here: its name is the root's.
                rest = rest.dropFirst("<!DOCTYPE".utf8.count)
                    .drop { $0 == 32 || (9...13).contains($0) }
                return isNamed(rest)
            } else if rest.first == UInt8(ascii: "<") {
                return isNamed(rest.dropFirst())
            } else {
                return false
            }
        }
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>, past end: String) -> Bool {
        let end = Array(end.utf8)
        while !rest.isEmpty {
            if rest.starts(with: end) {
                rest = rest.dropFirst(end.count)
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }

    private static func isNamed(_ rest: ArraySlice<UInt8>) -> Bool {
        let name = rest.prefix { $0 > 32 && !">/[".utf8.contains($0) }
        let local = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last
        return name.count < rest.count && local.map { $0.elementsEqual("svg".utf8) } == true
    }
}
