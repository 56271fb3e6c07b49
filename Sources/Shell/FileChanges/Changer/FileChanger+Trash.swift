import Glibc
import ImageWire
import Localization
import SystemCalls

/// Files that go to the trash, and come back.
extension FileChanger {
    /// Moves a picture and its companions to the trash as one.
    ///
    /// Companions are in the trash before their picture, and leave their place after the picture. A
    /// companion that cannot be removed stays there, too.
    func trashPicture(_ path: [UInt8]) throws(ChangeFailure) -> [FileChange] {
        let files = try files(of: path)
        var kept: [(path: [UInt8], stamp: FileStamp, file: TrashedFile)] = []
        let picture: TrashedFile
        do throws(ChangeFailure) {
            for companion in files.companions {
                let stamp = try stamp(of: companion.path)
                kept.append((companion.path, stamp, try keepInTrash(companion.path)))
            }
            picture = try moveToTrash(path)
        } catch {
            for companion in kept { erase(companion.file) }
            // A full disk has no room for the trash, and a deletion for good makes room.
            let isFull = error == .system(code: ENOSPC) || error == .system(code: EDQUOT)
            throw isFull ? .trashFails(code: ENOSPC) : error
        }
        return [.trashed(path: path, picture)]
            + kept.map { .trashed(path: $0.path, drop($0.path, $0.stamp, in: $0.file)) }
    }

    /// Removes a companion that is in the trash, too; returns the file in the trash.
    ///
    /// A companion that was written meanwhile goes to the trash instead of the former one.
    private func drop(
        _ path: [UInt8], _ before: FileStamp, in kept: TrashedFile
    ) -> TrashedFile {
        // The trash does not say where the former one is, so an undo would not find it.
        guard !kept.file.isEmpty else { return (try? moveToTrash(path)) ?? kept }
        guard let now = try? stamp(of: path), now != before else {
            removeQuietly(path)
            return kept
        }
        guard let newer = try? moveToTrash(path) else { return kept }
        erase(kept)
        return newer
    }

    /// Moves a file to the trash, under a shorter name where its own one is too long for the trash.
    private func moveToTrash(_ path: [UInt8]) throws(ChangeFailure) -> TrashedFile {
        do throws(ChangeFailure) { return try moveItself(path) } catch {
            guard error == .trashFails(code: ENAMETOOLONG) else { throw error }
        }
        let before = try stamp(of: path)
        let kept = try keepInTrash(path)
        do throws(ChangeFailure) {
            guard try stamp(of: path) == before else { throw .changed }
            try remove(path)
        } catch {
            // Where the file is gone, the one in the trash may be the only one.
            guard identity(path) == nil else {
                erase(kept)
                throw error
            }
        }
        return kept
    }

    /// Moves a file to the trash; tells an error of the trash apart from one of the file's own folder.
    private func moveItself(_ path: [UInt8]) throws(ChangeFailure) -> TrashedFile {
        do throws(ChangeFailure) { return try trash.move(path) } catch {
            let folder = FileNames.folder(of: path)
            guard case .system(let code) = error, identity(path) != nil,
                folder.withPathString({ access($0, W_OK | X_OK) }) == 0
            else { throw error }
            throw .trashFails(code: code)
        }
    }

    /// Puts a copy of the file, or a second name of it, into the trash, where a long name is cut; the file
    /// stays.
    func keepInTrash(_ path: [UInt8]) throws(ChangeFailure) -> TrashedFile {
        let work = try makeWorkFolder(besides: path)
        let second = work.file(named: path)
        try linkOrCopy(path, second)
        let kept = try moveItself(second)
        // The entry is complete without its path, too: it only names the hidden folder then.
        try? trash.setOriginalPath(path, of: kept)
        return kept
    }

    /// Puts a picture and its companions back as one, under another name if theirs are taken; returns
    /// the changes, or for a companion why it did not come back.
    func restore(
        _ file: TrashedFile, _ companions: [(suffix: [UInt8], file: TrashedFile)], to path: [UInt8]
    ) throws(ChangeFailure) -> [Result<FileChange, ChangeFailure>] {
        try check(file)
        // The person may have restored a companion by other means.
        var files = PictureFiles(picture: file.file, known: Set(companions.map(\.file.identity)))
        for companion in companions where (try? check(companion.file)) != nil {
            files.companions.append(.init(suffix: companion.suffix, path: companion.file.file))
        }
        let target = try transfer(files, to: path, picksName: true)
        for file in [file] + companions.map(\.file) where identity(file.file) == nil {
            forget(file)
        }
        let pictures: Result<FileChange, ChangeFailure> = .success(.appeared(path: target))
        return [pictures]
            + companions.map { suffix, _ in
                identity(target + suffix) == nil
                    ? .failure(Self.isGone) : .success(.appeared(path: target + suffix))
            }
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
        else { throw Self.isGone }
    }

    private static var isGone: ChangeFailure {
        .refused(reason: localized("it is not in the trash any more"))
    }

    /// Removes the text about a file that has left the trash.
    private func forget(_ file: TrashedFile) {
        if !file.information.isEmpty { _ = file.information.withPathString { unlink($0) } }
    }

    /// Removes a file from the trash whose contents are elsewhere, too.
    func erase(_ file: TrashedFile) {
        removeQuietly(file.file)
        forget(file)
    }
}
