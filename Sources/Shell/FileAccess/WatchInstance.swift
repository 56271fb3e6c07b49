import Glibc
import ImageWire
import SystemCalls

/// An inotify(7) instance, or why the system gives none.
struct WatchInstance: Sendable {
    /// -1 without an instance.
    let descriptor: Int32
    /// The number of the error.
    private let code: Int32

    /// The events that change the set of pictures in a folder, or their content.
    private static let folderEvents = mask(
        IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_CLOSE_WRITE, IN_ATTRIB,
        IN_DELETE_SELF, IN_MOVE_SELF, IN_ONLYDIR, IN_EXCL_UNLINK)
    /// The events that change where a path leads.
    private static let wayEvents = mask(IN_DELETE_SELF, IN_MOVE_SELF, IN_DONT_FOLLOW)

    init() {
        let flags = Int32(truncatingIfNeeded: IN_NONBLOCK | IN_CLOEXEC)
        do throws(SystemError) {
            (descriptor, code) = (try reporting { inotify_init1(flags) }, 0)
        } catch { (descriptor, code) = (-1, error.code) }
    }

    /// No instance, for a reason that is the number of an error.
    init(refusedBy code: Int32) { (descriptor, self.code) = (-1, code) }

    /// Watches a folder.
    ///
    /// The number is the same for the same folder. The system limits the number of watches.
    func watch(_ folder: [UInt8]) -> FolderWatching { add(folder, Self.folderEvents) }

    /// Watches a folder or a link that a path leads through; nil if the system refuses.
    ///
    /// Attributes of folders are not watched: the system would tell of everything in the home folder.
    func watchWay(_ path: [UInt8]) -> Int32? {
        let folder = add(path, Self.wayEvents | Self.mask(IN_ONLYDIR))
        guard folder == .refused(ENOTDIR) else { return folder.number }
        return add(path, Self.wayEvents | Self.mask(IN_ATTRIB)).number
    }

    /// Watches whether a file is written; nil if the system refuses.
    func watchFile(_ path: [UInt8]) -> Int32? {
        add(path, Self.wayEvents | Self.mask(IN_ATTRIB, IN_CLOSE_WRITE)).number
    }

    private func add(_ path: [UInt8], _ events: UInt32) -> FolderWatching {
        guard descriptor >= 0 else { return .refused(code) }
        // A watch of the same file for other events goes on.
        let mask = events | Self.mask(IN_MASK_ADD)
        do throws(SystemError) {
            return .watched(
                try reporting { path.withPathString { inotify_add_watch(descriptor, $0, mask) } })
        } catch { return .refused(error.code) }
    }

    private static func mask(_ bits: Int32...) -> UInt32 {
        bits.reduce(0) { $0 | UInt32(truncatingIfNeeded: $1) }
    }
}

extension FolderWatching {
    fileprivate var number: Int32? {
        if case .watched(let number) = self { number } else { nil }
    }
}
