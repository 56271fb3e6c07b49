import CDesktop
package import Folders
package import ImageWire
import Glibc
import Localization

/// The trash of the desktop, by GIO.
///
/// All functions wait for the file system: call them on a thread of their own, or in the process for
/// files. No session bus is needed.
package enum Trash {
    /// Moves the file at an absolute path to the trash, a link as itself.
    ///
    /// Returns where the file is now; nil if that cannot be found, though the file is in the trash.
    @discardableResult
    package static func move(_ path: FilePath) throws(TrashError) -> TrashEntry? {
        guard let info = FileStatus.withoutLinks(path) else {
            throw .failed(localized("there is no such file any more"))
        }
        var number: Int32 = 0
        var text: UnsafeMutablePointer<CChar>?
        let result = path.withCString { cdesktop_trash($0, &number, &text) }
        defer { free(text) }
        switch Int(result) {
        case CDESKTOP_TRASH_DONE: return entry(of: FileIdentity(info), from: path)
        // The sentence of GLib is in English, and explains a mount to a programmer.
        case CDESKTOP_TRASH_MISSING: throw .noTrash(localized("there is no trash on this disk"))
        case CDESKTOP_TRASH_UNKNOWN: throw .noTrash(localized("GIO (libgio-2.0) is not installed"))
        default:
            guard number == 0 else { throw .system(number) }
            throw .noTrash(DisplayText.line(text.map { String(cString: $0) } ?? ""))
        }
    }

    // MARK: Finding

    /// The entry of a file that was at `path` before it was moved to the trash; nil if there is none.
    package static func entry(of identity: FileIdentity, from path: FilePath) -> TrashEntry? {
        for folder in TrashFolders.candidates(for: path, on: identity.device) {
            let named = TrashEntry(folder: folder, name: path.name, identity: identity)
            // A file with several names may be in the trash several times.
            var found = named.isThere ? [named] : []
            if found.first.map({ originalPath($0) == path }) == true { return named }
            found += entries(of: identity, in: folder)
            if let entry = found.first(where: { originalPath($0) == path }) ?? found.first {
                return entry
            }
        }
        return nil
    }

    private static func entries(of identity: FileIdentity, in folder: FilePath) -> [TrashEntry] {
        let files = folder.appending(Array("files".utf8))
        guard let stream = files.withCString({ opendir($0) }) else { return [] }
        defer { closedir(stream) }
        var (likely, others): ([[UInt8]], [[UInt8]]) = ([], [])
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if UInt64(entry.pointee.d_ino) == identity.inode {
                likely.append(name)
            } else {
                others.append(name)
            }
        }
        func check(_ names: [[UInt8]]) -> [TrashEntry] {
            names.map { TrashEntry(folder: folder, name: $0, identity: identity) }
                .filter(\.isThere)
        }
        // The numbers in a folder differ from those of the files on some layered file systems.
        let found = check(likely)
        return found.isEmpty ? check(others) : found
    }

    // MARK: Where a file was

    /// Where the file of an entry was, as its `.trashinfo` says; nil if that makes no sense.
    package static func originalPath(_ entry: TrashEntry) -> FilePath? {
        guard let path = info(of: entry)?.path else { return nil }
        if path.first == UInt8(ascii: "/") { return FilePath(path) }
        guard let top = top(of: entry) else { return nil }
        return top.appending(path)
    }

    /// Makes the `.trashinfo` of an entry say that its file was at `path`.
    package static func setOriginalPath(
        _ path: FilePath, of entry: TrashEntry
    ) throws(TrashError) {
        guard var info = info(of: entry) else {
            throw .failed(localized("the trash does not know where the file was"))
        }
        if let top = top(of: entry)?.folderPrefix, path.bytes.starts(with: top) {
            info.setPath(Array(path.bytes.dropFirst(top.count)))
        } else {
            info.setPath(path.bytes)
        }
        try TrashFiles.replace(entry.info, with: info.text)
    }

    private static func info(of entry: TrashEntry) -> TrashInfo? {
        TrashFiles.contents(of: entry.info, limit: TrashInfo.longest).flatMap { TrashInfo($0) }
    }

    /// The folder to which relative paths of an entry refer; nil in the trash of the home folder.
    private static func top(of entry: TrashEntry) -> FilePath? {
        guard entry.folder != TrashFolders.home() else { return nil }
        let components = entry.folder.bytes.split(separator: UInt8(ascii: "/"))
        // `.Trash/1000` or `.Trash-1000`.
        let isShared = components.dropLast().last?.elementsEqual(".Trash".utf8) ?? false
        let kept = components.dropLast(isShared ? 2 : 1)
        return FilePath([UInt8(ascii: "/")] + Array(kept.joined(separator: [UInt8(ascii: "/")])))
    }
}
