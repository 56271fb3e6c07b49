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

    /// The system's limit of mounts is 100,000; a table of one tenth of that is believed.
    private static let longest = 2 << 20

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
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while text.count < Self.longest {
            let count = pread(descriptor, &part, part.count, text.count)
            guard count > 0 else { break }
            text += part.prefix(count)
        }
        return MountTable(parsing: text).points(below: folders)
    }
}
