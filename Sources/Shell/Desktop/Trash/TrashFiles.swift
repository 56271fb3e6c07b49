import CLinux
package import Folders
import Glibc
import Localization
import SystemCalls

/// Reads and writes the small files of a trash folder.
enum TrashFiles {
    /// The contents of a regular file; nil for a link, another kind of file, and a longer one.
    static func contents(of path: FilePath, limit: Int) -> [UInt8]? {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = path.withCString { open($0, flags) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.isRegularFile else { return nil }
        return try? readToEnd(of: descriptor, limit: limit)
    }
}

extension Trash {
    static func replace(_ path: FilePath, with bytes: [UInt8]) throws(TrashError) {
        do throws(SystemError) {
            try FileReplacement.write(bytes, to: path.bytes, isSynced: true)
        } catch { throw .failed("the trash cannot be changed: \(error)") }
    }

    /// Moves the file of an entry out of the trash, to an absolute path where no file is.
    ///
    /// Where that is on another file system, the file is copied first. A failure leaves the file in the
    /// trash.
    package static func restore(_ entry: TrashEntry, to path: FilePath) throws(TrashError) {
        guard entry.isThere else {
            throw .failed(localized("the file is not in the trash any more"))
        }
        do throws(SystemError) {
            try RenameNew.move(entry.file, to: path)
        } catch {
            switch error.code {
            case EEXIST: throw .nameExists
            case EXDEV: try copyOut(entry, to: path)
            case ENOENT: throw .failed(localized("the folder of the file is not there any more"))
            default: throw .failed("it cannot be moved out of the trash: \(error)")
            }
        }
        // A leftover without its file is harmless: programs skip it.
        _ = entry.info.withCString { unlink($0) }
    }

    private static func copyOut(_ entry: TrashEntry, to path: FilePath) throws(TrashError) {
        do throws(SystemError) {
            try FileCopy.copy(entry.file, to: path)
        } catch {
            if error.code == EEXIST { throw .nameExists }
            throw .failed("it cannot be copied out of the trash: \(error)")
        }
        _ = entry.file.withCString { unlink($0) }
    }

    /// Deletes the file of an entry for good.
    package static func erase(_ entry: TrashEntry) throws(TrashError) {
        guard entry.isThere else {
            throw .failed(localized("the file is not in the trash any more"))
        }
        do throws(SystemError) {
            try reporting { entry.file.withCString { unlink($0) } }
        } catch {
            throw .failed(
                error.code == EISDIR || error.code == EPERM
                    ? "it is a folder, or may not be deleted" : "it cannot be deleted: \(error)")
        }
        _ = entry.info.withCString { unlink($0) }
    }
}

/// Moves a file to a name that no file has.
enum RenameNew {
    /// Throws EEXIST where the name exists, and EXDEV between file systems.
    static func move(_ old: FilePath, to new: FilePath) throws(SystemError) {
        do throws(SystemError) {
            try reporting {
                old.withCString { old in new.withCString { clinux_rename_new(old, $0) } }
            }
        } catch {
            // Some network file systems cannot tell whether a name exists; a hard link can.
            guard [EINVAL, ENOSYS].contains(error.code) else { throw error }
            try reporting { old.withCString { old in new.withCString { link(old, $0) } } }
            _ = old.withCString { unlink($0) }
        }
    }
}
