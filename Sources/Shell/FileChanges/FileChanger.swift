import Edits
import Glibc
import ImageWire
import Localization
import SystemCalls

/// Changes files so that at every moment, also after a kill or a loss of power, each file is there with
/// its old or its new contents.
///
/// New contents are written beside, synced and then renamed. What is replaced or removed is in the trash
/// before. Calls wait for the file system.
struct FileChanger {
    let trash: any TrashBin
    let journal: ChangeJournal
    /// Whether the person wants a long copy to end; looked at now and then.
    var isStopped: () -> Bool = { false }
    /// Called with the path of a file before and after it gets other contents of the same time.
    var onExchange: (_ path: [UInt8]) -> Void = { _ in }

    /// Performs an action; `contents` is the descriptor of the contents that come with it, or -1.
    ///
    /// Returns the changes, of which the first one is that of the file itself.
    func perform(
        _ action: FileAction, contents: Int32 = -1
    ) throws(ChangeFailure) -> [FileChange] {
        switch action {
        case .trash(let path):
            let change = try moveToTrash(path)
            let sidecar = FileNames.sidecar(of: path)
            guard hasFile(sidecar), let second = try? moveToTrash(sidecar) else { return [change] }
            return [change, second]
        case .remove(let path):
            try remove(path)
            try? remove(FileNames.sidecar(of: path))
            return []
        case .move(let from, let to, let picksName):
            let target = try move(from, to, picksName: picksName)
            return [.moved(from: from, to: target)] + moveSidecar(of: from, to: target)
        case .copy(let from, let to, let picksName):
            let target = try copy(from, to, picksName: picksName)
            return [.appeared(path: target)] + copySidecar(of: from, to: target)
        case .replace(let path, let expected, let keepsTimes):
            return [try replace(path, expected, contents, keepsTimes: keepsTimes)]
        case .save(let path, let like): return [try save(path, like: like, contents)]
        case .mark(let path, let change): return try mark(path, change).map { [$0] } ?? []
        }
    }

    /// Reverses a change, and returns the change that was made, which reverses it again.
    func reverse(_ change: FileChange) throws(ChangeFailure) -> FileChange {
        switch change {
        case .appeared(let path): return try moveToTrash(path)
        case .trashed(let path, let file): return try restore(file, to: path)
        case .moved(let from, let to):
            return .moved(from: to, to: try move(to, from, picksName: false))
        case .replaced(let path, let original):
            let now = try exchange(path, with: original)
            return .replaced(path: path, original: now)
        case .wrote(let path, let before, let after):
            return try write(before, to: path, expected: after)
        }
    }

    // MARK: Status

    func makeWorkFolder(besides path: [UInt8]) throws(ChangeFailure) -> WorkFolder {
        do throws(SystemError) {
            return try WorkFolder(besides: path, journal)
        } catch { throw .system(code: error.code) }
    }

    func link(_ from: [UInt8], _ to: [UInt8]) -> Int32 {
        from.withPathString { first in to.withPathString { Glibc.link(first, $0) } }
    }

    func hasFile(_ path: [UInt8]) -> Bool {
        var info = stat()
        return path.withPathString { lstat($0, &info) } == 0 && info.isRegularFile
    }

    /// The path of a file without symbolic links.
    func resolved(_ path: [UInt8]) throws(ChangeFailure) -> [UInt8] {
        guard let real = path.withPathString({ realpath($0, nil) }) else {
            throw .refused(reason: localized("there is no such file"))
        }
        defer { free(real) }
        return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }

    /// The state of the file that `replace` would replace.
    func stampOfContents(_ path: [UInt8]) throws(ChangeFailure) -> FileStamp {
        try stamp(of: try resolved(path))
    }

    func stamp(of path: [UInt8]) throws(ChangeFailure) -> FileStamp {
        FileStamp(try status(path))
    }

    func status(_ path: [UInt8]) throws(ChangeFailure) -> stat {
        var info = stat()
        try reportingChange { path.withPathString { lstat($0, &info) } }
        // A link is moved and removed itself; its contents are those of another file.
        guard info.isRegularFile || info.isLink else {
            throw .refused(reason: localized("it is not a file"))
        }
        return info
    }
}

/// Throws the error of a call that returned a negative number.
@discardableResult
func reportingChange(_ call: () -> Int32) throws(ChangeFailure) -> Int32 {
    do throws(SystemError) {
        return try reporting(call)
    } catch { throw error.code == EEXIST ? .exists : .system(code: error.code) }
}

extension FileStamp {
    init(_ info: stat) {
        self.init(
            identity: FileIdentity(info),
            details: FileDetails(
                seconds: info.st_mtim.tv_sec, nanoseconds: Int(info.st_mtim.tv_nsec),
                size: Int(info.st_size)))
    }
}
