import Glibc
import ImageWire
import SystemCalls

/// Pictures and their companions, which move as one.
///
/// Companions are at the new place before their picture is, as second names or copies, and leave the old
/// place after the picture. So the picture has its companions at every moment, and what is interrupted
/// leaves at most a second name or a copy of them. A companion that cannot be removed from the old
/// place stays there as one.
///
/// A file with the name of a companion that is there before belongs to another picture: such a name is
/// taken.
extension FileChanger {
    /// A picture with its companions.
    func files(of picture: [UInt8]) throws(ChangeFailure) -> PictureFiles {
        _ = try status(picture)
        var files = PictureFiles(picture: picture)
        for suffix in CompanionNames.suffixes {
            do throws(ChangeFailure) {
                files.known.insert(try stamp(of: picture + suffix).identity)
                files.companions.append(.init(suffix: suffix, path: picture + suffix))
            } catch {
                switch error {
                // No such file, or a folder.
                case .system(ENOENT), .system(ENAMETOOLONG), .refused: continue
                default: throw error
                }
            }
        }
        return files
    }

    func movePicture(
        _ from: [UInt8], _ to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [FileChange] {
        let files = try files(of: from)
        let target = try transfer(files, to: to, picksName: picksName)
        return zip(files.paths(at: from), files.paths(at: target)).map { .moved(from: $0, to: $1) }
    }

    /// Copies the contents of a picture and of its companions.
    func copyPicture(
        _ from: [UInt8], _ to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [FileChange] {
        var files = try files(of: from)
        files.known = []
        files.companions.removeAll { !leadsToFile($0.path) }
        let work = try makeWorkFolder(besides: to)
        var staged = try stage(files, to: to, in: work, copyContents)
        staged.picture = work.file(named: to)
        try copyContents(of: from, to: staged.picture)
        let target = try place(staged, at: to, picksName: picksName)
        return files.paths(at: target).map { .appeared(path: $0) }
    }

    /// Whether a path is a file, or a link to one: other links have no contents to copy.
    private func leadsToFile(_ path: [UInt8]) -> Bool {
        var info = stat()
        return path.withPathString { stat($0, &info) } == 0 && info.isRegularFile
    }

    /// Removes a picture for good, then its companions.
    func removePicture(_ path: [UInt8]) throws(ChangeFailure) {
        let files = try files(of: path)
        try remove(path)
        for companion in files.companions {
            do throws(ChangeFailure) { try remove(companion.path) } catch {
                guard error != .system(code: ENOENT) else { continue }
                throw .companionStays(path: companion.path)
            }
        }
    }

    // MARK: Moving

    /// Moves files as one, or copies them to another file system and removes them then; returns where
    /// the picture is.
    func transfer(
        _ files: PictureFiles, to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        do throws(ChangeFailure) {
            return try transferByNames(files, to: to, picksName: picksName)
        } catch {
            guard error == .system(code: EXDEV) else { throw error }
        }
        return try transferByCopies(files, to: to, picksName: picksName)
    }

    private func transferByNames(
        _ files: PictureFiles, to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        guard !files.companions.isEmpty else {
            return try place(files, at: to, picksName: picksName)
        }
        let work = try makeWorkFolder(besides: to)
        let stamps = stamps(files)
        let staged = try stage(files, to: to, in: work, linkOrCopy)
        let target = try place(staged, at: to, picksName: picksName)
        dropCompanions(of: files, staged, stamps, movedTo: target)
        return target
    }

    private func transferByCopies(
        _ files: PictureFiles, to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        let (before, stamps) = (try stamp(of: files.picture), stamps(files))
        let work = try makeWorkFolder(besides: to)
        var staged = try stage(files, to: to, in: work, linkOrCopy)
        staged.picture = work.file(named: to)
        try copyItself(files.picture, to: staged.picture)
        let target = try place(staged, at: to, picksName: picksName)
        do throws(ChangeFailure) {
            guard try stamp(of: files.picture) == before else { throw .changed }
            try remove(files.picture)
        } catch {
            // Where the original is gone, the copy may be the only one.
            let isGone = identity(files.picture) == nil
            guard isGone, error == .system(code: ENOENT) else {
                if !isGone { for path in files.paths(at: target) { removeQuietly(path) } }
                throw error
            }
        }
        dropCompanions(of: files, staged, stamps, movedTo: target)
        return target
    }

    private func stamps(_ files: PictureFiles) -> [FileStamp?] {
        files.companions.map { try? stamp(of: $0.path) }
    }

    /// Removes companions that are at their new places, too.
    ///
    /// One that was written meanwhile replaces what is at the new place.
    private func dropCompanions(
        of files: PictureFiles, _ staged: PictureFiles, _ stamps: [FileStamp?],
        movedTo target: [UInt8]
    ) {
        for (number, companion) in files.companions.enumerated() {
            let path = target + companion.suffix
            guard let info = try? status(companion.path), let there = identity(path) else {
                continue
            }
            let isStaged = identity(staged.companions[number].path) == FileIdentity(info)
            if there == FileIdentity(info) {
                // Both paths can be one name, where letters of both cases are the same.
                if info.st_nlink > (isStaged ? 2 : 1) { removeQuietly(companion.path) }
            } else if FileStamp(info) != stamps[number] {
                _ = companion.path.withPathString { first in
                    path.withPathString { Glibc.rename(first, $0) }
                }
            } else {
                removeQuietly(companion.path)
            }
        }
    }

    // MARK: Staging

    /// The files with second names of the companions in a hidden folder, as `make` makes them.
    private func stage(
        _ files: PictureFiles, to: [UInt8], in work: borrowing WorkFolder,
        _ make: (_ from: [UInt8], _ to: [UInt8]) throws(ChangeFailure) -> Void
    ) throws(ChangeFailure) -> PictureFiles {
        var staged = files
        for (number, companion) in files.companions.enumerated() {
            let path = work.file(named: to + companion.suffix)
            try make(companion.path, path)
            staged.companions[number] = .init(suffix: companion.suffix, path: path)
        }
        return staged
    }

    /// A second name, or a copy where the file cannot have two names.
    func linkOrCopy(_ from: [UInt8], _ to: [UInt8]) throws(ChangeFailure) {
        if link(from, to) != 0 { try copyItself(from, to: to) }
    }

    /// Gives files their names: companions first, then the picture; returns the name of the picture.
    ///
    /// If that fails, the files have their former names.
    func place(
        _ files: PictureFiles, at to: [UInt8], picksName: Bool
    ) throws(ChangeFailure) -> [UInt8] {
        let target = try withFreeName(to, picksName: picksName, suffix: files.longestSuffix) {
            target throws(ChangeFailure) in
            // Companions never stand beside another picture, not even for a moment.
            if let there = identity(target), there != identity(files.picture) { throw .exists }
            let missing = try companionsToPlace(files, at: target)
            var placed: [PictureFiles.Companion] = []
            do throws(ChangeFailure) {
                for companion in missing {
                    try renameExclusively(companion.path, target + companion.suffix)
                    placed.append(companion)
                }
                try renameExclusively(files.picture, target)
            } catch {
                for companion in placed {
                    try? renameExclusively(target + companion.suffix, companion.path)
                }
                throw error
            }
        }
        FileReplacement.syncFolder(of: target)
        return target
    }

    /// The companions that are not at their places yet; throws if one of another picture is at any.
    private func companionsToPlace(
        _ files: PictureFiles, at target: [UInt8]
    ) throws(ChangeFailure) -> [PictureFiles.Companion] {
        var there: Set<[UInt8]> = []
        for path in CompanionNames.all(of: target) {
            guard let identity = identity(path) else { continue }
            guard files.known.contains(identity) else { throw .companionOfAnother(path: path) }
            there.insert(path)
        }
        return files.companions.filter { !there.contains(target + $0.suffix) }
    }

    /// What file is at a path, a link as itself; nil without any.
    func identity(_ path: [UInt8]) -> FileIdentity? {
        var info = stat()
        return path.withPathString { lstat($0, &info) } == 0 ? FileIdentity(info) : nil
    }
}
