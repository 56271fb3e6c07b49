import FileAccess
import Glibc
import ImageWire

/// A folder of which the system does not tell all changes, so that its names and files are compared from
/// time to time.
struct PolledFolder: Hashable {
    let path: [UInt8]
    let answer: FolderClient.FolderAnswer
    /// Nil for the folder of a given file, of which only the file is compared.
    var names: FolderNames?

    /// Nil for a folder of which the system tells everything.
    init?(_ path: [UInt8], _ answer: FolderClient.FolderAnswer) {
        guard answer.origin != .local || !answer.watching.isWatched else { return nil }
        (self.path, self.answer) = (path, answer)
    }

    /// Whether other computers may change the folder.
    var isRemote: Bool { answer.origin == .remote }
    /// Whether the system tells of changes that programs of this computer make.
    var isWatched: Bool { answer.watching.isWatched && !isRemote }

    /// Whether the folder is another one than that of a former answer, or is watched now.
    ///
    /// File systems of other computers may give new inodes to the same folder.
    func isOther(_ now: FolderClient.FolderAnswer) -> Bool {
        now.origin != answer.origin || now.watching.isWatched != answer.watching.isWatched
            || !isRemote && now.identity != answer.identity
    }
}

/// The names in a folder, in any order, as one number.
struct FolderNames: Hashable {
    private var sum = 0
    private var count = 0

    mutating func add(_ item: FolderItem) {
        var hasher = Hasher()
        hasher.combine(item.kind)
        item.name.withUnsafeBytes { hasher.combine(bytes: $0) }
        sum &+= hasher.finalize()
        count += 1
    }
}

extension FolderWatching {
    var isWatched: Bool { if case .watched = self { true } else { false } }

    /// Whether a limit of the system is the reason for the refusal, and no fault of the folder.
    var isRefusedByLimit: Bool {
        guard case .refused(let code) = self else { return false }
        return [ENOSPC, EMFILE, ENFILE, ENOMEM].contains(code)
    }
}
