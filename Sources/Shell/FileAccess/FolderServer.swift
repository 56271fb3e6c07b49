import CLinux
import Glibc
import ImageWire
import SystemCalls

/// Answers requests to list and watch folders.
///
/// A call may take as long as a folder does not answer.
struct FolderServer {
    private let watches: WatchInstance
    /// Sends a reply; returns false if nobody wants it any more.
    private let send: (FolderReply) -> Bool
    /// Notes the path of the next call; returns false if nobody wants the rest of the reply.
    private let goesOn: (_ path: [UInt8]) -> Bool

    /// The most bytes of items in a reply.
    private static let mostItemBytes = FolderRequest.longest - 8192
    /// The most items in a reply: pictures are shown after the first ones.
    private static let mostItems = 256

    init(
        _ watches: WatchInstance, send: @escaping (FolderReply) -> Bool,
        goesOn: @escaping (_ path: [UInt8]) -> Bool
    ) {
        self.watches = watches
        self.send = send
        self.goesOn = goesOn
    }

    /// Answers a request; returns false if nobody wants the reply any more.
    func serve(_ request: FolderRequest) throws(SystemError) -> Bool {
        switch request {
        case .find(let path): return send(.found(try find(path)))
        case .inspect(let path, let wantsDetails):
            return send(.found(try inspect(path, wantsDetails)))
        case .states(let paths): return states(of: paths)
        case .watch(let path): return send(try watch(path))
        case .follow(let path):
            let way = PathWatch(path, watches)
            return send(.followed(watches: way.numbers, isWhole: way.isWhole))
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
        let watching = watches.watch(path)
        let folder = FolderReply.folder(try reader.identity(), watching, reader.origin)
        guard send(folder) else { return false }
        var items: [FolderItem] = []
        var length = 0
        while let item = try reader.next() {
            if items.count == Self.mostItems || length > Self.mostItemBytes {
                guard send(.items(items, isLast: false)) else { return false }
                (items, length) = ([], 0)
            }
            items.append(item)
            length += item.length
            // Each of these took a call of its own, which a network share answers slowly.
            if item.details != nil, !goesOn(path) { return false }
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

    /// Watches a folder that need not be readable.
    private func watch(_ path: [UInt8]) throws(SystemError) -> FolderReply {
        let watching = watches.watch(path)
        let descriptor = try reporting {
            path.withPathString { clinux_open_path($0) }
        }
        defer { close(descriptor) }
        var info = stat()
        try reporting { fstat(descriptor, &info) }
        guard info.isFolder else { throw SystemError(code: ENOTDIR) }
        return .folder(FileIdentity(info), watching, FolderOrigin(of: descriptor))
    }

    private func states(of paths: [[UInt8]]) -> Bool {
        var all: [FileState?] = []
        for path in paths {
            guard goesOn(path) else { return false }
            all.append(FileState(of: path))
        }
        return send(.states(all))
    }
}

extension FolderOrigin {
    init(of descriptor: Int32) {
        self =
            switch clinux_origin(descriptor) {
            case CLINUX_REMOTE: .remote
            case CLINUX_LAYERED: .layered
            default: .local
            }
    }
}

extension FileState {
    /// Nil where there is no file.
    init?(of path: [UInt8]) {
        var info = stat()
        guard UntrustedFolders.status(of: path, &info) == 0 else { return nil }
        var own = stat()
        let isLink = path.withPathString { lstat($0, &own) } == 0 && own.isLink
        let nanoseconds = info.st_ctim.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(
            stamp: FileStamp(identity: FileIdentity(info), details: FileDetails(info)),
            changed: nanoseconds.partialValue &+ info.st_ctim.tv_nsec,
            isIndirect: isLink || !info.isFolder && info.st_nlink > 1)
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
