import FileAccess
import Glibc
import ImageTypes
import ImageWire
import Localization
import SystemCalls

/// Reading the given paths: files, folders, and their subfolders.
extension FolderScanner {
    /// Number of given files between two checks for progress to post.
    private static let checkInterval = 64

    /// Reads a given path, or where its file is since a rename.
    ///
    /// The given name counts again as soon as a file has it.
    func readGiven(_ root: Int) {
        guard let new = newPaths[root] else { return read(paths[root], root) }
        let isBack = !isGone(paths[root])
        if isBack { newPaths[root] = nil }
        guard !isBack, !isGone(new) else { return read(paths[root], root) }
        read(new, root)
        guard case .watched(let number)? = polled.parents[new.parentPrefix]?.watching else {
            return
        }
        watch.table.add(number, folder: givenPlace(root).folder)
    }

    private func isGone(_ path: FilePath) -> Bool {
        do throws(SystemError) {
            _ = try files.find(path.bytes)
            return false
        } catch { return error.code == ENOENT || error.code == ENOTDIR }
    }

    /// The place of a given file under the name that was given.
    func givenPlace(_ root: Int) -> ListingBuilder.Place {
        let (prefix, name) = (paths[root].parentPrefix, paths[root].name)
        let index = builder.index(of: Folder(prefix: prefix, root: root, only: name))
        return ListingBuilder.Place(folder: index, name: name)
    }

    private func read(_ path: FilePath, _ root: Int) {
        if let input = options.inputs[path] { return read(input, root) }
        // The server would open a descriptor of its own.
        guard path.descriptor == nil else {
            return status.report(path, SystemError(code: ENOENT).pathMessage)
        }
        guard !options.keepsVanished || !mounts.isUnmounted(root) else {
            let error = SystemError(code: ENOENT)
            var unmounted = UnreadPath(path, root: root, error, keepsVanished: true)
            unmounted.isUnmounted = true
            unread.append(unmounted)
            return status.report(path, error.pathMessage)
        }
        // Thousands of files may be given, and nobody asks where they were mounted.
        if options.keepsVanished { mounts.noteReading(of: root) }
        do throws(SystemError) {
            let node = try files.find(path.bytes)
            switch node.kind {
            case .folder:
                status.hasFolder = true
                readFolders(path, root)
            case .file, .link: try see(path, root, node)
            case .pipe: status.report(path, PathMessage.pipe)
            case .socket: status.report(path, PathMessage.socket)
            case .device: status.report(path, PathMessage.device)
            }
        } catch { fail(path, root, error) }
    }

    /// Reports an error of a path, but not one of a server that has ended: another one reads the path.
    ///
    /// `root` is the number of the given path that the path belongs to.
    private func fail(_ path: FilePath, _ root: Int, _ error: SystemError) {
        guard files.isConnected else { return }
        let failure = UnreadPath(
            path, root: root, error, keepsVanished: options.keepsVanished)
        unread.append(failure)
        if !failure.isStalled { status.report(path, error.pathMessage) }
    }

    private func see(_ path: FilePath, _ root: Int, _ node: FileNode) throws(SystemError) {
        var node = node
        let prefix = path.parentPrefix
        let index = builder.index(of: Folder(prefix: prefix, root: root, only: path.name))
        if let known = polled.parents[prefix] {
            note(known, of: index, prefix)
        } else {
            note(try watchParent(prefix), of: index, prefix)
            // A change before the folder was watched is not told.
            node = try files.find(path.bytes)
        }
        builder.see(
            ListingBuilder.FoundFile(
                place: ListingBuilder.Place(folder: index, name: path.name), inode: node.inode,
                details: options.needsDetails ? node.details.map { Entry.Details($0) } : nil))
        if root.isMultiple(of: Self.checkInterval) { postProgress() }
    }

    /// Watches the folder of a given file, and the way of the folder.
    private func watchParent(_ prefix: [UInt8]) throws(SystemError) -> FolderClient.FolderAnswer {
        let folder = prefix.isEmpty ? Array(".".utf8) : prefix
        try watchWay(to: folder)
        let answer = try files.watch(folder)
        polled.parents[prefix] = answer
        if answer.origin == .remote { polled.ways[folder] = nil }
        return answer
    }

    // MARK: Inputs

