import Glibc
import ImageWire
import SystemCalls

/// Answers requests to list and watch folders.
///
/// A call may take as long as a folder does not answer.
struct FolderServer {
    /// An inotify(7) instance, which its owner closes; -1 without one.
    private let watches: Int32
    /// Sends a reply; returns false if nobody wants it any more.
    private let send: (FolderReply) -> Bool

    /// The most bytes of items in a reply.
    private static let mostItemBytes = FolderRequest.longest - 8192
    /// The most items in a reply: pictures are shown after the first ones.
    private static let mostItems = 256

    /// The events that change the set of pictures or their content.
    private static let eventMask =
        [
            IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_CLOSE_WRITE, IN_DELETE_SELF,
            IN_MOVE_SELF, IN_ONLYDIR, IN_EXCL_UNLINK,
        ].reduce(UInt32(0)) { $0 | UInt32(truncatingIfNeeded: $1) }

    init(_ watches: Int32, send: @escaping (FolderReply) -> Bool) {
        self.watches = watches
        self.send = send
    }

    /// Answers a request; returns false if nobody wants the reply any more.
    func serve(_ request: FolderRequest) throws(SystemError) -> Bool {
        switch request {
        case .find(let path): return send(.found(try find(path)))
        case .inspect(let path, let wantsDetails):
            return send(.found(try inspect(path, wantsDetails)))
        case .details(let paths): return send(.details(paths.map { details(of: $0) }))
        case .read(let path, let limit):
            let file = try SmallFile(path, limit: limit)
            var rest = file.bytes[...]
            repeat {
                let part = Array(rest.prefix(Self.mostItemBytes))
                rest = rest.dropFirst(part.count)
                let reply = FolderReply.contents(part, file.trust, isLast: rest.isEmpty)
                guard send(reply) else { return false }
            } while !rest.isEmpty
            return true
        case .list(let path, let wantsDetails, let wantsSubfolders):
            return try list(
                path,
                FolderReader(path, wantsDetails: wantsDetails, wantsSubfolders: wantsSubfolders))
        }
    }

    private func list(
        _ path: [UInt8], _ reader: consuming FolderReader
    ) throws(SystemError) -> Bool {
        // Watch before reading: a file that is created in between is found twice, not missed.
        let watch = watch(path)
        let folder = FolderReply.folder(
            try reader.identity(), watch: watch, isRemote: reader.isRemote)
        guard send(folder) else { return false }
        var items: [FolderItem] = []
        var length = 0
        while let item = reader.next() {
            if items.count == Self.mostItems || length > Self.mostItemBytes {
                guard send(.items(items, isLast: false)) else { return false }
                (items, length) = ([], 0)
            }
            items.append(item)
            length += item.length
        }
        return send(.items(items, isLast: true))
    }

    private func find(_ path: [UInt8]) throws(SystemError) -> FileNode {
        var info = stat()
        try reporting { UntrustedFolders.status(of: path, &info) }
        var node = FileNode(info)
        node.details = FileDetails(info)
        guard node.kind == .file else { return node }
        try reporting { path.withPathString { access($0, R_OK) } }
        let folder = path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) }
        node.watch = watch(folder ?? [])
        return node
    }

    private func inspect(_ path: [UInt8], _ wantsDetails: Bool) throws(SystemError) -> FileNode {
        var info = stat()
        try reporting { path.withPathString { lstat($0, &info) } }
        // As if the name were not there.
        if info.isLink, UntrustedFolders.contain(path) {
            throw SystemError(code: ENOENT)
        }
        var node = FileNode(info)
        if wantsDetails { node.details = details(of: path) }
        return node
    }

    private func details(of path: [UInt8]) -> FileDetails? {
        var info = stat()
        return UntrustedFolders.status(of: path, &info) == 0 ? FileDetails(info) : nil
    }

    /// Watches a folder, the working folder if the path is empty; returns the number of the watch, or
    /// nil if the system refuses.
    ///
    /// The number is the same for the same folder. The system limits the number of watches.
    private func watch(_ folder: [UInt8]) -> Int32? {
        let path = folder.isEmpty ? [UInt8(ascii: ".")] : folder
        guard watches >= 0 else { return nil }
        let watch = path.withPathString { inotify_add_watch(watches, $0, Self.eventMask) }
        return watch < 0 ? nil : watch
    }
}

extension FileNode {
    init(_ info: stat) {
        let kind: Kind =
            switch info.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            default: .device
            }
        self.init(kind, inode: UInt64(info.st_ino), hasOtherNames: info.st_nlink > 1)
    }
}
