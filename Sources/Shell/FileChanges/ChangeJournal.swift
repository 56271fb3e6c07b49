import CLinux
import Glibc
import SystemCalls

/// The file in which changes are written down, so that a later run can undo them.
///
/// Each line is an object of JSON. Several viewers share the file.
///
/// Without a path the journal lasts as long as the process, as do lines that cannot be written: such a
/// journal never prevents a change, nor its undo by the same run.
final class ChangeJournal {
    private let path: [UInt8]
    /// The lines that no file has.
    private var kept: [UInt8] = []

    /// A longer file is shortened at the start, in bytes.
    private static let longest = 4 << 20
    /// The length that batches may have after that, in bytes.
    private static let shortened = 2 << 20
    /// A longer file is not ours.
    private static let limit = 64 << 20

    init(_ path: [UInt8]) { self.path = path }

    /// All that was written down.
    func read() -> ChangeHistory {
        Self.history((contents() ?? []) + [UInt8(ascii: "\n")] + kept)
    }

    private static func history(_ bytes: [UInt8]) -> ChangeHistory {
        var history = ChangeHistory()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if let line = ChangeHistory.Line(line) { history.apply(line) }
        }
        return history
    }

    /// The lines of the file; nil if they cannot be read.
    private func contents() -> [UInt8]? {
        guard !path.isEmpty else { return [] }
        let descriptor = path.withPathString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try? readToEnd(of: descriptor, limit: Self.limit)
    }

    func append(_ lines: ChangeHistory.Line..., isSynced: Bool = false) {
        append(lines, isSynced: isSynced)
    }

    /// Adds lines as one; with `isSynced` they are on the disk when the call returns.
    func append(_ lines: [ChangeHistory.Line], isSynced: Bool = false) {
        kept += Array(lines.map(\.text).joined().utf8)
        if kept.count > Self.longest { kept = Self.shortened(kept) }
        guard !path.isEmpty, let descriptor = openLocked() else { return }
        defer { close(descriptor) }
        // A line that a loss of power has cut ends before the next one begins.
        var last: [UInt8] = [UInt8(ascii: "\n")]
        let size = lseek(descriptor, 0, SEEK_END)
        if size > 0 { pread(descriptor, &last, 1, size - 1) }
        let isCut = last[0] != UInt8(ascii: "\n")
        do throws(SystemError) {
            try writeAll((isCut ? [UInt8(ascii: "\n")] : []) + kept, to: descriptor)
            kept = []
        } catch {
            // The lines come as a whole with the next ones.
            ftruncate(descriptor, size)
        }
        if isSynced { fdatasync(descriptor) }
    }

    /// Opens the file for appending and locks it; nil if it cannot be made.
    private func openLocked() -> Int32? {
        if let end = path.lastIndex(of: UInt8(ascii: "/")), end > 0 {
            FileReplacement.makeFolders(Array(path[..<end]))
        }
        while true {
            let descriptor = path.withPathString {
                open($0, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
            guard descriptor >= 0 else { return nil }
            // Another process may have replaced the file meanwhile.
            if FileLock.acquire(descriptor, at: path) { return descriptor }
            close(descriptor)
        }
    }

    /// The newest batches of lines that are too many.
    private static func shortened(_ bytes: [UInt8]) -> [UInt8] {
        let lines = history(bytes).lines(upTo: shortened)
        return Array(lines.map(\.text).joined().utf8)
    }

    /// Leaves out the oldest batches of a long file; leaves a file alone that cannot be read.
    func shorten() {
        guard !path.isEmpty, let descriptor = openLocked() else { return }
        defer { close(descriptor) }
        let length = lseek(descriptor, 0, SEEK_END)
        guard length > Self.longest, let contents = contents() else { return }
        try? FileReplacement.write(Self.shortened(contents), to: path, isSynced: true)
    }
}
