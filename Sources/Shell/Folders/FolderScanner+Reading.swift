import CLinux
import Glibc
import ImageTypes
import SystemCalls

/// Reading the given paths: files, folders, and their subfolders.
extension FolderScanner {
    /// Number of names read between two checks for a stop and for progress to post.
    private static let checkInterval = 64

    func read(_ path: FilePath, _ root: Int) {
        guard path.bytes != [UInt8(ascii: "-")] else { return readStandardInput(path, root) }
        var info = stat()
        do throws(SystemError) {
            try reporting { path.withCString { stat($0, &info) } }
        } catch { return report(path, error.pathMessage) }
        switch info.st_mode & S_IFMT {
        case S_IFDIR: readFolders(path, root)
        case S_IFREG: readFile(path, root, info)
        case S_IFIFO: report(path, PathMessage.pipe)
        case S_IFSOCK: report(path, PathMessage.socket)
        default: report(path, PathMessage.device)
        }
    }

    private func readFile(_ path: FilePath, _ root: Int, _ info: stat) {
        do throws(SystemError) {
            try reporting { path.withCString { access($0, R_OK) } }
        } catch { return report(path, error.pathMessage) }
        let folder = Folder(prefix: path.parentPrefix, root: root, only: path.name)
        let index = builder.index(of: folder)
        startWatching(folder, index)
        builder.see(
            ListingBuilder.FoundFile(
                place: ListingBuilder.Place(folder: index, name: path.name),
                inode: UInt64(info.st_ino),
                details: options.needsDetails ? Entry.Details(info) : nil))
        if root.isMultiple(of: Self.checkInterval) { postProgress() }
    }

    /// Reads standard input only once; a rescan keeps its entry.
    private func readStandardInput(_ path: FilePath, _ root: Int) {
        let name = Array("standard input".utf8)
        let folder = builder.index(of: Folder(prefix: [], root: root, only: name))
        let place = ListingBuilder.Place(folder: folder, name: name)
        guard !builder.contains(place) else {
            return builder.see(ListingBuilder.FoundFile(place: place))
        }
        do throws(StandardInput.Failure) {
            let memory = try StandardInput.read()
            builder.see(ListingBuilder.FoundFile(place: place, descriptor: memory))
        } catch {
            report(FilePath(name), error.reason)
        }
    }

    // MARK: Folders

    /// The traversal of a given folder and, if recursive, its subfolders.
    private struct Traversal {
        let root: Int
        let given: FilePath
        /// Folders still to be read.
        var pending: [[UInt8]]
        /// Links to folders, which are read after all real folders.
        var links: [[UInt8]] = []
        /// Folders already read; each folder is read once, so that links cause no cycles.
        var visited: Set<FolderIdentity> = []
        var count = 0
        var hasFailed = false

        init(_ given: FilePath, _ root: Int) {
            self.given = given
            self.root = root
            pending = [given.folderPrefix]
        }

        mutating func next() -> Folder? {
            if pending.isEmpty, !links.isEmpty {
                // Sorted, so that the order does not depend on the file system.
                links.sort { NaturalOrder.isOrdered($0, before: $1) }
                pending.append(links.removeFirst())
            }
            return pending.popLast().map {
                Folder(prefix: $0, root: root, givenLength: given.folderPrefix.count)
            }
        }
    }

    private func readFolders(_ path: FilePath, _ root: Int) {
        var traversal = Traversal(path, root)
        while !mailbox.isStopped, let folder = traversal.next() {
            do throws(SystemError) {
                try readFolder(folder, &traversal)
            } catch {
                let isGiven = folder.prefix.count == folder.givenLength
                report(isGiven ? path : FilePath(folder.prefix), error.pathMessage)
                traversal.hasFailed = true
            }
        }
        if traversal.count == 0, !traversal.hasFailed { report(path, PathMessage.noPicture) }
    }

    private func readFolder(
        _ folder: Folder, _ traversal: inout Traversal
    ) throws(SystemError) {
        let reader = try FolderReader(FilePath(folder.prefix))
        if let identity = reader.identity, !traversal.visited.insert(identity).inserted { return }
        let index = builder.index(of: folder)
        // Watch before reading: a file that is created in between is found twice, not missed.
        startWatching(folder, index)
        var names = 0
        while let item = reader.next() {
            names += 1
            if names.isMultiple(of: Self.checkInterval) {
                if mailbox.isStopped { return }
                postProgress()
            }
            if options.isRecursive,
                item.kind == .folder || (item.kind == .link && reader.isFolder(item.name))
            {
                let subfolder = folder.prefix + item.name + [UInt8(ascii: "/")]
                if item.kind == .folder {
                    traversal.pending.append(subfolder)
                } else {
                    traversal.links.append(subfolder)
                }
            } else if addPicture(item, in: index, reader) {
                traversal.count += 1
            }
        }
    }

    /// Lists an item if its name is that of a picture; returns whether the item is listed.
    private func addPicture(
        _ item: FolderReader.Item, in folder: Int, _ reader: borrowing FolderReader
    ) -> Bool {
        // Links are followed later, when the picture is opened.
        guard item.kind == .file || item.kind == .link, PictureFormat.matches(name: item.name)
        else { return false }
        builder.see(
            ListingBuilder.FoundFile(
                place: ListingBuilder.Place(folder: folder, name: item.name), inode: item.inode,
                details: options.needsDetails ? reader.details(of: item.name) : nil))
        return true
    }

    private func startWatching(_ folder: Folder, _ index: Int) {
        let path = folder.prefix.isEmpty ? FilePath(".") : FilePath(folder.prefix)
        guard let number = watch.add(path) else { return }
        if watched[number]?.contains(index) != true { watched[number, default: []].append(index) }
    }
}
