import Glibc

/// Watches which file systems are mounted at, above and below the given paths.
///
/// Whoever watches a folder is not told that a file system is mounted over it: the path leads to another
/// folder from then on. Reading the table of mounts never waits for a file system.
struct MountWatch: ~Copyable {
    /// Has urgent data (POLLPRI) when the table has changed; -1 if the table cannot be read.
    let descriptor: Int32
    /// Whether the table has changed since the last update.
    var isOutdated = false
    /// The given paths, absolute; symbolic links are not followed.
    private let paths: [[UInt8]]
    /// Empty before the first update.
    private var table = MountTable(parsing: [])
    /// Where the file systems are mounted from which the given paths were read last.
    private var sources: [Int: [UInt8]] = [:]

    init(_ paths: [FilePath]) {
        descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        self.paths = paths.map(\.absolute)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads the table again; returns whether any of the paths may lead to another folder than before.
    mutating func update() -> Bool {
        isOutdated = false
        let former = Set(table.mounts)
        table = MountTable(reading: descriptor)
        let changed = former.symmetricDifference(table.mounts)
        guard !changed.isEmpty else { return false }
        return paths.contains { path in changed.contains { $0.isAround(path) } }
    }

    /// Notes that a given path, by its number, is read now.
    mutating func noteReading(of path: Int) { sources[path] = table.source(of: paths[path]) }

    /// Whether the file system from which a given path was read last is not mounted any more.
    func isUnmounted(_ path: Int) -> Bool {
        sources[path].map { source in !table.mounts.contains { $0.point == source } } ?? false
    }
}
