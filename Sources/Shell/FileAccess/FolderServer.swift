import Glibc
import ImageWire
import SystemCalls

/// Lists and watches folders for a `FolderClient`, one request after another.
///
/// A call may take as long as a folder does not answer.
struct FolderServer: ~Copyable {
    private let socket: Int32
    /// An inotify(7) instance; -1 if the system has none left.
    private let watches: Int32

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

    /// Serves a socket, which stays open.
    init(_ socket: Int32) {
        self.socket = socket
        watches = inotify_init1(
            Int32(truncatingIfNeeded: IN_NONBLOCK) | Int32(truncatingIfNeeded: IN_CLOEXEC))
    }

    deinit {
        if watches >= 0 { close(watches) }
    }

    /// Serves requests until the client closes the socket.
    func run() {
        guard PacketSocket.send(FolderReply.ready.bytes, to: socket, with: watches) else { return }
        while true {
            guard
                case .message(let bytes, let descriptor) = PacketSocket.receive(
                    from: socket, limit: FolderRequest.longest)
            else { return }
            if descriptor >= 0 { close(descriptor) }
            guard let request = try? FolderRequest(bytes) else { return }
            do throws(SystemError) {
                guard try serve(request) else { return }
            } catch {
                guard send(.failed(code: error.code)) else { return }
            }
        }
    }

    /// Returns false if the client has closed the socket.
    private func send(_ reply: FolderReply) -> Bool { PacketSocket.send(reply.bytes, to: socket) }

    private func serve(_ request: FolderRequest) throws(SystemError) -> Bool {
        switch request {
        case .find(let path): return send(.found(try find(path)))
        case .inspect(let path, let wantsDetails):
            return send(.found(try inspect(path, wantsDetails)))
        case .details(let paths): return send(.details(paths.map { details(of: $0) }))
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
        guard send(.folder(try reader.identity(), watch: watch)) else { return false }
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
        try reporting { path.withPathString { stat($0, &info) } }
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
        var node = FileNode(info)
        if wantsDetails { node.details = details(of: path) }
        return node
    }

    private func details(of path: [UInt8]) -> FileDetails? {
        var info = stat()
        return path.withPathString { stat($0, &info) } == 0 ? FileDetails(info) : nil
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
