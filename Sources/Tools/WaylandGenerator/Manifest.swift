/// The list of the protocol descriptions to use, one per line: source, path and versions.
///
/// The source is a pkg-config package, and the path is relative to its `pkgdatadir`; or the source
/// is `own`, and the path is relative to the manifest. A description that releases of the package have
/// in different places has all its paths, with `|` between them, the newest first. The versions are the newest ones that the code
/// understands: a number for all interfaces of the description, or 0 to leave them out, then
/// `INTERFACE=VERSION` for those that differ. A description of our own has none. `#` starts a comment.
struct Manifest: Equatable {
    struct Source: Equatable {
        /// The pkg-config package; nil for a description of our own.
        var package: String?
        /// The places of the description, the newest first; never empty.
        var paths: [String]
        /// nil for a description of our own.
        var versions: UnderstoodVersions?
    }

    var sources: [Source] = []

    init(_ text: String, file: String) throws(GeneratorError) {
        for (index, row) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let fields = row.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
                .map(String.init)
            if fields.isEmpty { continue }
            guard let source = Self.source(fields) else {
                throw GeneratorError(
                    "expected a source, a path and versions", file: file, line: index + 1)
            }
            sources.append(source)
        }
    }

    private static func source(_ fields: [String]) -> Source? {
        guard fields.count >= 2 else { return nil }
        let paths = fields[1].split(separator: "|", omittingEmptySubsequences: false)
            .map(String.init)
        guard !paths.contains("") else { return nil }
        if fields[0] == "own" {
            return fields.count == 2 && paths.count == 1 ? Source(paths: paths) : nil
        }
        return UnderstoodVersions(fields.dropFirst(2)).map {
            Source(package: fields[0], paths: paths, versions: $0)
        }
    }
}
