import EventLoop
import Folders
import Glibc
import SystemCalls

/// Watches which removable media are mounted below some folders.
///
/// Reading the table of mounts never waits for a medium.
final class MediaWatcher {
    private let folders: [[UInt8]]
    private let descriptor: Int32
    private let sources: EventSources
    private var source: EventSources.Source?
    /// The mount points, the newest last.
    private(set) var points: [[UInt8]] = []

    /// Calls `onChange` whenever media come or go; nil if the table cannot be read.
    init?(
        _ folders: [String], _ sources: EventSources,
        onChange: @escaping (_ points: [[UInt8]]) -> Void
    ) {
        self.folders = folders.map { folder in
            Array(folder.utf8).reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
        }
        descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        self.sources = sources
        guard descriptor >= 0 else { return nil }
        points = read()
        source = sources.add(urgentDescriptor: descriptor) { [unowned self] in
            let new = read()
            guard new != points else { return }
            points = new
            onChange(new)
        }
    }

    deinit {
        if let source { sources.remove(source) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads the table from its begin, which also waits for its next change.
    private func read() -> [[UInt8]] {
        MountTable(reading: descriptor).points(below: folders)
    }
}
