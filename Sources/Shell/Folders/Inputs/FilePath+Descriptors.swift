import Glibc
import SystemCalls

/// Paths that name descriptors of the process that opens them, such as `/dev/stdin`.
///
/// Another process, such as the file server, would open a descriptor of its own by such a path.
extension FilePath {
    /// A descriptor of this process, and the names below it in the case of a folder.
    package struct Descriptor: Hashable, Sendable {
        package let number: Int32
        package let names: [[UInt8]]

        /// Whether the descriptor is open.
        package var isOpen: Bool { fcntl(number, F_GETFD) >= 0 }
    }

    /// The descriptor of this process that the path names; nil for any other path.
    ///
    /// The disk is not accessed: the path of a link to such a path is another path.
    package var descriptor: Descriptor? {
        let separator = UInt8(ascii: "/")
        let names: [ArraySlice<UInt8>] = absolute.split(separator: separator)
        // Thousands of paths may be given.
        guard names.count >= 2, Self.roots.contains(where: { names[0].elementsEqual($0) }) else {
            return nil
        }
        let texts = names.map { String(decoding: $0, as: UTF8.self) }
        let standard = ["stdin": 0, "stdout": 1, "stderr": 2] as [String: Int32]
        if texts[0] == "dev", let number = standard[texts[1]] {
            return Descriptor(number: number, names: names.dropFirst(2).map(Array.init))
        }
        guard let start = Self.folderOfDescriptors(texts), start < names.count,
            let number = Int32(texts[start]), "\(number)" == texts[start], number >= 0
        else { return nil }
        return Descriptor(number: number, names: names.dropFirst(start + 1).map(Array.init))
    }

    private static let roots = ["dev".utf8, "proc".utf8]

    /// The number of names before that of a descriptor (proc_pid_fd(5)); nil for other folders.
    private static func folderOfDescriptors(_ names: [String]) -> Int? {
        if names.starts(with: ["dev", "fd"]) { return 2 }
        guard names.count >= 3, names[0] == "proc",
            ["self", "thread-self", "\(getpid())"].contains(names[1])
        else { return nil }
        if names[2] == "fd" { return 3 }
        return names.count >= 5 && names[2] == "task" && names[4] == "fd" ? 5 : nil
    }
}

extension FilePath.Descriptor {
    private var kind: mode_t? {
        var info = stat()
        return fstat(number, &info) == 0 ? info.st_mode & S_IFMT : nil
    }

    package var isFolder: Bool { kind == S_IFDIR }

    /// The path of the open folder or file, with the names below; nil for what has no path, as a pipe
    /// and a file that is deleted.
    package var openedPath: FilePath? {
        guard kind == S_IFDIR || kind == S_IFREG && names.isEmpty else { return nil }
        let link = FilePath("/proc/self/fd/\(number)")
        let path = link.target
        guard path != link, path.isSame(as: number) else { return nil }
        return names.reduce(path) { $0.appending($1) }
    }
}

extension FilePath {
    /// Whether the path leads to the file of a descriptor.
    fileprivate func isSame(as descriptor: Int32) -> Bool {
        var (here, there) = (stat(), stat())
        return withCString { stat($0, &here) } == 0 && fstat(descriptor, &there) == 0
            && here.st_dev == there.st_dev && here.st_ino == there.st_ino
    }
}
