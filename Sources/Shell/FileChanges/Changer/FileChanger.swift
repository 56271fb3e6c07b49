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
        case .trash(let path): return try trashPicture(path)
        case .remove(let path):
            try removePicture(path)
            return []
        case .move(let from, let to, let picksName):
            return try movePicture(from, to, picksName: picksName)
        case .copy(let from, let to, let picksName):
            return try copyPicture(from, to, picksName: picksName)
        case .replace(let path, let expected, let keepsTimes):
            return [try replace(path, expected, contents, keepsTimes: keepsTimes)]
        case .save(let path, let like): return [try save(path, like: like, contents)]
        case .mark(let path, let change): return try mark(path, change).map { [$0] } ?? []
        }
    }

    /// Reverses the change of a picture with the same changes of its companions, as one.
    ///
    /// Returns the changes that were made, which reverse these again: that of the picture, then those of
    /// the companions in their order, or why one was not reversed; then those of further companions.
    func reverse(
        _ change: FileChange, _ companions: [FileChange]
    ) throws(ChangeFailure) -> [Result<FileChange, ChangeFailure>] {
        switch change {
        case .appeared(let path):
            return Self.ordered(try trashPicture(path), like: [path] + companions.map(\.path))
        case .trashed(let path, let file):
            var files: [(suffix: [UInt8], file: TrashedFile)] = []
            for case .trashed(let place, let file) in companions {
                files.append((Array(place.dropFirst(path.count)), file))
            }
            return try restore(file, files, to: path)
        case .moved(let from, let to):
            let moved = try movePicture(to, from, picksName: false)
            // Companions that are there now have come with the picture; others are no loss of this.
            return [.success(moved[0])] + companions.map { .success($0.opposite) }
        case .replaced(let path, let original):
            let now = try exchange(path, with: original)
            return [.success(.replaced(path: path, original: now))]
        case .wrote(let path, let before, let after):
            return [.success(try write(before, to: path, expected: after))]
        }
    }

    /// Changes in the order of paths, then those of other paths.
    private static func ordered(
        _ changes: [FileChange], like paths: [[UInt8]]
    ) -> [Result<FileChange, ChangeFailure>] {
        let known = paths.map { path in
            changes.first { $0.subject == path }.map { .success($0) }
                ?? Result<FileChange, ChangeFailure>.failure(.system(code: ENOENT))
        }
        return known + changes.filter { !paths.contains($0.subject) }.map { .success($0) }
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
