package import FileChanges
import Folders
package import ImageWire

/// The trash of the desktop for changes of files.
package struct DesktopTrash: TrashBin {
    package init() {}

    package func move(_ path: [UInt8]) throws(ChangeFailure) -> TrashedFile {
        do throws(TrashError) {
            let entry = try Trash.move(FilePath(path))
            // A file that is not found again is safe in the trash, but only the desktop restores it.
            return entry.map { TrashedFile($0) } ?? .unknown
        } catch { throw ChangeFailure(error) }
    }

    package func setOriginalPath(
        _ path: [UInt8], of file: TrashedFile
    ) throws(ChangeFailure) {
        guard let entry = TrashEntry(file) else { return }
        do throws(TrashError) { try Trash.setOriginalPath(FilePath(path), of: entry) } catch {
            throw ChangeFailure(error)
        }
    }
}

extension ChangeFailure {
    fileprivate init(_ error: TrashError) {
        switch error {
        case .noTrash(let reason): self = .noTrash(reason: reason)
        case .system(let code): self = .system(code: code)
        case .failed(let reason): self = .refused(reason: reason)
        }
    }
}

extension TrashedFile {
    fileprivate init(_ entry: TrashEntry) {
        self.init(
            file: entry.file.bytes, information: entry.info.bytes, identity: entry.identity)
    }

    /// A file of which nothing is known but that it is in the trash.
    fileprivate static let unknown = TrashedFile(
        file: [], information: [], identity: FileIdentity(device: 0, inode: 0))
}

extension TrashEntry {
    /// Nil for a file of which nothing is known.
    fileprivate init?(_ file: TrashedFile) {
        guard !file.file.isEmpty else { return nil }
        // The folders `files` and its own.
        let files = FileNames.folder(of: file.file).dropLast()
        let folder = FileNames.folder(of: Array(files)).dropLast()
        self.init(
            folder: FilePath(Array(folder)), name: FileNames.name(of: file.file),
            identity: file.identity)
    }
}
