import Edits
import CLinux
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

    /// More names are not tried for a file whose name is taken.
    private static let mostNames = 10_000

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

    // MARK: Trash

    private func moveToTrash(_ path: [UInt8]) throws(ChangeFailure) -> FileChange {
        _ = try status(path)
        return .trashed(path: path, try trash.move(path))
    }

    /// Puts a copy of the file, or a second name of it, into the trash; the file stays.
    private func keepInTrash(_ path: [UInt8]) throws(ChangeFailure) -> TrashedFile {
        let work = try makeWorkFolder(besides: path)
        let second = work.file(named: path)
        if link(path, second) != 0 { try copyContents(of: path, to: second) }
        let kept = try trash.move(second)
        // The entry is complete without its path, too: it only names the hidden folder then.
        try? trash.setOriginalPath(path, of: kept)
        return kept
    }

    private func restore(
        _ file: TrashedFile, to path: [UInt8]
    ) throws(ChangeFailure) -> FileChange {
        try check(file)
        let target = try moveOrCopy(file.file, to: path, picksName: true)
        forget(file)
        return .appeared(path: target)
    }

    /// Exchanges a file for the one in the trash; returns where its former contents are in the trash.
    private func exchange(
        _ path: [UInt8], with file: TrashedFile
    ) throws(ChangeFailure) -> TrashedFile {
        try check(file)
        let before = try stamp(of: path)
        let work = try makeWorkFolder(besides: path)
        let staged = work.file(named: path)
        if link(file.file, staged) != 0 { try copyContents(of: file.file, to: staged) }
        let kept = try keepInTrash(path)
        do throws(ChangeFailure) { try install(staged, at: path, expected: before) } catch {
            erase(kept)
            throw error
        }
        erase(file)
        return kept
    }

    /// Throws if the trash does not have the file any more.
    private func check(_ file: TrashedFile) throws(ChangeFailure) {
        var info = stat()
        guard file.file.withPathString({ lstat($0, &info) }) == 0,
            FileIdentity(info) == file.identity
        else { throw .refused(reason: localized("it is not in the trash any more")) }
    }

    /// Removes the text about a file that has left the trash.
    private func forget(_ file: TrashedFile) {
        if !file.information.isEmpty { _ = file.information.withPathString { unlink($0) } }
    }

    /// Removes a file from the trash whose contents are elsewhere, too.
    private func erase(_ file: TrashedFile) {
        _ = file.file.withPathString { unlink($0) }
        forget(file)
    }

    // MARK: Names

    private func remove(_ path: [UInt8]) throws(ChangeFailure) {
        try reportingChange { path.withPathString { unlink($0) } }
    }

    private func move(
        _ from: [UInt8], _ to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        _ = try status(from)
        return try moveOrCopy(from, to: to, picksName: picksName)
    }

    /// Moves a file, or copies it to another file system and removes it then.
    private func moveOrCopy(
        _ from: [UInt8], to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        do throws(ChangeFailure) {
            return try rename(from, to: to, picksName: picksName)
        } catch {
            guard error == .system(code: EXDEV) else { throw error }
        }
        let before = try stamp(of: from)
        let target = try copy(from, to, keepsLink: true, picksName: picksName)
        guard try stamp(of: from) == before else {
            _ = target.withPathString { unlink($0) }
            throw .changed
        }
        try remove(from)
        return target
    }

    /// Renames a file to the first name of a row that no file has.
    private func rename(
        _ from: [UInt8], to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        for number in 1...Self.mostNames {
            let target = number == 1 ? to : FileNames.inserting(" (\(number))", into: to)
            do throws(ChangeFailure) {
                try reportingChange {
                    from.withPathString { source in
                        target.withPathString { clinux_rename_exclusively(source, $0) }
                    }
                }
                FileReplacement.syncFolder(of: target)
                return target
            } catch {
                guard error == .exists, picksName else { throw error }
            }
        }
        throw .exists
    }

    // MARK: Contents

    /// Copies the contents of a file; with `keepsLink` a symbolic link is copied itself.
    private func copy(
        _ from: [UInt8], _ to: [UInt8], keepsLink: Bool = false, picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        let work = try makeWorkFolder(besides: to)
        let staged = work.file(named: to)
        if keepsLink, try status(from).st_mode & S_IFMT == S_IFLNK {
            try copyLink(from, to: staged)
        } else {
            try copyContents(of: from, to: staged)
        }
        return try rename(staged, to: to, picksName: picksName)
    }

    private func copyLink(_ path: [UInt8], to target: [UInt8]) throws(ChangeFailure) {
        // The kernel has no longer texts; one more byte for the NUL.
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        try reportingChange {
            path.withPathString { Int32(readlink($0, &text, text.count - 1)) }
        }
        try reportingChange { target.withPathString { symlink(text, $0) } }
    }

    private func copyContents(of path: [UInt8], to target: [UInt8]) throws(ChangeFailure) {
        let source = try reportingChange {
            path.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        }
        defer { close(source) }
        // The file that was opened counts: a link may lead to a device or a pipe without an end.
        var info = stat()
        try reportingChange { fstat(source, &info) }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw .refused(reason: localized("it is not a file"))
        }
        try FileCopy.make(
            target, from: source, like: source, keepsTimes: true, isStopped: isStopped)
    }

    private func save(
        _ path: [UInt8], like: [UInt8], _ contents: Int32
    ) throws(ChangeFailure) -> FileChange {
        let work = try makeWorkFolder(besides: path)
        let staged = work.file(named: path)
        let model =
            like.isEmpty ? -1 : like.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        defer { if model >= 0 { close(model) } }
        try FileCopy.make(staged, from: contents, like: model, keepsTimes: false)
        return .appeared(path: try rename(staged, to: path, picksName: true))
    }

    /// A link stays: the file that it leads to is replaced.
    private func replace(
        _ given: [UInt8], _ expected: FileStamp, _ contents: Int32, keepsTimes: Bool
    ) throws(ChangeFailure) -> FileChange {
        let path = try resolved(given)
        guard try stamp(of: path) == expected else { throw .changed }
        let work = try makeWorkFolder(besides: path)
        let staged = work.file(named: path)
        let model = try reportingChange {
            path.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        }
        defer { close(model) }
        try FileCopy.make(staged, from: contents, like: model, keepsTimes: keepsTimes)
        let original = try keepInTrash(path)
        do throws(ChangeFailure) { try install(staged, at: path, expected: expected) } catch {
            erase(original)
            throw error
        }
        return .replaced(path: path, original: original)
    }

    /// Gives a prepared file the name of the file `expected`, whose contents are in the trash.
    private func install(
        _ staged: [UInt8], at path: [UInt8], expected: FileStamp
    ) throws(ChangeFailure) {
        // A thumbnail that is made meanwhile would look current, since the time of the file is kept.
        onExchange(path)
        defer { onExchange(path) }
        do throws(ChangeFailure) {
            try reportingChange {
                staged.withPathString { first in path.withPathString { clinux_exchange(first, $0) }
                }
            }
        } catch {
            guard error == .system(code: EINVAL) || error == .system(code: ENOSYS) else {
                throw error
            }
            // The file system cannot exchange names: look first, then replace.
            guard try stamp(of: path) == expected else { throw .changed }
            try reportingChange {
                staged.withPathString { first in path.withPathString { Glibc.rename(first, $0) } }
            }
            return FileReplacement.syncFolder(of: path)
        }
        // Somebody may have written the file after it was looked at.
        guard (try? stamp(of: staged)) == expected else {
            try reportingChange {
                staged.withPathString { first in path.withPathString { clinux_exchange(first, $0) }
                }
            }
            throw .changed
        }
        FileReplacement.syncFolder(of: path)
    }

    // MARK: Sidecars

    private func moveSidecar(of from: [UInt8], to: [UInt8]) -> [FileChange] {
        let (old, new) = (FileNames.sidecar(of: from), FileNames.sidecar(of: to))
        guard hasFile(old), let target = try? move(old, new, picksName: false) else { return [] }
        return [.moved(from: old, to: target)]
    }

    private func copySidecar(of from: [UInt8], to: [UInt8]) -> [FileChange] {
        let (old, new) = (FileNames.sidecar(of: from), FileNames.sidecar(of: to))
        guard hasFile(old), let target = try? copy(old, new, picksName: false)
        else { return [] }
        return [.appeared(path: target)]
    }

    private func mark(
        _ path: [UInt8], _ change: MarkChange
    ) throws(ChangeFailure) -> FileChange? {
        _ = try status(path)
        let sidecar = FileNames.sidecar(of: path)
        let before = try SidecarFile.read(sidecar)
        let marks = change.applied(to: before.map { Sidecar.marks(in: $0) } ?? PictureMark())
        guard let after = try Sidecar.setting(marks, in: before) else { return nil }
        return try write(after, to: sidecar, expected: before)
    }

    /// Writes a small file, or removes it, if its contents are still those of `expected`.
    private func write(
        _ bytes: [UInt8]?, to path: [UInt8], expected: [UInt8]?
    ) throws(ChangeFailure) -> FileChange {
        guard try SidecarFile.read(path) == expected else { throw .changed }
        guard let bytes else {
            try remove(path)
            return .wrote(path: path, before: expected, after: nil)
        }
        let work = try makeWorkFolder(besides: path)
        let staged = work.file(named: path)
        try SidecarFile.write(bytes, to: staged, like: expected == nil ? nil : path)
        try reportingChange {
            staged.withPathString { first in
                path.withPathString { second in
                    expected == nil
                        ? clinux_rename_exclusively(first, second) : Glibc.rename(first, second)
                }
            }
        }
        FileReplacement.syncFolder(of: path)
        return .wrote(path: path, before: expected, after: bytes)
    }

    // MARK: Status

    private func makeWorkFolder(besides path: [UInt8]) throws(ChangeFailure) -> WorkFolder {
        do throws(SystemError) {
            return try WorkFolder(besides: path, journal)
        } catch { throw .system(code: error.code) }
    }

    private func link(_ from: [UInt8], _ to: [UInt8]) -> Int32 {
        from.withPathString { first in to.withPathString { Glibc.link(first, $0) } }
    }

    private func hasFile(_ path: [UInt8]) -> Bool {
        var info = stat()
        return path.withPathString { lstat($0, &info) } == 0 && info.st_mode & S_IFMT == S_IFREG
    }

    /// The path of a file without symbolic links.
    private func resolved(_ path: [UInt8]) throws(ChangeFailure) -> [UInt8] {
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

    private func stamp(of path: [UInt8]) throws(ChangeFailure) -> FileStamp {
        FileStamp(try status(path))
    }

    private func status(_ path: [UInt8]) throws(ChangeFailure) -> stat {
        var info = stat()
        try reportingChange { path.withPathString { lstat($0, &info) } }
        switch info.st_mode & S_IFMT {
        case S_IFREG: return info
        // A link is moved and removed itself; its contents are those of another file.
        case S_IFLNK: return info
        default: throw .refused(reason: localized("it is not a file"))
        }
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
