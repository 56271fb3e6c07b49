package import Glibc

/// What a file is.
extension stat {
    private func isKind(_ kind: mode_t) -> Bool { st_mode & S_IFMT == kind }

    package var isRegularFile: Bool { isKind(S_IFREG) }
    package var isFolder: Bool { isKind(S_IFDIR) }
    package var isLink: Bool { isKind(S_IFLNK) }
    package var isSocket: Bool { isKind(S_IFSOCK) }
}
