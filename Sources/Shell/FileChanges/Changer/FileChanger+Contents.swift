import CLinux
import Glibc
import ImageWire
import Localization
import SystemCalls

/// Files that get contents: copies, new files, and exchanges.
extension FileChanger {
    /// Copies a file, a link as itself.
    func copyItself(_ from: [UInt8], to target: [UInt8]) throws(ChangeFailure) {
        if try status(from).isLink {
            try copyLink(from, to: target)
        } else {
            try copyContents(of: from, to: target)
        }
    }

    private func copyLink(_ path: [UInt8], to target: [UInt8]) throws(ChangeFailure) {
        // The kernel has no longer texts; one more byte for the NUL.
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        try reportingChange {
            path.withPathString { Int32(readlink($0, &text, text.count - 1)) }
        }
        try reportingChange { target.withPathString { symlink(text, $0) } }
    }

    func copyContents(of path: [UInt8], to target: [UInt8]) throws(ChangeFailure) {
        let source = try reportingChange {
            path.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        }
        defer { close(source) }
        // The file that was opened counts: a link may lead to a device or a pipe without an end.
        var info = stat()
        try reportingChange { fstat(source, &info) }
        guard info.isRegularFile else {
            throw .refused(reason: localized("it is not a file"))
        }
        try FileCopy.make(
            target, from: source, like: source, keepsTimes: true, isStopped: isStopped)
    }

    func save(
        _ path: [UInt8], like: [UInt8], _ contents: Int32
    ) throws(ChangeFailure) -> FileChange {
        let work = try makeWorkFolder(besides: path)
        let staged = work.file(named: path)
        let model =
            like.isEmpty ? -1 : like.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        defer { if model >= 0 { close(model) } }
        try FileCopy.make(staged, from: contents, like: model, keepsTimes: false)
        return .appeared(
            path: try place(PictureFiles(picture: staged), at: path, picksName: true))
    }

    /// A link stays: the file that it leads to is replaced.
    func replace(
        _ given: [UInt8], _ expected: FileStamp, _ contents: Int32, keepsTimes: Bool
    ) throws(ChangeFailure) -> FileChange {
        let path = try resolved(given)
        guard try stamp(of: path) == expected else { throw .changed }
        let work = try makeWorkFolder(besides: path)
        let staged = work.file(named: path)
        let model = try reportingChange {
            path.withPathString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        }
        defer { close(model) }
        try FileCopy.make(staged, from: contents, like: model, keepsTimes: keepsTimes)
        let original = try keepInTrash(path)
        do throws(ChangeFailure) { try install(staged, at: path, expected: expected) } catch {
            erase(original)
            throw error
        }
        return .replaced(path: path, original: original)
    }

    /// Gives a prepared file the name of the file `expected`, whose contents are in the trash.
    func install(
        _ staged: [UInt8], at path: [UInt8], expected: FileStamp
    ) throws(ChangeFailure) {
        // A thumbnail that is made meanwhile would look current, since the time of the file is kept.
        onExchange(path)
        defer { onExchange(path) }
        do throws(ChangeFailure) {
            try exchangeNames(staged, path)
        } catch {
            guard error == .system(code: EINVAL) || error == .system(code: ENOSYS) else {
                throw error
            }
            // The file system cannot exchange names: look first, then replace.
            guard try stamp(of: path) == expected else { throw .changed }
            try reportingChange {
                staged.withPathString { first in path.withPathString { Glibc.rename(first, $0) } }
            }
            return FileReplacement.syncFolder(of: path)
        }
        // Somebody may have written the file after it was looked at.
        guard (try? stamp(of: staged)) == expected else {
            try exchangeNames(staged, path)
            throw .changed
        }
        FileReplacement.syncFolder(of: path)
    }

    /// Gives each of two files the other's name.
    private func exchangeNames(_ first: [UInt8], _ second: [UInt8]) throws(ChangeFailure) {
        try reportingChange {
            first.withPathString { first in
                second.withPathString { clinux_exchange(first, $0) }
            }
        }
    }
}