    /// Lists an input that was read, or waits for the others; a rescan keeps its entry.
    private func read(_ input: GivenInput, _ root: Int) {
        let folder = builder.index(of: Folder(prefix: [], root: root, only: input.name))
        switch input.state {
        case .waiting: awaited.insert(input)
        case .read(let memory):
            builder.see(
                ListingBuilder.FoundFile(
                    place: ListingBuilder.Place(folder: folder, name: input.name),
                    descriptor: memory.descriptor))
        case .failed(let reason): status.report(FilePath(input.name), reason)
        }
    }

    /// Lists the awaited inputs that have arrived; returns whether there were any.
    func takeInputs() -> Bool {
        let arrived = awaited.filter(\.hasArrived)
        awaited.subtract(arrived)
        for (root, path) in paths.enumerated() {
            if let input = options.inputs[path], arrived.contains(input) { read(input, root) }
        }
        guard !arrived.isEmpty else { return false }
        status.endReading()
        return true
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
        /// The links that were followed.
        var followed: Set<[UInt8]> = []
        /// Folders already read; each folder is read once, so that links cause no cycles.
        var visited: Set<FileIdentity> = []
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
                followed.formUnion(pending)
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
                fail(isGiven ? path : FilePath(folder.prefix), root, error)
                traversal.hasFailed = true
                // The path is looked at because nothing could be read.
                polled.ways[folder.prefix] = nil
            }
        }
        if traversal.count == 0, !traversal.hasFailed, status.subfolders.isEmpty {
            status.report(path, PathMessage.noPicture)
        }
    }

    private func readFolder(
        _ folder: Folder, _ traversal: inout Traversal
    ) throws(SystemError) {
        let index = builder.index(of: folder)
        let isGiven = folder.prefix.count == folder.givenLength
        if isGiven || traversal.followed.contains(folder.prefix) {
            try watchWay(to: folder.prefix)
        }
        var isNew = true
        var names = FolderNames()
        var newcomers: [ListingBuilder.FoundFile] = []
        try files.list(
            folder.prefix, wantsDetails: options.needsDetails,
            wantsSubfolders: options.wantsSubfolders
        ) { answer in
            isNew = traversal.visited.insert(answer.identity).inserted
            if isNew { note(answer, of: index, folder.prefix) }
        } onItems: { items in
            guard isNew, !mailbox.isStopped else { return }
            for item in items {
                names.add(item)
                guard let found = found(item, in: folder, index, &traversal) else { continue }
                if status.hasRead, !builder.contains(found.place) {
                    newcomers.append(found)
                } else {
                    builder.see(found)
                }
            }
            postProgress()
        }
        polled.folders[index]?.names = names
        let isRemote = polled.folders[index]?.isRemote == true
        if isRemote { polled.ways[folder.prefix] = nil }
        try receive(newcomers, isRemote: isRemote)
    }

    /// The picture that an item is; nil for a folder, which is read later.
    private func found(
        _ item: FolderItem, in folder: Folder, _ index: Int, _ traversal: inout Traversal
    ) -> ListingBuilder.FoundFile? {
        switch item.kind {
        case .folder where !options.isRecursive, .linkedFolder where !options.isRecursive:
            status.subfolders.append(Subfolder(name: item.name, prefix: folder.prefix))
        case .folder: traversal.pending.append(folder.prefix + item.name + [UInt8(ascii: "/")])
        case .linkedFolder: traversal.links.append(folder.prefix + item.name + [UInt8(ascii: "/")])
        case .picture:
            traversal.count += 1
            return ListingBuilder.FoundFile(
                place: ListingBuilder.Place(folder: index, name: item.name), inode: item.inode,
                details: item.details.map { Entry.Details($0) })
        }
        return nil
    }

    /// Notes whether the system tells of the changes in a folder.
    private func note(
        _ answer: FolderClient.FolderAnswer, of folder: Int, _ prefix: [UInt8]
    ) {
        if case .watched(let number) = answer.watching { watch.table.add(number, folder: folder) }
        if answer.watching.isRefusedByLimit { status.hasReachedWatchLimit = true }
        polled.folders[folder] = PolledFolder(prefix, answer)
    }
}

extension Entry.Details {
    init(_ details: FileDetails) {
        modified = Timestamp(seconds: details.seconds, nanoseconds: details.nanoseconds)
        size = details.size
    }
}
