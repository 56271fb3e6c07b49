import Glibc

/// Paths from the root on.
extension FilePath {
    /// The path from the root on, without the name `.`.
    ///
    /// The name `..` stays, since the name before it may be that of a link. A relative path stays if the
    /// working folder is unknown.
    package var absolute: [UInt8] {
        guard bytes.first != UInt8(ascii: "/") else { return Self.withoutDots(bytes) }
        guard let folder = Self.workingFolder else { return bytes }
        return Self.withoutDots(FilePath(folder).folderPrefix + bytes)
    }

    /// The working folder of this process; nil if it is unknown, as one that was removed.
    package static var workingFolder: [UInt8]? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    }

    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        let separator = UInt8(ascii: "/")
        let dot: ArraySlice<UInt8> = [UInt8(ascii: ".")]
        let names: [ArraySlice<UInt8>] = path.split(
            separator: separator, omittingEmptySubsequences: false)
        guard names.contains(dot) else { return path }
        let kept: [ArraySlice<UInt8>] = names.filter { $0 != dot }
        let joined: [UInt8] = Array(kept.joined(separator: [separator]))
        return joined.isEmpty ? [separator] : joined
    }
}
