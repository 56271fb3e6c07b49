/// The list of the protocol descriptions to use, one per line: source, path and versions.
///
/// The source is a pkg-config package, and the path is relative to its `pkgdatadir`; or the source
/// is `own`, and the path is relative to the manifest. The versions are the newest ones that the code
/// understands: a number for all interfaces of the description, or 0 to leave them out, then
/// `INTERFACE=VERSION` for those that differ. A description of our own has none. `#` starts a comment.
struct Manifest: Equatable {
    struct Source: Equatable {
        /// The pkg-config package; nil for a description of our own.
        var package: String?
        var path: String
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
        if fields[0] == "own" {
            return fields.count == 2 ? Source(path: fields[1]) : nil
        }
        return UnderstoodVersions(fields.dropFirst(2)).map {
            Source(package: fields[0], path: fields[1], versions: $0)
        }
    }
}
