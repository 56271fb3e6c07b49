extension PictureFormat {
    package static let svg = PictureFormat(
        name: "SVG", mimeTypes: ["image/svg+xml", "image/svg+xml-compressed"],
        extensions: ["svg", "svgz"], isAnimated: false, signatures: [])

    /// Whether `bytes` begin an XML document whose root is an `svg` element, with any namespace
    /// prefix.
    static func isSVG(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        // Without its zero bytes, UTF-16 reads like ASCII; a byte order mark is skipped.
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
                // The declaration may be longer than `bytes`, but begins with the name of the root.
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
