import CLinux
import Glibc
import ImageTypes

/// Reading what was given: files, folders, and folders in them.
extension FolderScanner {
    /// How many names are read before someone else gets a word in.
    private static let pause = 64

    func read(_ path: FilePath, _ root: Int) {
        guard path.bytes != [UInt8(ascii: "-")] else { return readStandardInput(path, root) }
        var info = stat()
        guard path.withCString({ stat($0, &info) }) == 0 else {
            return report(path, FileWords.reason(errno))
        }
        switch info.st_mode & S_IFMT {
        case S_IFDIR: readFolders(path, root)
        case S_IFREG: readFile(path, root, info)
        case S_IFIFO: report(path, FileWords.pipe)
        case S_IFSOCK: report(path, FileWords.socket)
        default: report(path, FileWords.device)
        }
    }

    private func readFile(_ path: FilePath, _ root: Int, _ info: stat) {
        guard path.withCString({ access($0, R_OK) }) == 0 else {
            return report(path, FileWords.reason(errno))
        }
        let folder = Folder(prefix: path.parentPrefix, root: root, only: path.name)
        let index = builder.index(of: folder)
        startWatching(folder, index)
        builder.see(
            ListingBuilder.FoundFile(
                place: ListingBuilder.Place(folder: index, name: path.name),
                inode: UInt64(info.st_ino),
                details: options.needsDetails ? Entry.Details(info) : nil))
        if root.isMultiple(of: Self.pause) { postProgress() }
    }

    /// It can be read only once, so that a census leaves it as it is.
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

    /// One given folder while it is read, with those in it where that is wanted.
    private struct Tour {
        let root: Int
        let given: FilePath
        /// Folders still to be read.
        var pending: [[UInt8]]
        /// Links to folders, for when no real one is left.
        var links: [[UInt8]] = []
        /// Each folder is read once, whatever links lead there, so that links can neither go round
        /// in circles nor multiply.
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
                // In an order that does not depend on the file system's.
                links.sort { NaturalOrder.isOrdered($0, before: $1) }
                pending.append(links.removeFirst())
            }
            return pending.popLast().map {
                Folder(prefix: $0, root: root, givenLength: given.folderPrefix.count)
            }
        }
    }

    private func readFolders(_ path: FilePath, _ root: Int) {
        var tour = Tour(path, root)
        while !mailbox.isStopped, let folder = tour.next() {
            do throws(FolderReader.Failure) {
                try readFolder(folder, &tour)
            } catch {
                let isGiven = folder.prefix.count == folder.givenLength
                report(isGiven ? path : FilePath(folder.prefix), FileWords.reason(error.code))
                tour.hasFailed = true
            }
        }
        if tour.count == 0, !tour.hasFailed { report(path, FileWords.noPicture) }
    }

    private func readFolder(_ folder: Folder, _ tour: inout Tour) throws(FolderReader.Failure) {
        let reader = try FolderReader(FilePath(folder.prefix))
        if let identity = reader.identity, !tour.visited.insert(identity).inserted { return }
        let index = builder.index(of: folder)
        // First watched, then read: what comes in between is seen twice, not missed.
        startWatching(folder, index)
        var names = 0
        while let item = reader.next() {
            names += 1
            if names.isMultiple(of: Self.pause) {
                if mailbox.isStopped { return }
                postProgress()
            }
            if options.isRecursive,
                item.kind == .folder || (item.kind == .link && reader.isFolder(item.name))
            {
                let below = folder.prefix + item.name + [UInt8(ascii: "/")]
                if item.kind == .folder {
                    tour.pending.append(below)
                } else {
                    tour.links.append(below)
                }
            } else if see(item, in: index, reader) {
                tour.count += 1
            }
        }
    }

    /// Lists a name if it is a picture's; whether it is.
    private func see(
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
