/// The list of the protocol descriptions to use, one per line: source and path.
///
/// The source is a pkg-config package, and the path is relative to its `pkgdatadir`; or the source
/// is `own`, and the path is relative to the manifest. `#` starts a comment.
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
            let fields = content.split(whereSeparator: \.isWhitespace).map(String.init)
            if fields.isEmpty { continue }
            guard fields.count == 2 else {
                throw GeneratorError("expected a source and a path", file: file, line: index + 1)
            }
            sources.append(Source(package: fields[0] == "own" ? nil : fields[0], path: fields[1]))
        }
    }
}
