import Glibc
import ImageWire
import SystemCalls

/// A hidden folder beside a file, for the steps of one change.
///
/// The folder has the name of the file while the file's next state is prepared. The journal names the
/// folder from before it is made until it is removed, and its owner holds a lock (flock(2)), so that
/// another run removes what a loss of power or a kill has left. At every moment each file in the folder
/// is a copy or a second name of one that is elsewhere, too: removing it loses nothing.
struct WorkFolder: ~Copyable {
    let path: [UInt8]
    private let descriptor: Int32
    private let journal: ChangeJournal

    static let prefix = ".vitrine-"

    /// Makes a folder in the folder of the file at an absolute path.
    init(besides file: [UInt8], _ journal: ChangeJournal) throws(SystemError) {
        (path, descriptor) = try Self.make(besides: file, journal)
        self.journal = journal
    }

    private static func make(
        besides file: [UInt8], _ journal: ChangeJournal
    ) throws(SystemError) -> ([UInt8], Int32) {
        while true {
            let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            let path = FileNames.folder(of: file) + Array((Self.prefix + number).utf8)
            journal.append(.work(path), isSynced: true)
            do throws(SystemError) {
                guard let descriptor = try Self.makeLocked(path) else { continue }
                return (path, descriptor)
            } catch {
                rmdirQuietly(path)
                journal.append(.free(path))
                throw error
            }
        }
    }

    /// Nil if another run has removed the folder before the lock, as left by an ended process.
    private static func makeLocked(_ path: [UInt8]) throws(SystemError) -> Int32? {
        try reporting { path.withPathString { mkdir($0, 0o700) } }
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try reporting {
                path.withPathString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            }
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
        if FileLock.acquire(descriptor, at: path) { return descriptor }
        close(descriptor)
        return nil
    }

    /// The longest name in the folder, in bytes.
    ///
    /// A file may go to the trash from the folder: the trash adds a number and `.trashinfo`, and the names
    /// of eCryptfs have at most 143 bytes.
    private static let longestName = 120

    /// The path in the folder for the file with the name of another path, which is cut if it is long.
    func file(named path: [UInt8]) -> [UInt8] {
        self.path + [FileNames.separator]
            + FileNames.name(of: FileNames.inserting("", into: path, upTo: Self.longestName))
    }

    deinit {
        Self.empty(path)
        rmdirQuietly(path)
        close(descriptor)
        journal.append(.free(path))
    }

    /// Removes the folders that ended processes have left.
    ///
    /// The line of a folder that is not there stays in the journal: another process may be about to make
    /// the folder, or a medium that was pulled may come back with the folder.
    static func removeLeftovers(_ journal: ChangeJournal) {
        for folder in journal.read().workFolders {
            let descriptor = folder.withPathString {
                open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard FileNames.name(of: folder).starts(with: prefix.utf8),
                FileLock.acquireAtOnce(descriptor)
            else { continue }
            empty(folder)
            rmdirQuietly(folder)
            journal.append(.free(folder))
        }
    }

    /// Removes the files of the folder.
    private static func empty(_ folder: [UInt8]) {
        guard let stream = folder.withPathString({ opendir($0) }) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != [UInt8(ascii: ".")], name != Array("..".utf8) else { continue }
            _ = (folder + [FileNames.separator] + name).withPathString { unlink($0) }
        }
    }
}

private func rmdirQuietly(_ path: [UInt8]) { _ = path.withPathString { rmdir($0) } }

/// Parts of absolute paths, as bytes.
package enum FileNames {
    static let separator = UInt8(ascii: "/")

    /// The path of a file's folder, with the separator at its end.
    package static func folder(of path: [UInt8]) -> [UInt8] {
        Array(path[..<(path.lastIndex(of: separator).map { $0 + 1 } ?? 0)])
    }

    /// The last component.
    package static func name(of path: [UInt8]) -> [UInt8] {
        Array(path[(path.lastIndex(of: separator).map { $0 + 1 } ?? 0)...])
    }

    /// The path of a picture's sidecar.
    package static func sidecar(of path: [UInt8]) -> [UInt8] { path + CompanionNames.sidecar }

    /// The longest name in bytes (NAME_MAX).
    package static let longest = 255

    /// The longest name in bytes in the folder of a file; some file systems, such as eCryptfs, have shorter
    /// names.
    static func longest(beside path: [UInt8]) -> Int {
        let most = folder(of: path).withPathString { pathconf($0, Int32(_PC_NAME_MAX)) }
        return most > 0 ? min(most, longest) : longest
    }

    /// The path with `addition` before the extension of its name, of which the stem is cut where the
    /// name would have more than `limit` bytes.
    package static func inserting(
        _ addition: String, into path: [UInt8], upTo limit: Int = longest
    ) -> [UInt8] {
        let name = name(of: path)
        // A name that begins with a dot has no extension, nor has one that would be all extension.
        let last = name.dropFirst().lastIndex(of: UInt8(ascii: "."))
        let dot = last.flatMap { addition.utf8.count + name.count - $0 < limit ? $0 : nil }
        let end = dot ?? name.count
        let rest: [UInt8] = Array(addition.utf8) + Array(name[end...])
        let stem = name[..<cut(name[..<end], limit - rest.count)]
        return folder(of: path) + Array(stem) + rest
    }

    /// Where a stem ends that has at most `limit` bytes, at least one character, and whole ones.
    private static func cut(_ stem: ArraySlice<UInt8>, _ limit: Int) -> Int {
        guard stem.count > limit, let second = stem.dropFirst().firstIndex(where: isFirst) else {
            return stem.endIndex
        }
        return stem[...max(limit, second)].lastIndex(where: isFirst) ?? second
    }

    /// Whether a byte begins a character of UTF-8.
    private static func isFirst(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
}
