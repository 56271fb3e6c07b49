import Glibc
import ImageWire
import Localization
import SystemCalls

/// Files that go to the trash, and come back.
extension FileChanger {
    func moveToTrash(_ path: [UInt8]) throws(ChangeFailure) -> FileChange {
        _ = try status(path)
        return .trashed(path: path, try trash.move(path))
    }

    /// Puts a copy of the file, or a second name of it, into the trash; the file stays.
    func keepInTrash(_ path: [UInt8]) throws(ChangeFailure) -> TrashedFile {
        let work = try makeWorkFolder(besides: path)
        let second = work.file(named: path)
        if link(path, second) != 0 { try copyContents(of: path, to: second) }
        let kept = try trash.move(second)
        // The entry is complete without its path, too: it only names the hidden folder then.
        try? trash.setOriginalPath(path, of: kept)
        return kept
    }

    func restore(
        _ file: TrashedFile, to path: [UInt8]
    ) throws(ChangeFailure) -> FileChange {
        try check(file)
        let target = try moveOrCopy(file.file, to: path, picksName: true)
        forget(file)
        return .appeared(path: target)
    }

    /// Exchanges a file for the one in the trash; returns where its former contents are in the trash.
    func exchange(
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
    func erase(_ file: TrashedFile) {
        _ = file.file.withPathString { unlink($0) }
        forget(file)
    }
}
