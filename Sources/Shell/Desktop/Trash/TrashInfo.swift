/// The text of a `.trashinfo` file: where a file was, and when it was moved to the trash.
///
/// Any program may have written it, so that nothing relies on it.
struct TrashInfo: Hashable, Sendable {
    /// The lines, as they are.
    private var lines: [[UInt8]]
    /// The line of the path.
    private var pathLine: Int

    private static let header = Array("[Trash Info]".utf8)
    private static let key = Array("Path=".utf8)
    /// The longest text in bytes: a path of 4096 bytes, each escaped, and more.
    static let longest = 1 << 16

    /// Nil where the text is not that of a `.trashinfo` file with a path.
    init?(_ text: [UInt8]) {
        guard text.count <= Self.longest else { return nil }
        lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { Array($0) }
        guard lines[0] == Self.header,
            let line = lines.indices.dropFirst().first(where: { [lines] in
                lines[$0].starts(with: Self.key)
            })
        else { return nil }
        pathLine = line
    }

    var text: [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }

    /// The path where the file was: absolute, or relative to the folder above the trash folder.
    ///
    /// Nil where its escapes are wrong, where it leads out of that folder, and for an empty one.
    var path: [UInt8]? {
        guard let path = PercentEncoding.decoded(lines[pathLine].dropFirst(Self.key.count)),
            !path.isEmpty, !path.contains(0),
            !path.split(separator: UInt8(ascii: "/")).contains(where: {
                $0.elementsEqual("..".utf8)
            })
        else { return nil }
        return path
    }

    /// Replaces the path; all other lines stay.
    mutating func setPath(_ path: [UInt8]) {
        lines[pathLine] = Self.key + Array(PercentEncoding.encoded(path).utf8)
    }
}
