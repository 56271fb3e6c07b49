/// The list of the protocol descriptions that are used, one a line: where it comes from and its
/// path there.
///
/// The first word is a pkg-config package whose `pkgdatadir` the path is under, or `own` for a file
/// beside the list. `#` starts a comment.
struct Manifest: Equatable {
    struct Source: Equatable {
        /// The pkg-config package; nil for a description of our own.
        var package: String?
        var path: String
    }

    var sources: [Source] = []

    init(_ text: String, file: String) throws(GeneratorError) {
        for (index, row) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let content = row.prefix { $0 != "#" }
            let words = content.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.isEmpty { continue }
            guard words.count == 2 else {
                throw GeneratorError("a source and a path are wanted", file: file, line: index + 1)
            }
            sources.append(Source(package: words[0] == "own" ? nil : words[0], path: words[1]))
        }
    }
}
