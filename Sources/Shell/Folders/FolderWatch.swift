import Glibc
import SystemCalls

/// Watches folders for changes, by inotify(7).
struct FolderWatch: ~Copyable {
    /// A change of a name in a watched folder, or of the folder itself.
    struct Event {
        var watch: Int32
        var mask: UInt32
        /// The same for the two halves of a rename; 0 for all other events.
        var cookie: UInt32
        /// Empty for a change of the folder itself.
        var name: [UInt8]

        func has(_ bits: some BinaryInteger) -> Bool {
            mask & UInt32(truncatingIfNeeded: bits) != 0
        }
    }

    /// Readable when there are events.
    let descriptor: Int32

    /// The events that change the set of pictures or their content.
    private static let eventMask =
        [
            IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_CLOSE_WRITE, IN_DELETE_SELF,
            IN_MOVE_SELF, IN_ONLYDIR, IN_EXCL_UNLINK,
        ].reduce(UInt32(0)) { $0 | UInt32(truncatingIfNeeded: $1) }

    /// If the system has no inotify instance left, no events are reported.
    init() {
        descriptor = inotify_init1(
            Int32(truncatingIfNeeded: IN_NONBLOCK) | Int32(truncatingIfNeeded: IN_CLOEXEC))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Watches a folder; returns the number of the watch, or nil if the system refuses.
    ///
    /// The number is the same for the same folder. The system limits the number of watches.
    func add(_ path: FilePath) -> Int32? {
        guard descriptor >= 0 else { return nil }
        let watch = path.withCString { inotify_add_watch(descriptor, $0, Self.eventMask) }
        return watch < 0 ? nil : watch
    }

    func remove(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// Reads all pending events, in order.
    func read() -> [Event] {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = retrying { Glibc.read(descriptor, &buffer, buffer.count) }
            guard count > 0 else { return events }
            buffer.withUnsafeBytes {
                Self.parse(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: &events)
            }
        }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + header <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let end = offset + header + Int(event.len)
            guard end <= bytes.count else { return }
            let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
            events.append(
                Event(watch: event.wd, mask: event.mask, cookie: event.cookie, name: Array(name)))
            offset = end
        }
    }
}
